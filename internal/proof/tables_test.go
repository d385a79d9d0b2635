package proof_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/proof"
)

// claim is what a row of docs/semantics.md H says of a case, typed by hand from the row.
type claim struct {
	row     string
	c       *delivery.Case
	verdict proof.Verdict
	first   bool     // it speaks of the runs with the provider first
	opens   []string // openings of at most one unusual step that there are
	never   []string // and that there are not: words in their lines
}

var claims = []claim{
	{"H1.1", split(changesType), proof.Race, true, []string{"{churn} skew transient silent", "{reload} skew transient silent"}, []string{"{} "}},
	{"H1.2", split(addsMethod), proof.Race, true, []string{"{stale-kubelet} skew sticky silent"}, []string{"{} "}},
	{"H1.3", split(changesType), proof.Race, true, []string{"{abort} skew sticky visible", "{undo} skew transient visible"}, []string{"{} "}},
	{"H1.4", together(addsMethod), proof.Fragile, false, []string{"{refused} skew sticky silent"}, nil},
	{"H1.5", unchanged(split(addsMethod), rollout), proof.Safe, false, nil, []string{"{"}},
	{"H1.5", inFlight(), proof.Race, false, []string{"{} skew sticky silent"}, nil},
	{"H1.6", split(addsMethod), proof.Race, true, nil, []string{"{} ", "churn", "reload", "abort", "undo"}},

	{"H2.1", together(addsMethod), proof.Fragile, false, []string{"{refused} skew sticky silent"}, nil},
	{"H2.1", inWaves(addsMethod), proof.Fragile, false, nil, []string{"refused"}},
	{"H2.2", together(addsMethod), proof.Fragile, false, []string{"{stale-kubelet} skew sticky silent"}, nil},
	{"H2.2", contentNamed(), proof.Fragile, false, nil, []string{"stale-kubelet"}},
	{"H2.3", together(changesType), proof.Fragile, false, []string{"{churn} skew transient visible"}, nil},
	{"H2.3", contentNamed(), proof.Fragile, false, nil, []string{"churn"}},
	{"H2.4", together(changesType), proof.Fragile, false, []string{"{abort} skew sticky visible", "{undo} skew transient visible"}, nil},
	{"H2.4", contentNamed(), proof.Fragile, false, nil, []string{"skew", "abort"}},
	{"H2.4", inImage(), proof.Safe, false, nil, []string{"{"}},
	{"H2.5", together(changesType), proof.Fragile, false, []string{"{reload} skew transient visible"}, nil},
	{"H2.5", contentNamed(), proof.Fragile, false, nil, []string{"reload"}},
	{"H2.6", with(contentNamed(), prunedFirst), proof.Race, false, []string{"{} absent transient visible"}, nil},
	{"H2.6", contentNamed(), proof.Fragile, false, nil, []string{"{} "}},
	{"H2.7", contentNamed(), proof.Fragile, false, []string{"{undo} blocked transient visible"}, nil},
	{"H2.7", with(contentNamed(), unhealedOne), proof.Fragile, false, []string{"{undo} blocked sticky visible"}, nil},
	{"H2.7", with(contentNamed(), kept), proof.Fragile, false, []string{"{refused} blocked sticky visible"}, []string{"undo", "absent"}},
	{"H2.8", together(addsMethod), proof.Fragile, false, []string{"{manual} skew sticky silent"}, nil},
	{"H2.8", contentNamed(), proof.Fragile, false, nil, []string{"skew"}},
	{"H2.9", carried(1), proof.Race, false, []string{"{} skew transient silent"}, nil},
	{"H2.9", carried(3), proof.Race, false, []string{"{} skew transient silent"}, nil},
	{"H2.12", moved(true), proof.Race, false, []string{"{} skew sticky silent"}, nil},
	{"H2.13", contentNamed(), proof.Fragile, false, nil, []string{"churn"}},
	{"H2.14", together(changesType), proof.Fragile, false, nil, []string{"{} "}},

	{"H3.1", barrier(changesType), proof.Fragile, false, []string{
		"{manual} skew sticky silent", "{stale-kubelet} skew sticky silent", "{churn} skew transient silent",
		"{reload} skew transient silent", "{abort} skew sticky visible", "{undo} skew transient visible",
	}, []string{"{} "}},
	{"H3.1", rollingSync(), proof.Race, false, []string{"{} skew sticky silent"}, nil},
	{"H3.1", appOfApps(true), proof.Race, false, []string{"{} skew sticky silent"}, nil},
	{"H3.2", together(changesType), proof.Fragile, false, []string{
		"{refused} skew sticky silent", "{stale-kubelet} skew sticky silent", "{churn} skew transient visible",
		"{abort} skew sticky visible", "{undo} skew transient visible", "{reload} skew transient visible",
	}, []string{"{} "}},
	{"H3.3", inWaves(changesType), proof.Fragile, false, []string{
		"{stale-kubelet} skew sticky silent", "{churn} skew transient visible",
		"{abort} skew sticky visible", "{undo} skew transient visible", "{reload} skew transient visible",
	}, []string{"{} "}},
	{"H3.5", contentNamed(), proof.Fragile, false, nil, []string{"skew", "stale-kubelet"}},
	{"H3.6", elsewhere(), proof.Race, false, []string{
		"{} absent transient silent", "{} blocked transient visible", "{refused} absent sticky visible", "{refused} blocked sticky visible",
		"{stuck} absent sticky visible", "{stuck} blocked sticky visible", "{abort} absent sticky visible", "{abort} blocked sticky visible",
	}, []string{"skew"}},
	{"H3.7", inImage(), proof.Safe, false, nil, []string{"{"}},
	{"H3.8", carried(3), proof.Race, false, []string{
		"{} skew transient silent", "{abort} skew sticky visible", "{refused} skew sticky visible",
	}, nil},
	{"H3.9", inImage(), proof.Safe, false, nil, []string{"{"}},
	{"H3.11", split(fits), proof.Safe, false, nil, []string{"{"}},
}

