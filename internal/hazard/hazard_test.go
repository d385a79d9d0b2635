package hazard_test

import (
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/hazard"
)

func valid() hazard.Rule {
	doc := "# split-pair\n"
	for _, h := range hazard.Headings {
		doc += "\n## " + h + "\ntext\n"
	}
	return hazard.Rule{ID: "split-pair", Title: "t", Doc: doc, Since: "0.1", Run: func(*hazard.Pass) {}}
}

func TestValidate(t *testing.T) {
	if err := hazard.Validate([]hazard.Rule{valid()}); err != nil {
		t.Errorf("a valid rule is refused: %v", err)
	}
	for want, breakIt := range map[string]func(*hazard.Rule){
		`rule "Split": an ID is lower-case words joined by dashes`:                                func(r *hazard.Rule) { r.ID = "Split" },
		`rule split-pair: title, since and run are needed`:                                        func(r *hazard.Rule) { r.Run = nil },
		`rule split-pair: its README does not begin with its ID as a title`:                       func(r *hazard.Rule) { r.Doc = "x" + r.Doc },
		`rule split-pair: its README lacks the heading "Sources", or has it out of order`:         func(r *hazard.Rule) { r.Doc = strings.Replace(r.Doc, "## Sources", "## Other", 1) },
		`rule split-pair: its README lacks the heading "When it is safe", or has it out of order`: func(r *hazard.Rule) { r.Doc = swap(r.Doc, "What can go wrong", "When it is safe") },
	} {
		r := valid()
		breakIt(&r)
		if err := hazard.Validate([]hazard.Rule{r}); err == nil || err.Error() != want {
			t.Errorf("error = %v\nwant    %s", err, want)
		}
	}
	if err := hazard.Validate([]hazard.Rule{valid(), valid()}); err == nil || err.Error() != "rule split-pair is listed twice" {
		t.Errorf("a rule that is listed twice: %v", err)
	}
}

func swap(s, a, b string) string {
	return strings.NewReplacer(a, b, b, a).Replace(s)
}

func TestRunNamesTheRule(t *testing.T) {
	r := valid()
	r.Run = func(p *hazard.Pass) { p.Report(hazard.Candidate{Rule: "another", Summary: "s"}) }
	got := hazard.Run([]hazard.Rule{r}, nil)
	if len(got) != 1 || got[0].Rule != "split-pair" || got[0].Summary != "s" {
		t.Errorf("candidates = %+v", got)
	}
}
