package helm

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"regexp"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/render/standin"
)

// TestStandIns calls every stand-in whose answer is not repeatable, and wants the right form, and a pointer to the field.
func TestStandIns(t *testing.T) {
	pemOf := func(kind string) string { return `^-----BEGIN ` + kind + `-----\n(.*\n)+-----END ` + kind + `-----\n$` }
	for _, c := range []struct{ template, want string }{
		{`randAlphaNum 12`, `^[a-zA-Z0-9]{12}$`},
		{`randAlpha 12`, `^[a-zA-Z]{12}$`},
		{`randNumeric 12`, `^[0-9]{12}$`},
		{`randAscii 12 | b64enc`, `^[A-Za-z0-9+/]{16}$`},
		{`randBytes 12`, `^[A-Za-z0-9+/]{16}$`},
		{`randInt 5 7 | toString`, `^[56]$`},
		{`shuffle "abcé"`, `^[abcé]{4}$`},
		{`uuidv4`, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`},
		{`bcrypt "pw"`, `^\$2a\$10\$[./A-Za-z0-9]{53}$`},
		{`htpasswd "me" "pw"`, `^me:\$2a\$10\$[./A-Za-z0-9]{53}$`},
		{`encryptAES "pw" "text"`, `^[A-Za-z0-9+/=]{44}$`},
		{`genPrivateKey "rsa"`, pemOf("PRIVATE KEY")},
		{`genPrivateKey "ed25519"`, pemOf("PRIVATE KEY")},
		{`(genCA "ca" 365).Cert`, pemOf("CERTIFICATE")},
		{`(genCA "ca" 365).Key`, pemOf("PRIVATE KEY")},
		{`(genCAWithKey "ca" 365 (genPrivateKey "ecdsa")).Cert`, pemOf("CERTIFICATE")},
		{`(genSelfSignedCert "x" (list "10.0.0.1") (list "x.svc") 365).Cert`, pemOf("CERTIFICATE")},
		{`(genSelfSignedCertWithKey "x" nil nil 365 (genPrivateKey "")).Cert`, pemOf("CERTIFICATE")},
		{`(genSignedCert "x" nil (list "x.svc") 365 (genCA "ca" 365)).Cert`, pemOf("CERTIFICATE")},
		{`(genSignedCertWithKey "x" nil nil 365 (genCA "ca" 365) (genPrivateKey "")).Cert`, pemOf("CERTIFICATE")},
		{`$ca := genCA "ca" 365 }}{{ $own := buildCustomCert (b64enc $ca.Cert) (b64enc $ca.Key) }}{{ (genSignedCert "x" nil nil 1 $own).Cert`, pemOf("CERTIFICATE")},
		{`now | date "2006-01-02T15:04:05Z07:00"`, `^202[67]-\d\d-\d\dT\d\d:\d\d:\d\dZ$`},
		{`now.Unix | toString`, `^1[78]\d{8}$`},
		{`date "2006" "no date means now"`, `^202[67]$`},
		{`dateInZone "2006" (now) "UTC"`, `^202[67]$`},
		{`date_in_zone "2006" (now) "UTC"`, `^202[67]$`},
		{`now | htmlDate`, `^202[67]-\d\d-\d\d$`},
		{`htmlDateInZone (now) ""`, `^202[67]-\d\d-\d\d$`},
		{`ago (toDate "2006-01-02" "2020-01-01")`, `^[5-7]\d{4}h\d+m\d+s$`},
		{`durationRound (toDate "2006-01-02" "2020-01-01")`, `^[67]y$`},
		{`keys (dict "b" 1 "a" 2) | join ","`, `^a,b$`},
		{`values (dict "b" 1 "a" 2) | join ","`, `^2,1$`},
	} {
		t.Run(c.template, func(t *testing.T) {
			files := tree(one(`v: {{ `+c.template+` | toJson }}`, `stable: x`))
			out := mustRender(t, files, chartAt("c", nil))
			if got, _ := data(t, out)["v"].(string); !regexp.MustCompile(c.want).MatchString(got) {
				t.Errorf("got %q, want %s", got, c.want)
			}
			if got := out.Objects[0].Unstable; !reflect.DeepEqual(got, []string{"/data/v"}) {
				t.Errorf("unstable: %q", got)
			}
		})
	}
}

// TestStable calls stand-ins with arguments from which the answer follows.
func TestStable(t *testing.T) {
	for _, c := range []struct{ template, want string }{
		{`randAlpha 0`, ""},
		{`randAlpha -1`, ""},
		{`shuffle "a"`, "a"},
		{`randInt 3 4 | toString`, "3"},
		{`keys (dict "b" 1 "a" 2) | sortAlpha | join ","`, "a,b"},
		{`keys (dict "b" 1) (dict "a" 2) | join ","`, "b,a"},
		{`values (dict "b" 1) | join ","`, "1"},
		{`date "2006-01-02 15:04" 0`, "1970-01-01 00:00"},
		{`date "2006-01-02" (toDate "2/1/2006" "31/12/2019")`, "2019-12-31"},
		{`(mustToDate "2006-01-02 15:04" "2019-12-31 23:00").Unix | toString`, "1577833200"},
		{`durationRound "49h"`, "2d"},
		{`durationRound "-90s"`, "1m"},
		{`durationRound (int64 3600000000001)`, "1h"},
		{`durationRound "bad"`, "0s"},
		{`encryptAES "pw" "some text of more than one block" | decryptAES "pw"`, "some text of more than one block"},
		{`encryptAES "pw" ""`, ""},
		{`htpasswd "a:b" "pw"`, "invalid username: a:b"},
		{`genPrivateKey "none"`, "Unknown type none"},
		{`getHostByName "localhost"`, ""},
	} {
		t.Run(c.template, func(t *testing.T) {
			out := mustRender(t, tree(one(`v: {{ `+c.template+` | quote }}`)), chartAt("c", nil))
			wantData(t, out, map[string]any{"v": c.want})
			if out.Objects[0].Unstable != nil {
				t.Errorf("unstable: %q", out.Objects[0].Unstable)
			}
		})
	}
}

func TestStandInsThatRefuse(t *testing.T) {
	for _, c := range []struct{ template, message string }{
		{`randInt 4 4`, "randInt wants a maximum above its minimum"},
		{`randBytes -1`, "randBytes wants a count"},
		{`mustToDate "2006" "x"`, "parsing time"},
		{`(genCAWithKey "ca" 1 "no key").Cert`, "no PEM data in input"},
		{`(genSignedCert "x" nil nil 1 (dict "Cert" "x")).Cert`, "the CA is no certificate"},
		{`(genSelfSignedCert "x" (list "not an ip") nil 1).Cert`, "error parsing ip"},
		{`(genSelfSignedCert "x" nil (list 1) 1).Cert`, "is not a string"},
		{`env "HOME"`, `function "env" not defined`},
		{`expandenv "$HOME"`, `function "expandenv" not defined`},
	} {
		mustGap(t, tree(one(`v: {{ `+c.template+` | quote }}`)), chartAt("c", nil), diag.RenderFailed, c.message)
	}
	mustGap(t, tree(one(`v: {{ dateInZone "15:04" 0 "Europe/Paris" }}`)), chartAt("c", nil), diag.Unsupported,
		`prints a date in the time zone "Europe/Paris"`)
}

// TestOwnKeys signs with keys that the chart gives: those stay, and only the certificate is new each time.
func TestOwnKeys(t *testing.T) {
	own, err := standin.New(99, 0).Funcs()["genPrivateKey"].(func(string) (string, error))("")
	if err != nil {
		t.Fatal(err)
	}
	files := tree(one(`{{ $c := genSelfSignedCertWithKey "x" nil nil 1 (b64dec "`+base64.StdEncoding.EncodeToString([]byte(own))+`") }}`,
		`cert: {{ $c.Cert | quote }}`, `key: {{ $c.Key | quote }}`))
	out := mustRender(t, files, chartAt("c", nil))
	if got := data(t, out)["key"]; got != own {
		t.Errorf("key: %v", got)
	}
	if got := out.Objects[0].Unstable; !reflect.DeepEqual(got, []string{"/data/cert"}) {
		t.Errorf("unstable: %q", got)
	}
}

func TestUnstable(t *testing.T) {
	files := tree(bare + `
{{- $pw := randAlphaNum 8 }}
apiVersion: v1
kind: Secret
metadata: {name: s, annotations: {"a/b~c": {{ $pw | sha256sum }}, fixed: x}}
stringData: {password: {{ $pw }}, user: me}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  args: [--x, {{ $pw }}, --y]
  replicas: 2
---
apiVersion: v1
kind: ConfigMap
metadata: {name: quiet}
---
apiVersion: batch/v1
kind: Job
metadata: {name: job-{{ randNumeric 5 }}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: job-{{ randNumeric 5 }}, labels: {n: "2"}}
`)
	out := mustRender(t, files, chartAt("c", nil))
	var got [][]string
	for _, o := range out.Objects {
		got = append(got, o.Unstable)
	}
	want := [][]string{
		{"/metadata/annotations/a~1b~0c", "/stringData/password"}, {"/spec/args/1"}, nil, {"/metadata/name"}, {"/metadata/name"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	files = tree(bare + named("a") + `---{{ if eq (randInt 0 2) 1 }}` + "\n" + named("b") + `{{ end }}`)
	mustGap(t, files, chartAt("c", nil), diag.Unsupported, "which objects the chart renders depends on random or time functions")
}

func TestDifferences(t *testing.T) {
	a := map[string]any{"same": 1, "gone": 1, "type": []any{1}, "list": []any{1, 2}, "short": []any{1}}
	b := map[string]any{"same": 1, "new": 1, "type": "x", "list": []any{1, 3}, "short": []any{1, 2}}
	want := []string{"/gone", "/list/1", "/new", "/short", "/type"}
	if got := differences(a, b); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := differences(1, 2); !reflect.DeepEqual(got, []string{""}) {
		t.Errorf("whole document: %q", got)
	}
}

func TestLookups(t *testing.T) {
	files := tree(one(
		`a: {{ (lookup "v1" "Secret" "ns" "name").data | default "none" }}`, `b: {{ lookup "apps/v1" "Deployment" "ns" "" | len }}`,
		`c: {{ if lookup "v1" "Namespace" "" "x" }}found{{ else }}none{{ end }}`, `d: {{ lookup "v1" "Node" "" "" | toJson | quote }}`,
		`again: {{ (lookup "v1" "Secret" "ns" "name") | toJson | quote }}`,
	))
	out := mustRender(t, files, chartAt("c", nil))
	if got := fmt.Sprint(data(t, out)); got != "map[a:none again:{} b:0 c:none d:{}]" {
		t.Errorf("data: %s", got)
	}
	want := []string{"apps/v1/Deployment ns/*", "v1/Namespace x", "v1/Node *", "v1/Secret ns/name"}
	if !reflect.DeepEqual(out.Lookups, want) {
		t.Errorf("lookups: %q", out.Lookups)
	}
	if out.Objects[0].Unstable != nil {
		t.Errorf("a lookup is not unstable: %q", out.Objects[0].Unstable)
	}
}
