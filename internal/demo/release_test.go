package demo

import (
	"bytes"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/source"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// running is what the manifests say at one commit.
type running struct {
	api, partner  string // tags; "" if the workload is not there
	apiDescriptor []byte // what the sidecar of api reads
	partnerCopy   []byte // what that of partner-gateway reads, while it keeps a copy
	services      []string
}

var tagLine = regexp.MustCompile(`(?m)^ +(?:tag|newTag): (v[0-9.]+)$`)

func readRunning(t *testing.T, tree source.Tree) running {
	t.Helper()
	read := func(name string) []byte {
		content, err := tree.ReadFile(name)
		if err != nil && !isMissing(err) {
			t.Fatal(err)
		}
		return content
	}
	tag := func(name string) string {
		if m := tagLine.FindSubmatch(read(name)); m != nil {
			return string(m[1])
		}
		return ""
	}
	values := string(read("app/helm/api/values/prd.yaml"))
	r := running{api: tag("app/helm/api/values/prd.yaml"), partner: tag("app/partner-gateway/overlays/prd/kustomization.yaml")}
	r.apiDescriptor, r.partnerCopy = read("app/helm/api/files/api.pb"), read("app/partner-gateway/base/files/api.pb")
	if r.apiDescriptor == nil {
		r.apiDescriptor = read("app/config/files/api.pb")
	}
	_, list, _ := strings.Cut(values, "  services:\n")
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, "    - ") {
			break
		}
		r.services = append(r.services, strings.TrimSpace(line[6:]))
	}
	return r
}

func isMissing(err error) bool { return strings.Contains(err.Error(), fs.ErrNotExist.Error()) }

