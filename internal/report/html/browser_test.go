package html_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
)

// TestInABrowser looks at pages on screens of all sizes, in both schemes and on paper.
func TestInABrowser(t *testing.T) {
	b := start(t)
	look, err := os.ReadFile("testdata/look.js")
	if err != nil {
		t.Fatal(err)
	}
	many := incident(t)
	many.Findings = append(many.Findings, many.Findings[0], many.Findings[0])
	many.Findings[1].Verdict, many.Findings[2].Verdict = "undecided", "safe"
	long := everything("an/unusually-long.name_of"+strings.Repeat("-something", 12)+" and words behind it", true)
	for _, tc := range []struct {
		name  string
		r     diag.Report
		usual bool // its names are as long as names are
	}{
		{"incident", incident(t), true},
		{"many", many, true},
		{"nothing", diag.Report{}, true},
		{"long names", long, false},
		{"hostile", everything(hostile, true), false},
		{"wide letters", everything("\u4fee\u6b63 WWWWWWWWWWWWWWWW \u0e01\u0e33 mmmmmmmmmmmmmmmmmmmm", false), false},
	} {
		file := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(file, []byte(page(t, tc.r)), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, s := range []screen{{1280, "light", false}, {1280, "dark", false}, {900, "light", false}, {620, "dark", false}, {390, "light", false}, {390, "dark", false}, {320, "dark", false}, {760, "light", true}} {
			t.Run(tc.name+" "+s.String(), func(t *testing.T) {
				b.open(t, file, s)
				var wrong []string
				b.evaluate(t, fmt.Sprintf("%s(%v)", look, tc.usual), &wrong)
				for _, text := range append(wrong, b.complaints(file)...) {
					t.Error(text)
				}
			})
		}
	}
}

// TestTheBrowserSees has mistakes that the look at a page must not miss.
func TestTheBrowserSees(t *testing.T) {
	b := start(t)
	look, err := os.ReadFile("testdata/look.js")
	if err != nil {
		t.Fatal(err)
	}
	good := page(t, incident(t))
	for _, tc := range []struct{ name, from, to, sees string }{
		{"a script", "</main>", "<script>1</script></main>", "reaches out or runs"},
		{"another style", "</main>", `<p style="color: red">x</p></main>`, "Log.entryAdded"},
		{"a picture", "</main>", `<img src="https://pictures.example.com/x.png"/></main>`, "reaches out"},
		{"a long line", "</main>", `<pre class="dim">` + strings.Repeat("x", 400) + `</pre></main>`, "the page is"},
		{"a text over another", `text-anchor="middle">1</text>`, `text-anchor="middle">1</text><text x="440" y="60">syncs e9b8718 and more</text>`, "lie on each other"},
		{"a text out of its box", ">app/config/files/api.pb</text>", ">app/config/files/of/which/one/is/named/api.pb</text>", "leaves its box"},
		{"a heading too deep", "<h2>", "<h4>x</h4><h2>", "skipped"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bad := strings.Replace(good, tc.from, tc.to, 1)
			if bad == good {
				t.Fatalf("%q is not in the page", tc.from)
			}
			file := filepath.Join(t.TempDir(), "page.html")
			if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
				t.Fatal(err)
			}
			b.open(t, file, screen{1280, "light", false})
			var wrong []string
			b.evaluate(t, string(look)+"(true)", &wrong)
			if all := strings.Join(append(wrong, b.complaints(file)...), "\n"); !strings.Contains(all, tc.sees) {
				t.Errorf("seen is only: %s", all)
			}
		})
	}
}
