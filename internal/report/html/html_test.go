package html_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/html"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// incident is what explain says of the release of the demo's incident.
func incident(t testing.TB) diag.Report {
	t.Helper()
	text, err := os.ReadFile("testdata/incident.json")
	if err != nil {
		t.Fatal(err)
	}
	var r diag.Report
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	return r
}

func page(t testing.TB, r diag.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := html.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var style = regexp.MustCompile(`(?s)<style>.*</style>`)

// TestGolden has the page of the incident, without its style.
func TestGolden(t *testing.T) {
	const name = "testdata/incident.html"
	got := style.ReplaceAllString(page(t, incident(t)), "<style></style>")
	got = regexp.MustCompile(`sha256-.*?=&#39;`).ReplaceAllString(got, "sha256-&#39;")
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
		t.Errorf("the page differs from %s:\n%s", name, got)
	}
}

// hostile wants to be more than text.
const hostile = "<script>alert(1)</script>\"'&\u202e\x1b[31m --></style></title>{{.}}"

// everything is a report of which every field is set, with a text in every string.
func everything(text string, dates bool) diag.Report {
	var r diag.Report
	fill(reflect.ValueOf(&r).Elem(), text)
	for i := range r.Findings {
		r.Findings[i].Remedies = remedies(r.Findings[i].Remedies[0], text)
	}
	for _, verdict := range []string{"race", "safe", text} {
		f := r.Findings[0]
		f.Verdict = verdict
		r.Findings = append(r.Findings, f)
	}
	if dates {
		for i := range r.Findings {
			r.Findings[i].Releases = slices.Clone(r.Findings[i].Releases)
			for k := range r.Findings[i].Releases {
				r.Findings[i].Releases[k].Date = []string{"2025-01-01T00:00:00Z", "2026-02-01T00:00:00Z"}[k]
				r.Findings[i].Releases[k].Commit.Commit += string(rune('a' + k))
			}
			story := *r.Findings[i].Story
			evidence := *story.Evidence
			evidence.Fixes = []diag.Fix{{Release: r.Findings[i].Releases[0].Commit, By: r.Findings[i].Releases[1].Commit, Kind: text, After: text}}
			story.Evidence = &evidence
			r.Findings[i].Story = &story
		}
	}
	return r
}

// remedies are the kinds of them that are told in ways of their own: the first, one that does not help, and one that does not apply.
func remedies(refused diag.Remedy, text string) []diag.Remedy {
	first := refused
	first.Refused, first.Rank, first.By = "", 1, map[string]int{"safe": 2}
	first.Costs = slices.Clone(first.Costs)
	for _, kind := range []string{diag.CostKept, diag.CostPremise, diag.CostOthers} {
		first.Costs = append(first.Costs, diag.Cost{Kind: kind, Text: text})
	}
	one, worst := first.Left[0], first.Left[0]
	one.Needs, worst.Needs = []string{text}, []string{"the worst of " + text}
	first.Left, first.LeftWorst = append(slices.Clone(first.Left), one), []diag.Opening{worst, one}
	harms := first
	harms.Rank, harms.Verdict, harms.Left = 2, "race", []diag.Opening{{Needs: []string{}, Harm: text, Persistence: text, Visibility: text}}
	return []diag.Remedy{first, harms, refused}
}

// fill sets whatever can be set: strings to a text, two entries in every list.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(3)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), text)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), text)
		fill(v.Index(1), text)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, text)
		fill(value, text)
		v.SetMapIndex(key, value)
	default:
		panic("a kind that reports did not have: " + v.Kind().String())
	}
}

// TestTextStaysText reads the page as strictly as XML is read: nothing that a repository says becomes an element, an
// attribute or a control character.
func TestTextStaysText(t *testing.T) {
	plain := elements(t, page(t, everything("text", true)))
	for _, dates := range []bool{false, true} {
		got := page(t, everything(hostile, dates))
		if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }); i >= 0 {
			t.Errorf("a control character: %q", got[i:min(len(got), i+40)])
		}
		if !strings.Contains(got, "&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;&amp;") {
			t.Error("the text is not there at all")
		}
		for name := range elements(t, got) {
			if !plain[name] {
				t.Errorf("%s is only there since a text says so", name)
			}
		}
	}
	for _, name := range []string{"script", "foreignObject", "iframe", "img", "link", "object", "a xlink:href", "use", "form", "base"} {
		if plain[name] {
			t.Errorf("the page has %s", name)
		}
	}
}

// elements are the names of elements, and of their attributes as "element attribute". No attribute is an event's, none has
// an address but for those inside the page.
func elements(t *testing.T, text string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		out[e.Name.Local] = true
		for _, a := range e.Attr {
			out[e.Name.Local+" "+a.Name.Local] = true
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" || a.Name.Local == "src" {
				t.Errorf("%s has %s", e.Name.Local, a.Name.Local)
			}
			if a.Name.Local == "href" && !regexp.MustCompile(`^#f\d+$`).MatchString(a.Value) {
				t.Errorf("%s leads to %q", e.Name.Local, a.Value)
			}
		}
	}
}