// compiled gives the descriptor of the application's repository at a tag.
func compiled(t *testing.T, tree source.Tree) []byte {
	t.Helper()
	files, err := source.Subtree(tree, "proto")
	if err != nil {
		t.Fatal(err)
	}
	protos := map[string][]byte{}
	for _, f := range files {
		protos["proto/"+f.Path] = f.Data
	}
	raw, err := compile(t.Context(), protos, "proto")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestEveryDescriptorFitsTheImageBesideIt(t *testing.T) {
	r := built(t)
	manifests, application := reader(t, r.Manifests), reader(t, r.Application)
	served := map[string][]byte{}
	serves := func(tag string) []byte {
		if served[tag] == nil {
			served[tag] = compiled(t, application(tag))
		}
		return served[tag]
	}
	var drifted []string // commits at which the copy of partner-gateway is another release's than its image
	for _, c := range append(commits(t, r.Manifests, "main"), commits(t, r.Manifests, "main..fixed")...) {
		id, subject, _ := strings.Cut(c, " ")
		now := readRunning(t, manifests(id))
		if now.api == "" {
			continue // before the order service
		}
		if !bytes.Equal(now.apiDescriptor, serves(now.api)) {
			t.Errorf("%q: the descriptor is not that of api %s", subject, now.api)
		}
		if now.partner != "" {
			serves(now.partner)
		}
		if now.partnerCopy != nil && !bytes.Equal(now.partnerCopy, serves(now.partner)) {
			drifted = append(drifted, subject)
		}
		for _, s := range now.services {
			if set, err := descriptor.Decode(now.apiDescriptor); err != nil {
				t.Fatal(err)
			} else if _, ok := set.Service(s); !ok {
				t.Errorf("%q: %s is exposed and not in the descriptor", subject, s)
			}
		}
	}
	// The two times when somebody forgot it, until it was noticed or moved.
	want := []string{"partner-gateway: v0.4.0", "partner-gateway: v0.5.0", "release api v1.0.0"}
	if !slices.Equal(drifted, want) {
		t.Errorf("the copy of partner-gateway is wrong at %q, want %q", drifted, want)
	}
	for tag := range served {
		if git(t, r.Application, "tag", "--list", tag) != tag {
			t.Errorf("the application has no tag %s", tag)
		}
	}
}

func TestReleasesWhileTwoWorkloadsReadOneDescriptor(t *testing.T) {
	r := built(t)
	manifests := reader(t, r.Manifests)
	var both, imageAlone, alone []string
	main := commits(t, r.Manifests, "main")
	for i, c := range main[1:] {
		id, subject, _ := strings.Cut(c, " ")
		before, _, _ := strings.Cut(main[i], " ")
		old, now := readRunning(t, manifests(before)), readRunning(t, manifests(id))
		image, dictionary := old.api != now.api, !bytes.Equal(old.apiDescriptor, now.apiDescriptor)
		if old.api == "" || !image && !dictionary {
			continue
		}
		changed := strings.Fields(git(t, r.Manifests, "diff-tree", "--no-commit-id", "--name-only", "-r", id))
		shared := slices.Contains(changed, "app/config/files/api.pb")
		switch {
		case now.partner == "" && shared:
			alone = append(alone, subject)
		case image && dictionary && shared:
			both = append(both, subject)
		case image && !dictionary:
			imageAlone = append(imageAlone, subject)
		case !image:
			t.Errorf("%q changes the descriptor alone", subject)
		}
	}
	if len(both) < 20 {
		t.Errorf("%d releases change both while two workloads read the descriptor", len(both))
	}
	if !slices.Equal(imageAlone, []string{"release api v1.2.1"}) {
		t.Errorf("the image alone changes at %q", imageAlone)
	}
	if len(alone) < 5 {
		t.Errorf("%d releases after partner-gateway has left", len(alone))
	}
	for _, c := range main {
		if id, subject, _ := strings.Cut(c, " "); strings.HasPrefix(subject, "release api ") {
			if got := git(t, r.Manifests, "show", "-s", "--format=%an", id); got != "release-bot" {
				t.Errorf("%q is by %s", subject, got)
			}
		}
	}
}

// TestImageTagIsWhereReadersAreSentTo pins the line that findings point to.
func TestImageTagIsWhereReadersAreSentTo(t *testing.T) {
	r := built(t)
	manifests := reader(t, r.Manifests)
	for _, rev := range []string{"main", "incident", "turning-point", "fixed"} {
		values, err := manifests(rev).ReadFile("app/helm/api/values/prd.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if line := strings.Split(string(values), "\n")[3]; !tagLine.MatchString(line) {
			t.Errorf("%s: line 4 is %q", rev, line)
		}
	}
}

// TestReleasesBringTheChangesOfTheStory looks at each kind of change where the story has it.
func TestReleasesBringTheChangesOfTheStory(t *testing.T) {
	r := built(t)
	at := reader(t, r.Application)
	types := func(tag string) *protoregistry.Files { return decoded(t, compiled(t, at(tag))) }
	field := func(tag, name string) string {
		d, err := types(tag).FindDescriptorByName(protoreflect.FullName(name))
		if err != nil {
			return "none"
		}
		f := d.(protoreflect.FieldDescriptor)
		return strings.Join([]string{f.Cardinality().String(), f.Kind().String(), string(rune('0' + f.Number()))}, " ")
	}
	method := func(tag, name string) string { return routes(t, compiled(t, at(tag)), name) }
	for _, c := range []struct {
		what, got, want string
	}{
		{"renamed: old name before", field("v1.3.0", "orders.v1.Order.note"), "optional string 6"},
		{"renamed: old name after", field("v1.4.0", "orders.v1.Order.note"), "none"},
		{"renamed: new name after", field("v1.4.0", "orders.v1.Order.customer_note"), "optional string 6"},
		{"moved route before", method("v1.5.0", "orders.v1.OrderService.CancelOrder"), "POST /v1/orders/{order_id}:cancel"},
		{"moved route", method("v1.6.0", "orders.v1.OrderService.CancelOrder"), "POST /v1/orders/{order_id}/cancel"},
		{"moved route, both", method("v1.6.1", "orders.v1.OrderService.CancelOrder"),
			"POST /v1/orders/{order_id}/cancel, POST /v1/orders/{order_id}:cancel"},
		{"new service before", method("v1.7.0", "returns.v1.ReturnService.GetReturn"), "none"},
		{"new service", method("v1.8.0", "returns.v1.ReturnService.GetReturn"), "GET /v1/returns/{return_id}"},
		{"removed method before", method("v1.8.0", "orders.v1.OrderService.SearchOrders"), "POST /v1/orders:search"},
		{"removed method", method("v1.9.0", "orders.v1.OrderService.SearchOrders"), "none"},
		{"retyped before", field("v1.18.0", "orders.v1.Order.number"), "optional int32 2"},
		{"retyped", field("v1.19.0", "orders.v1.Order.number"), "optional string 2"},
		{"route of the incident before", method("v1.18.0", "orders.v1.OrderService.GetHistory"), "none"},
		{"route of the incident", method("v1.19.0", "orders.v1.OrderService.GetHistory"), "GET /v1/orders/{order_id}/history"},
		{"retyped on fixed", field("v1.30.0", "orders.v1.Item.quantity"), "optional string 2"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
	manifests := reader(t, r.Manifests)
	for rev, want := range map[string]string{
		":/release api v1.7.0": "orders.v1.OrderService payments.v1.PaymentService",
		":/release api v1.8.0": "orders.v1.OrderService payments.v1.PaymentService returns.v1.ReturnService",
	} {
		if got := strings.Join(readRunning(t, manifests(git(t, r.Manifests, "rev-parse", rev))).services, " "); got != want {
			t.Errorf("%s exposes %s", rev, got)
		}
	}
}

func decoded(t *testing.T, raw []byte) *protoregistry.Files {
	t.Helper()
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(raw, &set); err != nil {
		t.Fatal(err)
	}
	for _, f := range set.File {
		if f.SourceCodeInfo != nil {
			t.Errorf("%s has source info", f.GetName())
		}
	}
	types, err := protodesc.NewFiles(&set)
	if err != nil {
		t.Fatal(err)
	}
	return types
}

// routes lists the bindings of a method as "VERB template".
func routes(t *testing.T, raw []byte, method string) string {
	t.Helper()
	set, err := descriptor.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Refusals) > 0 {
		t.Errorf("a transcoder refuses the descriptor: %q", set.Refusals)
	}
	for _, s := range set.Services {
		for _, m := range s.Methods {
			if m.Name == method {
				var rules []string
				for _, rule := range m.Rules {
					rules = append(rules, rule.Verb+" "+rule.Template)
				}
				return strings.Join(rules, ", ")
			}
		}
	}
	return "none"
}
