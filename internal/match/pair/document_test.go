package pair_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/object"
)

// TestTableBesideBuf holds the columns of docs/pair-and-buf.md that are ours true, and complete: a row for every pair of
// testdata/changes.txtar. bench/pair-and-buf.sh writes the table, buf's columns too.
func TestTableBesideBuf(t *testing.T) {
	page, err := os.ReadFile("../../../docs/pair-and-buf.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if strings.HasPrefix(line, "| ") && len(cells) == 7 && cells[0] != "change" {
			if rows[cells[0]] != nil {
				t.Errorf("two rows are named %q", cells[0])
			}
			rows[cells[0]] = cells[3:]
		}
	}
	archive, err := txtar.ParseFile("testdata/changes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		old, new := archive.Files[i], archive.Files[i+1]
		title, _, _ := strings.Cut(old.Name, "/")
		if old.Name != title+"/old.proto" || new.Name != title+"/new.proto" {
			t.Fatalf("%s and %s are no pair", old.Name, new.Name)
		}
		r := pair.Compare(decode(t, string(old.Data)), decode(t, string(new.Data)), pair.Options{})
		preferred := string(r.PreferredOrder)
		if r.Restart {
			preferred += ", restart"
		}
		breaking := "no"
		if len(r.Breaking) > 0 {
			breaking = "yes"
		}
		got := []string{breaking, string(r.SafeOrder), string(r.SafeOrderIfUnused), preferred}
		if !slices.Equal(rows[title], got) {
			t.Errorf("%s: the page says %q, it is %q", title, rows[title], got)
		}
		delete(rows, title)
	}
	for title := range rows {
		t.Errorf("the page has a row for %q, which testdata/changes.txtar lacks", title)
	}
}

// TestEveryChangeIsNamed has each effect say what changed, from both sides in the same words, and its kind in the schema.
func TestEveryChangeIsNamed(t *testing.T) {
	text, err := os.ReadFile("../../../docs/schema/pair.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	kinds := object.List(schema, "$defs", "kind", "enum")
	seen := map[string]bool{"refused": true, "field-other": true} // of a configuration; of what nobody is known to meet
	for _, r := range rows() {
		for _, sets := range [][2]string{{r.old, r.new}, {r.new, r.old}} {
			words := map[string]string{}
			for _, route := range pair.Compare(decode(t, sets[0]), decode(t, sets[1]), r.options).Routes {
				for _, e := range route.Fields {
					seen[string(e.Change.Kind)] = true
					if !slices.Contains(kinds, any(string(e.Change.Kind))) || e.Change.Words == "" {
						t.Errorf("%s: %s of %s: kind %q, %q", r.fact, e.Path, e.Client, e.Change.Kind, e.Change.Words)
					}
					if e.Direction == pair.WholeRoute || e.Change.Kind == "oneof" {
						continue
					}
					if other, ok := words[e.Change.Element]; ok && other != e.Change.Words {
						t.Errorf("%s: %s changes in two ways: %q and %q", r.fact, e.Change.Element, other, e.Change.Words)
					}
					words[e.Change.Element] = e.Change.Words
				}
			}
		}
	}
	for _, kind := range kinds {
		if !seen[fmt.Sprint(kind)] {
			t.Errorf("no row has a change of kind %q", kind)
		}
	}
}

// TestSharedMessage compares the calls of a route that is alone with those that it gets after another one that carries the
// same message: they are then made from what is known, and must be the same.
func TestSharedMessage(t *testing.T) {
	schema := func(kind string, rpcs ...string) string {
		return `syntax = "proto3"; package shop.v1; import "google/api/annotations.proto";
service Shop { ` + strings.Join(rpcs, " ") + ` }
message First { M m = 1; }
message Ask { In in_path = 1; M one = 2; repeated M many_of_them = 3; map<int32, M> by_number = 4; map<bool, Deep> by_bool = 5; oneof o { M in_one = 6; } }
message In { string id = 1; M m = 2; }
message Deep { repeated M m = 1; }
message M { ` + kind + ` n = 1; string quoted = 2; }
`
	}
	const first = `rpc Try(First) returns (First) { option (google.api.http) = { post: "/v1/a" body: "*" }; }`
	find := func(r pair.Result, template string) map[string]pair.Effect {
		out := map[string]pair.Effect{}
		for _, route := range r.Routes {
			if route.Template == template {
				for _, e := range route.Fields {
					out[fmt.Sprint(e.Path, e.Direction, e.Client, e.State)] = e
				}
			}
		}
		return out
	}
	for template, rpc := range map[string]string{
		"/v1/b/{in_path.id}": `rpc Put(Ask) returns (Ask) { option (google.api.http) = { post: "/v1/b/{in_path.id}" body: "*" }; }`,
		"/v1/c":              `rpc Stream(stream Ask) returns (stream Ask) { option (google.api.http) = { post: "/v1/c" body: "*" }; }`,
		"/v1/d/{one.n}":      `rpc Path(Ask) returns (Ask) { option (google.api.http) = { post: "/v1/d/{one.n}" body: "*" }; }`,
		"/v1/e/{in_path.id}": `rpc Named(Ask) returns (Ask) { option (google.api.http) = { post: "/v1/e/{in_path.id}" body: "one" }; }`,
		"/v1/f/{one.n}":      `rpc NamedPath(Ask) returns (Ask) { option (google.api.http) = { post: "/v1/f/{one.n}" body: "one" }; }`,
		"/v1/g":              `rpc Query(Ask) returns (Ask) { option (google.api.http) = { get: "/v1/g" }; }`,
	} {
		alone := pair.Compare(decode(t, schema("int32", rpc)), decode(t, schema("string", rpc)), pair.Options{})
		after := pair.Compare(decode(t, schema("int32", first, rpc)), decode(t, schema("string", first, rpc)), pair.Options{})
		want, got := find(alone, template), find(after, template)
		if len(want) < 20 || len(want) != len(got) {
			t.Errorf("%s: %d effects alone, %d after another route", template, len(want), len(got))
		}
		for key, w := range want {
			g, ok := got[key]
			if !ok {
				t.Errorf("%s %s: nothing, alone %s", template, key, w.Outcome)
				continue
			}
			if g.Outcome != w.Outcome || g.Detail != w.Detail || g.Change != w.Change || g.Witness.Status != w.Witness.Status {
				t.Errorf("%s %s: %s %q, alone %s %q", template, key, g.Outcome, g.Detail, w.Outcome, w.Detail)
			}
			if a, b := g.Witness.Request, w.Witness.Request; a.Target != b.Target || string(a.Body) != string(b.Body) || a.ContentType != b.ContentType {
				t.Errorf("%s %s: request %s %s, alone %s %s", template, key, a.Target, a.Body, b.Target, b.Body)
			}
			if !slices.EqualFunc(g.Witness.Answer.Messages, w.Witness.Answer.Messages, slices.Equal) {
				t.Errorf("%s %s: answer %x, alone %x", template, key, g.Witness.Answer.Messages, w.Witness.Answer.Messages)
			}
		}
	}
}
