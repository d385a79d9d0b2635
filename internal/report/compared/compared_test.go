package compared_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/report/compared"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// full has every field set, and one route of each sort.
func full() diag.Pair {
	answer := diag.PairEffect{
		Field: "total", Direction: "response", Client: "old", State: "new-dictionary", Outcome: "bad-gateway", Detail: "when it is set",
		Kind: "field-type", Change: "field total of shop.v1.Order becomes string, it was int32",
		Witness: diag.PairWitness{Request: "GET /v1/orders/1", Answer: [][]byte{{16, 1}}, Status: 502},
	}
	both := answer
	both.Client = "both"
	after := answer
	after.State, after.Outcome, after.Detail = "after", "shape-changed", "a string instead of a number"
	after.Witness.Status, after.Witness.Reply = 200, `{"total":"1"}`
	return diag.Pair{
		Schema:            diag.PairSchemaVersion,
		Old:               diag.PairSide{Name: "v1.0.0:proto", Services: []string{"shop.v1.Shop"}, Methods: 3},
		New:               diag.PairSide{Name: "next|`\x1b[31m\u202ered", Services: []string{"shop.v1.Shop", "shop.v1.Till"}, Methods: 4},
		Server:            "java",
		Options:           []string{"convert_grpc_status", "ignored_query_parameters: key"},
		Breaking:          []diag.PairBreak{{Verb: "GET", Template: "/v1/orders/{id}", Method: "shop.v1.Shop.Get", PairEffect: after}},
		SafeOrder:         "none",
		SafeOrderIfUnused: "image-first",
		PreferredOrder:    "image-first",
		Restart:           true,
		ListOrder:         "after-dictionary",
		Routes: []diag.PairRoute{
			{Verb: "GET", Template: "/v1/orders/{id}", Method: "shop.v1.Shop.Get", In: "both", Effects: []diag.PairEffect{both, answer, after}},
			{Verb: "POST", Template: "/v1/orders", Method: "shop.v1.Shop.Create", In: "both", Effects: []diag.PairEffect{}},
			{Verb: "GET", Template: "/v1/till", Method: "shop.v1.Till.Open", In: "new", Effects: []diag.PairEffect{
				{Client: "new", State: "before", Outcome: "not-routed", Detail: "d", Kind: "route-added", Change: "GET /v1/till of shop.v1.Till.Open is new", Witness: diag.PairWitness{Request: "GET /v1/till", Status: 415}},
				{Client: "new", State: "new-dictionary", Outcome: "unimplemented", Detail: "the server does not know /shop.v1.Till/Open",
					Kind: "route-added", Change: "GET /v1/till of shop.v1.Till.Open is new",
					Witness: diag.PairWitness{Request: "GET /v1/till", Status: 501}},
				{Client: "new", State: "new-server", Outcome: "not-routed", Detail: "the dictionary has no such route",
					Kind: "route-added", Change: "GET /v1/till of shop.v1.Till.Open is new",
					Witness: diag.PairWitness{Request: "GET /v1/till", Status: 415}},
			}},
		},
		Migration: []diag.PairStep{{Name: "expand", What: []string{"add a field beside `total`"}, When: "deliver the dictionary first"}},
		Limits:    []string{"the behaviour of Java servers was read, not run"},
	}
}

// same is a comparison of two sides that declare the same.
func same() diag.Pair {
	side := diag.PairSide{Name: "a.pb", Services: []string{"s.S"}, Methods: 1}
	return diag.Pair{
		Schema: diag.PairSchemaVersion, Old: side, New: side, Server: "go", Options: []string{}, Breaking: []diag.PairBreak{},
		SafeOrder: "any", SafeOrderIfUnused: "any", PreferredOrder: "any", Routes: []diag.PairRoute{}, Migration: []diag.PairStep{},
		Limits: []string{},
	}
}

func TestPairGolden(t *testing.T) {
	for _, f := range compared.Formats() {
		got := pairText(t, f, full())
		name := filepath.Join("testdata", "full."+string(f))
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs from %s:\n%s", f, name, got)
		}
	}
}

