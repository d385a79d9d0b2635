package history_test

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/object"
)

func TestParseImage(t *testing.T) {
	for in, want := range map[string]history.Image{
		"api":                                {Name: "api"},
		"api:v1":                             {Name: "api", Tag: "v1"},
		"host:5000/shop/api":                 {Name: "host:5000/shop/api"},
		"host:5000/shop/api:v1":              {Name: "host:5000/shop/api", Tag: "v1"},
		"host/api@sha256:00":                 {Name: "host/api", Digest: "sha256:00"},
		"host:5000/shop/api:v1@sha256:00ff0": {Name: "host:5000/shop/api", Tag: "v1", Digest: "sha256:00ff0"},
		"":                                   {},
	} {
		if got := history.ParseImage(in); got != want {
			t.Errorf("%q is %+v, want %+v", in, got, want)
		}
	}
}

// parsed reads one object, "apiVersion kind" and the rest of it.
func parsed(t *testing.T, group, kind, text string) object.Object {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	fields, err := object.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return object.Object{ID: object.ID{Group: group, Kind: kind}, Fields: fields}
}

const podSpec = "{initContainers: [{name: i, image: init}], containers: [{name: a, image: r/api:v1}, {name: istio-proxy, image: auto}, " +
	"{name: e, image: envoyproxy/envoy:v1.30.1}, {name: b, image: r/side:v2}, {name: c, image: r/api:v1}, {name: d}]}"

func TestImages(t *testing.T) {
	const template = "spec: {template: {spec: " + podSpec + "}}"
	for _, c := range []struct {
		group, kind, text string
		want              string
	}{
		{"apps", "Deployment", template, "r/api:v1 r/side:v2"},
		{"apps", "StatefulSet", template, "r/api:v1 r/side:v2"},
		{"apps", "DaemonSet", template, "r/api:v1 r/side:v2"},
		{"argoproj.io", "Rollout", template, "r/api:v1 r/side:v2"},
		{"batch", "Job", template, "r/api:v1 r/side:v2"},
		{"batch", "CronJob", "spec: {jobTemplate: {spec: {template: {spec: " + podSpec + "}}}}", "r/api:v1 r/side:v2"},
		{"", "Pod", "spec: " + podSpec, "r/api:v1 r/side:v2"},
		{"argoproj.io", "Rollout", "spec: {workloadRef: {apiVersion: apps/v1, kind: Deployment, name: api}}", ""},
		{"example.com", "Deployment", template, ""},
		{"", "ConfigMap", template, ""},
		{"apps", "Deployment", "spec: {template: {spec: {containers: wrong}}}", ""},
		{"apps", "Deployment", "spec: {template: {spec: {containers: [wrong, {image: [r/api:v1]}]}}}", ""},
		{"apps", "Deployment", "spec: {template: {spec: {containers: [{name: gateway, image: docker.io/envoyproxy/envoy:v1}]}}}", ""},
	} {
		if got := strings.Join(history.Images(parsed(t, c.group, c.kind, c.text)), " "); got != c.want {
			t.Errorf("%s %s %s: %q, want %q", c.group, c.kind, c.text, got, c.want)
		}
	}
}

func deployment(t *testing.T, containers string) object.Object {
	t.Helper()
	return parsed(t, "apps", "Deployment", "spec: {template: {spec: {containers: ["+containers+"]}}}")
}

func TestImageOf(t *testing.T) {
	const api, side = "{name: api, image: host:5000/shop/api:v1}", "{name: side, image: other/api-side:v2}"
	for _, c := range []struct{ containers, want, image string }{
		{api, "", "host:5000/shop/api:v1"},
		{api + "," + side, "", ""},
		{api + "," + side, "api", "host:5000/shop/api:v1"},
		{api + "," + side, "shop/api", "host:5000/shop/api:v1"},
		{api + "," + side, "host:5000/shop/api", "host:5000/shop/api:v1"},
		{api + "," + side, "op/api", ""},
		{api + "," + side, "api-side", "other/api-side:v2"},
		{api, "api-side", ""},
		{api + ",{name: b, image: other/api:v2}", "api", ""},
		{"", "", ""},
	} {
		got, ok := history.ImageOf(deployment(t, c.containers), c.want)
		if got != c.image || ok != (c.image != "") {
			t.Errorf("%s of %s: %q, %t, want %q", c.want, c.containers, got, ok, c.image)
		}
	}
}

func TestServing(t *testing.T) {
	const api1, api2, side1, side2 = "{name: api, image: api:1}", "{name: api, image: api:2}", "{name: side, image: side:1}", "{name: side, image: side:2}"
	for _, c := range []struct{ before, after, want, old, now string }{
		{api1, api2, "", "api:1", "api:2"},
		{api1 + "," + side1, api2 + "," + side1, "", "api:1", "api:2"},
		{api1 + "," + side1, api2 + "," + side2, "", "api:1 side:1", "api:2 side:2"},
		{api1 + "," + side1, api1 + "," + side1, "", "api:1 side:1", "api:1 side:1"},
		{api1 + "," + side1, api2 + "," + side2, "side", "side:1", "side:2"},
		{api1 + "," + side1, api1 + "," + side2, "api", "api:1", "api:1"},
		{api1, api2, "none", "", ""},
		{api1, api2 + "," + side1, "", "api:1", "api:2"},
		{"", api2 + "," + side1, "", "", "api:2 side:1"},
	} {
		before := object.Object{}
		if c.before != "" {
			before = deployment(t, c.before)
		}
		old, now := history.Serving(before, deployment(t, c.after), c.want)
		if !slices.Equal(old, strings.Fields(c.old)) || !slices.Equal(now, strings.Fields(c.now)) {
			t.Errorf("%s -> %s (%s): %q, %q", c.before, c.after, c.want, old, now)
		}
	}
}
