package proof_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/proof"
)

// rests is a fact and a case that rests on it: without the fact the case is judged otherwise.
type rests struct {
	fact delivery.Fact
	on   string          // the case's name, or how it begins
	off  []delivery.Fact // also switched off, before and after: without them another fact opens the same
}

// resting has every fact with a switch.
var resting = []rests{
	{delivery.A12, "a hook whose kind comes late", nil},
	{delivery.A13, "11 with a ConfigMap whose name comes last", nil},
	{delivery.A14, "two custom resources", nil},
	{delivery.A16, "13 one unit", nil},
	{delivery.A17, "a route stops naming a backend", nil},
	{delivery.A19, "11 one unit", nil},
	{delivery.A110, "13 one unit", nil},
	{delivery.A114, "an object replaces one", nil},
	{delivery.A21, "a canary that hangs, and", nil},
	{delivery.A22, "14 one unit", nil},
	{delivery.A24, "14 one unit", nil},
	{delivery.A25, "14 one unit", nil},
	{delivery.A34, "barrier on 1", nil},
	{delivery.A41, "both go, the reader's wave", nil},
	{delivery.A43, "14 one unit", nil},
	{delivery.A44, "C3.4", nil},
	{delivery.A46, "C3.3 Prune=false", nil},
	{delivery.A47, "C3.3 beside", nil},
	{delivery.A51, "the ConfigMap moves and is all there was", nil},
	{delivery.A53, "11 without retries", nil},
	{delivery.A54, "11 one unit", nil},
	{delivery.A56, "14 one unit", nil},
	{delivery.A61, "14 of a RollingSync", nil},
	{delivery.A611, "14 one unit", nil},
	{delivery.A613, "14 in three waves", nil},
	{delivery.B1, "RollingSync", nil},
	{delivery.B8, "the ConfigMap in one commit, the image in the next", nil},
	{delivery.B91, "waves on Applications without", []delivery.Fact{delivery.B93}},
	{delivery.B93, "waves on Applications with the usual health", nil},
	{delivery.B102, "RollingSync with a second commit", []delivery.Fact{delivery.B1}}, // which lets the later step see it first [B10.5]
	{delivery.B104, "RollingSync", []delivery.Fact{delivery.B1}},
	{delivery.B112, "1 with an orchestrator", nil},
	{delivery.B114, "the descriptor first, and the image once it has arrived", nil},
	{delivery.C14, "C3.2 prune on", nil},
	{delivery.C21, "C3.2 prune on", nil},
	{delivery.C22, "C3.6", nil},
	{delivery.D11, "14 one unit", nil},
	{delivery.D12, "a ConfigMap in a later wave", nil},
	{delivery.D14, "9 the partner of 2", nil},
	{delivery.D22, "2 a response field", nil},
	{delivery.D23, "2 with traffic routing and dynamicStableScale", nil},
	{delivery.D25, "2 a response field", nil},
	{delivery.D26, "2 a response field", nil},
	{delivery.D28, "a canary that hangs is given up", nil},
	{delivery.D29, "a canary that hangs in front", nil},
	{delivery.D211, "2 a response field", nil},
	{delivery.D31, "2 a response field", nil},
	{delivery.D41, "a new key", nil},
	{delivery.D42, "14 one unit", nil},
	{delivery.D45, "11 with an immutable", nil},
	{delivery.D46, "2 read by a process", nil},
	{delivery.D47, "1 a method added", nil},
	{delivery.D56, "1 with a reloader", nil},
	{delivery.E22, "2 a response field", nil},
	{delivery.E24, "16 a service added", nil},
	{delivery.E34, "16 a service added", nil},
	{delivery.E35, "16 a service added", nil},
	{delivery.D24, "1 of a blue-green rollout", nil},
}

// switchless are facts that the model cites and that have no switch, with the reason.
var switchless = map[string]string{
	"A1.1":  "the sum of A1.2, A1.3, A1.4 and A1.6",
	"A1.8":  "that nothing is waited for: there is no step to take away",
	"A2.3":  "that some kinds have no health: there is no wait to take away",
	"A3.2":  "lets an unchanged hook be refused, which is A1.10",
	"A6.9":  "a unit has room for one operation: a state of two cannot be written down",
	"D1.3":  "a pod that was pending when its template was replaced starts late: it does what one made late from the old template would",
	"B10.5": "follows from B1 and B10.4",
	"C3.4":  "follows from A4.4",
	"D2.7":  "the step of D2.11",
	"D4.3":  "what a container that restarts binds anew is what a pod that is made again reads: the reload opens what a churn opens",
	"E2.3":  "the step of E2.2, at a time that nobody chose",
	"E5.2":  "that pods of all templates are told is E2.4",
}

// every case of this package, by name.
func everyCase() []row { return slices.Concat(sixteen, named, further, moves, means) }

func caseOf(t *testing.T, name string) *delivery.Case {
	t.Helper()
	for _, r := range everyCase() {
		if r.name == name || strings.HasPrefix(r.name, name) {
			return r.c
		}
	}
	t.Fatalf("there is no case %q", name)
	return nil
}

// A fact that changes no judgement is idle: either the model does not rest on it, or a case is missing.
func TestEveryFactMatters(t *testing.T) {
	for _, r := range resting {
		c := caseOf(t, r.on).Without(r.off...)
		with, without := judge(t, c), judge(t, c.Without(r.fact))
		if told(with) == told(without) {
			t.Errorf("without %s %q is judged as with it: %s", r.fact, r.on, told(with))
		}
	}
	for _, f := range delivery.Facts() {
		if !slices.ContainsFunc(resting, func(r rests) bool { return r.fact == f }) {
			t.Errorf("no case rests on %s", f)
		}
	}
}

// told is a judgement, and where the harm is in its runs.
func told(j proof.Judgement) string {
	var harmed []int
	for _, o := range j.Openings {
		harmed = append(harmed, o.Harmed)
	}
	return fmt.Sprint(j.Verdict, lines(j.Openings, 2), lines(j.ProviderFirst, 2), lines(j.ConsumerFirst, 2), j.Unavoidable, harmed)
}

// Every fact that the model cites has a switch, or a reason why it has none.
func TestEveryCitedFactHasASwitch(t *testing.T) {
	cited := regexp.MustCompile(`\[([A-F][0-9]+(?:\.[0-9]+)?(?:, [A-F][0-9]+(?:\.[0-9]+)?)*)\]`)
	var switched []string
	for _, f := range delivery.Facts() {
		switched = append(switched, f.String())
	}
	files, err := os.ReadDir("../delivery")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile("../delivery/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range cited.FindAllStringSubmatch(string(text), -1) {
			for id := range strings.SplitSeq(m[1], ", ") {
				seen[id] = true
				if _, reason := switchless[id]; !reason && !slices.Contains(switched, id) {
					t.Errorf("%s: %s has neither a switch nor a reason to have none", file.Name(), id)
				}
			}
		}
	}
	for _, id := range switched {
		if !seen[id] {
			t.Errorf("%s has a switch, and no step cites it", id)
		}
	}
	for id := range switchless {
		if !seen[id] {
			t.Errorf("%s is not cited", id)
		}
	}
}