// shared is a change of a message that every route carries, on both ways, and in one route twice; and routes that come.
func shared() diag.Pair {
	d := same()
	effect := func(field, direction, change, client, state, outcome, detail string, status int) diag.PairEffect {
		kind := "field-type"
		if field == "" {
			kind = "route-added"
		}
		return diag.PairEffect{
			Field: field, Direction: direction, Kind: kind, Change: change, Client: client, State: state, Outcome: outcome, Detail: detail,
			Witness: diag.PairWitness{Request: "POST /" + field, Status: status},
		}
	}
	const units = "field units of shop.v1.Money becomes string, it was int64"
	for i := range 40 {
		r := diag.PairRoute{Verb: "POST", Template: fmt.Sprintf("/v1/do%02d", i), Method: "shop.v1.Shop.Do", In: "both"}
		for _, field := range []string{"sum.of.units", "sum.units"}[i%2:] {
			r.Effects = append(r.Effects,
				effect(field, "request", units, "old", "new-dictionary", "dropped", "", 200),
				effect(field, "response", units, "old", "after", "shape-changed", "a string instead of a number", 200))
		}
		if i < 3 { // new, and different in its details only
			r.Effects = append(r.Effects,
				effect("note", "response", fmt.Sprintf("field note of shop.v1.Told%d is new", i), "new", "new-server", "dropped", fmt.Sprint("detail ", i), 200))
		}
		d.Routes = append(d.Routes, r)
	}
	for i := range 20 {
		d.Routes = append(d.Routes, diag.PairRoute{Verb: "GET", Template: fmt.Sprintf("/v1/new%02d", i), Method: "shop.v1.Shop.New", In: "new", Effects: []diag.PairEffect{
			effect("", "", fmt.Sprint("route is new ", i), "new", "new-server", "not-routed", "the dictionary has no such route", 415),
		}})
		d.Migration = []diag.PairStep{{Name: "expand", When: "deliver the dictionary first"}}
	}
	moved := effect("", "", "GET /v1/old of shop.v1.Shop.Get moves to GET /v1/next", "old", "new-dictionary", "not-routed", "d", 415)
	moved.Kind = "route-moved"
	d.Routes = append(d.Routes, diag.PairRoute{Verb: "GET", Template: "/v1/old", Method: "shop.v1.Shop.Get", In: "old", Effects: []diag.PairEffect{moved}})
	for i := range 30 {
		d.Migration[0].What = append(d.Migration[0].What, fmt.Sprint("add field ", i))
	}
	return d
}

// TestPairGroupsRoutes has routes told by what changed, once for all that carry it.
func TestPairGroupsRoutes(t *testing.T) {
	text := pairText(t, report.Text, shared())
	for _, want := range []string{
		"ROUTES  61 of 61 affected\n" +
			"  field units of shop.v1.Money becomes string, it was int64\n" +
			"    in the response of POST /v1/do00 (sum.units), POST /v1/do01 (sum.units) and 38 more routes that carry the same\n" +
			"      message\n" +
			"    both new\n" +
			"      callers of the old API: 200, but in another JSON form (a string instead of a number)\n",
		"    in the request of POST /v1/do00 (sum.units), POST /v1/do01 (sum.units) and 38 more routes that carry the same\n" +
			"      message\n" +
			"    new dictionary, old server (dictionary first, in between)\n" +
			"      callers of the old API: 200, but the server does not get it\n",
		"  field note of shop.v1.Told0 is new\n    in the response of POST /v1/do00\n" +
			"  field note of shop.v1.Told1 is new\n    in the response of POST /v1/do01\n" +
			"  field note of shop.v1.Told2 is new\n    in the response of POST /v1/do02\n" +
			"    old dictionary, new server (image first, in between, and in every pod that keeps its dictionary)\n" +
			"      callers of the new API: 200, but it is missing from the answer\n",
		"  GET /v1/old  shop.v1.Shop.Get  (goes)\n    moves to GET /v1/next\n    new dictionary, old server",
		"  GET /v1/new11  shop.v1.Shop.New  (new)\n  and 8 more routes that meet the same\n",
		"      add field 19\n      and 10 more, all of them in --format json\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks\n%s\nin\n%s", want, text)
		}
	}
	if n := strings.Count(text, "\n"); n > 110 {
		t.Errorf("%d lines for two changes and some routes that come", n)
	}
	marked := pairText(t, report.Markdown, shared())
	for _, want := range []string{
		"| field units of shop.v1.Money becomes string, it was int64<br>in the response of `POST /v1/do00 (sum.units)`, " +
			"`POST /v1/do01 (sum.units)` and 38 more routes that carry the same message | both new | ",
		"`GET /v1/new11`<br>and 8 more routes that meet the same |",
		"   - and 10 more, all of them in `--format json`\n",
	} {
		if !strings.Contains(marked, want) {
			t.Errorf("lacks\n%s\nin\n%s", want, marked)
		}
	}
	if all := pairText(t, report.JSON, shared()); strings.Count(all, `"template"`) != 61 || strings.Count(all, "sum.of.units") < 40 {
		t.Error("JSON does not have every route and field")
	}
}

func TestPairFollowsItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../../docs/schema/pair.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]diag.Pair{"full": full(), "same": same()} {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(pairText(t, report.JSON, d)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEveryOutcomeIsInTheSchema has what the model may say, but for what is no effect.
func TestEveryOutcomeIsInTheSchema(t *testing.T) {
	text, err := os.ReadFile("../../../docs/schema/pair.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	listed := object.List(schema, "$defs", "outcome", "enum")
	outcomes := []transcode.Outcome{
		transcode.NotRouted, transcode.BadRequest, transcode.ServerError, transcode.Unimplemented, transcode.BadGateway,
		transcode.ProxyEnds, transcode.BreaksOff, transcode.Dropped, transcode.ValueChanged, transcode.ShapeChanged,
		transcode.Rejected, transcode.Shadowed, transcode.AnotherMethod, transcode.StatusByHandler,
	}
	for _, o := range outcomes {
		if !slices.Contains(listed, any(string(o))) {
			t.Errorf("outcome %q is not in the schema", o)
		}
		d := same()
		d.Routes = []diag.PairRoute{{Effects: []diag.PairEffect{{Client: "old", State: "after", Outcome: string(o)}}}}
		if text := pairText(t, report.Text, d); o != transcode.StatusByHandler && strings.Contains(text, "0, "+string(o)+"\n") {
			t.Errorf("outcome %q has no words:\n%s", o, text)
		}
	}
	if len(listed) != len(outcomes) {
		t.Errorf("the schema lists %d outcomes, there are %d", len(listed), len(outcomes))
	}
}

// TestPairOrders has the sentences that people act on.
func TestPairOrders(t *testing.T) {
	addition := diag.PairRoute{Verb: "GET", Template: "/new", In: "new", Effects: []diag.PairEffect{{Client: "new", State: "new-server", Outcome: "not-routed"}}}
	for _, c := range []struct {
		name string
		d    diag.Pair
		want []string // in the text, with spaces for line breaks
	}{
		{"the same", same(), []string{
			"existing any order: callers of the old API meet no change",
			"deliver any order: nothing is new that an old dictionary could withhold", "No route is affected.",
		}},
		{"an addition", diag.Pair{SafeOrder: "any", SafeOrderIfUnused: "any", PreferredOrder: "dictionary-first", Routes: []diag.PairRoute{addition}}, []string{
			"existing any order: callers of the old API meet no change, neither while one half is new nor when both are",
			"deliver dictionary first for what is new (1 route); a proxy reads the dictionary when its pod starts, and keeps it: " +
				"with the image first, pods that start before the dictionary arrives do not know what is new until they restart",
			"breaks: in no order: nobody calls it yet", "do: deliver the dictionary first",
		}},
		{"an enum value", diag.Pair{SafeOrder: "dictionary-first", SafeOrderIfUnused: "dictionary-first", PreferredOrder: "dictionary-first"}, []string{
			"existing dictionary first: with the image first, the old dictionary harms callers", "deliver dictionary first, the only order left",
		}},
		{"image first", diag.Pair{SafeOrder: "image-first", SafeOrderIfUnused: "image-first", PreferredOrder: "image-first"}, []string{
			"existing image first: with the dictionary first, the new dictionary harms", "deliver image first, the only order left; wait until every pod runs it",
		}},
		{"a removal", diag.Pair{Breaking: make([]diag.PairBreak, 2), SafeOrder: "none", SafeOrderIfUnused: "any", PreferredOrder: "any"}, []string{
			"existing no order is safe: calls of the old API break even when both halves are new (2 ways)",
			"if unused any order, if nobody uses what the change removes or replaces",
			"deliver if it has to be one release: any order",
		}},
		{"a renamed package", diag.Pair{SafeOrder: "none", SafeOrderIfUnused: "none", PreferredOrder: "none", ListOrder: "before-dictionary"}, []string{
			"existing no order is safe: each harms callers of the old API while one half is new, and nothing breaks once both are",
			"deliver not in one release", "services the filter must stop listing the services that go before any proxy loads the new dictionary",
		}},
	} {
		text := strings.Join(strings.Fields(pairText(t, report.Text, c.d)), " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: lacks %q:\n%s", c.name, want, text)
			}
		}
	}
}

func TestPairMovesNoCursor(t *testing.T) {
	for _, f := range []report.Format{report.Text, report.Markdown} {
		if out := pairText(t, f, full()); strings.ContainsAny(out, "\x1b\u202e") {
			t.Errorf("%s: control characters reach the terminal:\n%q", f, out)
		}
	}
}

// TestPairMarkdownStaysText tries to leave a cell, a code span and the text with what a repository may hold.
func TestPairMarkdownStaysText(t *testing.T) {
	d := same()
	d.Routes = []diag.PairRoute{{Verb: "GET", Template: "/a|b`c", In: "both", Effects: []diag.PairEffect{{
		Client: "old", State: "after", Outcome: "dropped", Detail: "<img src=x> | [x](y) @someone #1 \\| end", Witness: diag.PairWitness{Request: "GET /a|b`\nc", Status: 200},
	}}}}
	got := pairText(t, report.Markdown, d)
	want := "| `GET /a\\|b'c` | both new | callers of the old API: the call: 200, but it is missing from the answer " +
		"(&lt;img src=x&gt; \\| \\[x\\](y) &#64;someone &#35;1 \\\\\\| end)<br>`GET /a\\|b'�c gets 200` |\n"
	if !strings.Contains(got, want) {
		t.Errorf("got:\n%s\nwant in it:\n%s", got, want)
	}
}

func pairText(t *testing.T, f report.Format, d diag.Pair) string {
	t.Helper()
	var out bytes.Buffer
	if err := compared.Write(&out, f, d); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