// beyond are the rows that no case can show, with the reason.
var beyond = map[string]string{
	"C3.8":  "the annotation that a comparison overwrites: the model has one tracking id an object, and it is what was last applied",
	"H2.11": "callers are no actors: what they meet is the match's answer",
	"H3.4":  "a template that changes with its ConfigMap is the release of H3.2: there is no checksum to see",
	"H3.10": "options of the transcoder change what a mismatch looks like, not where it is: the match's answer",
}

// shown are the rows that runs show, in tests of their own.
var shown = map[string]string{"C3.1": "TestTheNewOwnerFirst", "H2.10": "TestAPausedCanaryKeepsCommitsOut"}

func inWaves(change func(int, delivery.Content) delivery.Outcome) *delivery.Case {
	return with(together(change), func(c *delivery.Case) { c.Objects[configMap].Place.Wave = -1 })
}

func prunedFirst(c *delivery.Case) { c.Objects[1].PruneLast, c.Objects[2].PruneLast = false, false }
func kept(c *delivery.Case)        { c.Objects[1].NoPrune, c.Objects[2].NoPrune = true, true }
func unhealedOne(c *delivery.Case) { c.Units[api].SelfHeal = false }

// elsewhere is a content-named ConfigMap from another unit than its reader's.
func elsewhere() *delivery.Case {
	c := contentNamed()
	c.Units = append(c.Units, automated)
	c.Objects[rollout].Render = []contents{{1, 2}, nil}
	c.Objects[1].Render = []contents{nil, {1, 0}}
	c.Objects[2].Render = []contents{nil, {0, 1}}
	return c
}

// carried is one unit whose EnvoyFilter carries the dictionary, before the workload (name 1) or behind it (name 3).
func carried(name uint16) *delivery.Case {
	c := together(changesType)
	c.Objects[1] = object(delivery.Filter, delivery.Place{Rank: 40, Name: name, Kind: 3}, contents{1, 2})
	for t := range c.Workloads[0].Templates {
		c.Workloads[0].Templates[t].Reads = nil
	}
	c.Pair.Filter, c.Pair.Inline, c.Pair.Mounted = 1, true, false
	return c
}

func TestWhatPeopleSay(t *testing.T) {
	for _, r := range claims {
		t.Run(r.row, func(t *testing.T) {
			j := judge(t, r.c)
			if j.Verdict != r.verdict {
				t.Errorf("verdict %s, want %s", j.Verdict, r.verdict)
			}
			have := lines(j.Openings, 1)
			if r.first {
				have = lines(j.ProviderFirst, 1)
			}
			for _, want := range r.opens {
				if !slices.Contains(have, want) {
					t.Errorf("%s is missing in %v", want, have)
				}
			}
			for _, words := range r.never {
				if i := slices.IndexFunc(have, func(s string) bool { return strings.Contains(s, words) }); i >= 0 {
					t.Errorf("there is %s", have[i])
				}
			}
		})
	}
}

// Inline bytes turn all pods at once: no order of ordinary steps avoids that [H3.8].
func TestInlineBytesAreUnavoidable(t *testing.T) {
	for _, name := range []uint16{1, 3} {
		if !judge(t, carried(name)).Unavoidable {
			t.Errorf("a filter of name %d can be applied without harm", name)
		}
	}
}

// Every row of the tables of docs/semantics.md is a case, or says why it is none.
func TestEveryRowIsHeld(t *testing.T) {
	text, err := os.ReadFile("../../docs/semantics.md")
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	for _, m := range moves {
		held[strings.Fields(m.name)[0]] = true
	}
	for _, r := range claims {
		held[r.row] = true
	}
	for _, m := range regexp.MustCompile(`(?m)^\| ((?:C3|H[123])\.[0-9]+) \|`).FindAllStringSubmatch(string(text), -1) {
		id, in := m[1], 0
		for _, is := range []bool{held[id], beyond[id] != "", shown[id] != ""} {
			if is {
				in++
			}
		}
		if in != 1 {
			t.Errorf("%s is in %d of the three lists", id, in)
		}
	}
}
