package remedies_test

import (
	"reflect"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/report/remedies"
)

func opens(persistence, visibility string, needs ...string) diag.Opening {
	return diag.Opening{Needs: needs, Harm: "skew", Persistence: persistence, Visibility: visibility}
}

// TestBrief has what is said of what is left where there is room for a line, beside what a table says.
func TestBrief(t *testing.T) {
	abort := remedies.Set{Name: "{abort}", What: "the canary is aborted"}
	reload := remedies.Set{Name: "{reload}", What: "a proxy restarts, or rebuilds its listener"}
	ordinary := remedies.Set{Name: "ordinary steps", What: "ordinary steps alone"}
	for _, tc := range []struct {
		name        string
		left, worst []diag.Opening
		want        remedies.Brief
		table       string
	}{
		{"nothing", nil, nil, remedies.Brief{Before: "nothing is left"}, "nothing is left"},
		{
			"two grades", []diag.Opening{opens("sticky", "silent", "abort"), opens("transient", "silent", "abort"), opens("transient", "visible", "reload"), opens("sticky", "silent", "abort", "undo")}, nil,
			remedies.Brief{Grade: remedies.Grade{Harm: "sticky, silent", Sets: []remedies.Set{abort}}, More: 1}, "{abort} sticky, silent; {reload} transient, visible",
		},
		{
			"ordinary steps", []diag.Opening{opens("sticky", "silent"), opens("sticky", "silent", "reload")}, nil,
			remedies.Brief{Grade: remedies.Grade{Harm: "sticky, silent", Sets: []remedies.Set{ordinary, reload}}}, "ordinary steps {reload} sticky, silent",
		},
		{
			"two steps only", []diag.Opening{opens("sticky", "silent", "abort", "undo")}, []diag.Opening{opens("sticky", "silent", "reload")},
			remedies.Brief{Before: "1 set of two unusual steps or more"}, "1 set of two unusual steps or more; in the worst case also {reload} sticky, silent",
		},
		{
			"the worst case only", nil, []diag.Opening{opens("sticky", "silent", "reload")},
			remedies.Brief{Before: "in the worst case", Grade: remedies.Grade{Harm: "sticky, silent", Sets: []remedies.Set{reload}}}, "in the worst case also {reload} sticky, silent",
		},
		{
			"two steps in the worst case only", nil, []diag.Opening{opens("sticky", "silent", "reload", "undo")},
			remedies.Brief{Before: "in the worst case 1 set of two unusual steps or more"}, "in the worst case also 1 set of two unusual steps or more",
		},
		{
			"the same in both", []diag.Opening{opens("sticky", "silent", "reload")}, []diag.Opening{opens("sticky", "silent", "reload")},
			remedies.Brief{Grade: remedies.Grade{Harm: "sticky, silent", Sets: []remedies.Set{reload}}}, "{reload} sticky, silent",
		},
	} {
		r := diag.Remedy{Name: "x", Rank: 1, Verdict: "fragile", Left: tc.left, LeftWorst: tc.worst}
		if got := remedies.Say([]diag.Remedy{r}).Help[0].Brief; !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
		if got := remedies.Left(r); got != tc.table {
			t.Errorf("%s: in a table %q, want %q", tc.name, got, tc.table)
		}
	}
}

// TestPrice: what is met at every release is told before what is done once, and what goes on as it is costs nothing.
func TestPrice(t *testing.T) {
	all := map[string]diag.Cost{}
	for _, kind := range []string{diag.CostFiles, diag.CostFlow, diag.CostKept, diag.CostParts, diag.CostAutomation, diag.CostPremise} {
		all[kind] = diag.Cost{Kind: kind, Text: "the " + kind}
	}
	for _, tc := range []struct {
		kinds []string
		text  string
		more  int
	}{
		{nil, "", 0},
		{[]string{diag.CostKept}, "", 0},
		{[]string{diag.CostFiles, diag.CostKept}, "the files", 0},
		{[]string{diag.CostFiles, diag.CostFlow, diag.CostPremise}, "the flow", 2},
		{[]string{diag.CostFiles, diag.CostKept, diag.CostAutomation, diag.CostParts}, "the parts", 2},
		{[]string{diag.CostFiles, diag.CostAutomation}, "the automation", 1},
		{[]string{diag.CostPremise}, "the premise", 0},
	} {
		var r diag.Remedy
		for _, kind := range tc.kinds {
			r.Costs = append(r.Costs, all[kind])
		}
		if text, more := remedies.Price(r); text != tc.text || more != tc.more {
			t.Errorf("%v: %q and %d more, want %q and %d", tc.kinds, text, more, tc.text, tc.more)
		}
	}
}

// TestSay has the order and the groups of a page: what helps, what does not, what does not apply; and what becomes of others.
func TestSay(t *testing.T) {
	other := func(verdict string) []diag.OtherReader {
		return []diag.OtherReader{{Consumer: "Deployment n/b", Today: "broken", Verdict: verdict}}
	}
	list := []diag.Remedy{
		{Name: "in-image", Rank: 1, Verdict: "safe", Reason: "before own-wave: less is left", Others: other("safe"), Breaking: 1, Releases: 3, By: map[string]int{"safe": 2, "fragile": 1}},
		{Name: "own-wave", Rank: 2, Verdict: "undecided", Others: other("broken")},
		{Name: "app-waves", Rank: 3, Verdict: "race", Others: other("broken")},
		{Name: "checksum", Refused: "two units render the two"},
	}
	s := remedies.Say(list)
	if s.First != "in-image" || s.Reason != "before own-wave: less is left" || len(s.Help) != 2 || len(s.Rest) != 1 || len(s.Refused) != 1 {
		t.Errorf("%+v", s)
	}
	if want := "one of them does not keep the two in step: app-waves (race)"; s.Failed != want {
		t.Errorf("%q, want %q", s.Failed, want)
	}
	if want := []remedies.Count{{"fragile", 1}, {"safe", 2}}; !reflect.DeepEqual(s.Help[0].Counts, want) {
		t.Errorf("%v, want %v", s.Help[0].Counts, want)
	}
	if want := []string{"in 1 of 3 releases old calls break when all has arrived, which no order helps"}; !reflect.DeepEqual(s.Help[0].Always, want) {
		t.Errorf("%q, want %q", s.Help[0].Always, want)
	}
	if want := []string{"Deployment n/b reads it as well, and is broken today: safe with in-image, broken with every other remedy"}; !reflect.DeepEqual(s.Readers, want) {
		t.Errorf("%q, want %q", s.Readers, want)
	}
	if got, want := remedies.Say(list[1:3]).Readers, []string{"Deployment n/b reads it as well, and is broken today: broken with every remedy"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	list[1].Breaking, list[1].Releases, list[2].Breaking, list[2].Releases = 1, 3, 1, 3
	if s := remedies.Say(list); len(s.Always) != 1 || s.Help[0].Always != nil || s.Rest[0].Always != nil {
		t.Errorf("what holds with all is told once: %q, %q, %q", s.Always, s.Help[0].Always, s.Rest[0].Always)
	}
	if got := remedies.Say(nil); !reflect.DeepEqual(got, remedies.Said{}) {
		t.Errorf("of nothing: %+v", got)
	}
}