// TestNothingSealedIsPrinted: what is redacted in other formats is so here, also where a drawing breaks its lines.
func TestNothingSealedIsPrinted(t *testing.T) {
	sealed := "sealed:" + strings.Repeat("5a", 32)
	got := page(t, everything("x "+sealed+" https://me:secret-of-mine@git.example.com/x", true))
	for _, leaked := range []string{"5a5a", "secret", "of-mine"} {
		if strings.Contains(got, leaked) {
			t.Errorf("%q is printed", leaked)
		}
	}
}

// TestRemediesAreShown: in their order, those that do harm by ordinary steps and those that do not apply behind the others; a
// text of each field is there.
func TestRemediesAreShown(t *testing.T) {
	var r diag.Remedy
	fill(reflect.ValueOf(&r).Elem(), "x")
	list := remedies(r, "x")
	for i := range list {
		n := 0
		number(reflect.ValueOf(&list[i]).Elem(), string(rune('a'+i)), &n)
	}
	list[1].Verdict, list[0].Verdict, list[2].What = "race", "fragile", "what the third is"
	got := page(t, diag.Report{Findings: []diag.Finding{{ID: "aaaaaaaa", Verdict: "race", Title: "A b/c", Remedies: list}}})
	last := 0
	for _, text := range []string{"What could be done", list[0].Name, "fragile</span>", list[0].What, list[1].Name + " (race)", list[1].What, "What does not apply", list[2].Name, list[2].Refused} {
		at := strings.Index(got[last:], text)
		if at < 0 {
			t.Fatalf("%q is not there, or too early:\n%s", text, got)
		}
		last += at
	}
	first := list[0]
	for _, text := range []string{
		first.Reason, first.WorstCase, first.Left[2].Needs[0], first.Left[2].Harm, first.LeftWorst[0].Needs[0], first.Costs[0].Text, first.Costs[1].Text, first.Costs[2].Text,
		first.Costs[3].Text, first.Costs[4].Text, first.Others[0].Consumer, first.Others[0].Verdict, first.Others[1].Today, first.Migration.Of.Short, first.Migration.Steps[0].Name,
		first.Migration.Steps[1].What[1], first.Migration.Steps[1].When, "2 safe", "ordinary steps alone",
	} {
		if !strings.Contains(got, text) {
			t.Errorf("%q is not there", text)
		}
	}
}

// number makes each text another one, but for those that name a kind.
func number(v reflect.Value, prefix string, n *int) {
	switch v.Kind() {
	case reflect.String:
		*n++
		v.SetString(fmt.Sprintf("%s%03d", prefix, *n))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "Kind" && v.Field(i).String() != "" {
				number(v.Field(i), prefix, n)
			}
		}
	case reflect.Pointer:
		number(v.Elem(), prefix, n)
	case reflect.Slice:
		v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v)) // of its own
		for i := range v.Len() {
			number(v.Index(i), prefix, n)
		}
	}
}

func TestDeterministic(t *testing.T) {
	r := incident(t)
	before, _ := json.Marshal(r)
	first := page(t, r)
	for range 5 {
		if page(t, r) != first {
			t.Fatal("not the same twice")
		}
	}
	if after, _ := json.Marshal(r); !bytes.Equal(before, after) {
		t.Error("printing changes the report")
	}
}

// TestLittleToSay prints findings of which next to nothing is known: no heading without a text, and no drawing of nothing.
func TestLittleToSay(t *testing.T) {
	r := diag.Report{Findings: []diag.Finding{
		{ID: "aaaaaaaa", Rule: "shared-object", Verdict: "standing", Title: "ConfigMap api/env", Message: "two units render it"},
		{ID: "bbbbbbbb", Rule: "split-pair", Verdict: "undecided", Title: "A b/c", Reason: "the search ended at a bound"},
		{ID: "cccccccc", Rule: "split-pair", Verdict: "race", Title: "A b/c", Routes: &diag.Routes{Ways: []diag.Route{{End: "consumer", Object: "A b/c"}}}},
		{ID: "cccccccc", Rule: "split-pair", Verdict: "race", Title: "A b/e", Remedies: []diag.Remedy{{Name: "in-image", What: "images bring it", Rank: 1, Verdict: "safe"}}},
		{ID: "dddddddd", Rule: "split-pair", Verdict: "safe", Title: "A b/d", Proof: &diag.Proof{States: 1}},
	}}
	got := page(t, r)
	elements(t, got)
	for _, heading := range []string{"How it", "How often", "Whose files", "Why it is", "Calls that", "The release", "Places", "What looks", "Releases of", "What does not", "Costs", "Other readers", "To be minded", "As steps", "Why it stands", "The first"} {
		if strings.Contains(got, heading) {
			t.Errorf("%q stands over nothing", heading)
		}
	}
	if n := strings.Count(got, "What could be done"); n != 1 {
		t.Errorf("remedies are headed %d times, want once: where there are any", n)
	}
	if n := strings.Count(got, "<svg"); n != 2 {
		t.Errorf("%d drawings, want the route of one finding, wide and narrow", n)
	}
	if got := page(t, diag.Report{}); !strings.Contains(got, "0 findings") {
		t.Errorf("without findings:\n%s", got)
	}
}
