package explore_test

import (
	"testing"

	"github.com/syncproof/syncproof/internal/explore"
)

type question struct {
	name  string
	model string
	query explore.Query
	want  string
}

func ask(t *testing.T, tests []question) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse(t, tt.model)
			g := explore.Search(t.Context(), m, explore.Bounds{Cost: 2})
			if !g.Complete {
				t.Fatalf("incomplete: %s", g.Bound)
			}
			if got := m.write(g.Ask(tt.query)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func only(actor byte) func(explore.Step) bool {
	return func(s explore.Step) bool { return s.Actor == actor }
}

func nothing(explore.Step) bool { return false }

func TestEver(t *testing.T) {
	ever := func(bit uint64) explore.Query { return explore.Query{Mask: bit, Want: bit} }
	ask(t, []question{
		{"at once", "start a\na: h", ever(harm), "0: "},
		{"nowhere", "start a\na>b x\nc>d x\nd: h", ever(harm), "no"},
		{"no initial state", "a>b x\nb: h", ever(harm), "no"},
		{"the fewest steps", "start a\na>b x\nb>c x\na>c y\nc: h", ever(harm), "0: a>c y"},
		{"the nearest of two", "start a\na>b x\nb>c x\nc>d x\nd: h\na>e y\ne>f y\nf: h", ever(harm), "0: a>e y, e>f y"},
		{"two at one place, the one found first", "start a\na>b x\na>c y\nb: h\nc: h", ever(harm), "0: a>b x"},
		{"the nearest start", "start a\nstart b\na>c x\nc>d x\nb>d y\nd: h", ever(harm), "0: b>d y"},
		{"cost before depth", "start a\na>b x!\na>c y\nc>d y\nd>b y\nb: h", ever(harm), "0: a>c y, c>d y, d>b y"},
		{"depth within a cost", "start a\na>b x!!\na>c x!\nc>b x!\nb: h", ever(harm), "2: a>b x!!"},
		{"a long cheap way to the unusual step", "start a\na>b x!!\na>c y\nc>d y\nd>e y\ne>b x!\nb: h", ever(harm),
			"1: a>c y, c>d y, d>e y, e>b x!"},
		{"ordinary steps after an unusual one", "start a\na>b x!\nb>c y\nc>d y\na>e z\ne>d x!\nd: h", ever(harm), "1: a>e z, e>d x!"},
		{"reached at cost 2 early and at cost 1 late", "start a\na>b x!!\nb>c x\na>d y\nd>e y\ne>b x!\nc: h", ever(harm),
			"1: a>d y, d>e y, e>b x!, b>c x"},
		{"dearer than asked for", "start a\na>b x!\nb>c x!!\nc: h", ever(harm), "no"},
		{"a step that changes nothing", "start a\na>a x\na>b x\nb: h", ever(harm), "0: a>b x"},
		{"parallel steps, the cheap one", "start a\na>b x!\na>b y\nb: h", ever(harm), "0: a>b y"},
		{"bits under the mask alone", "start a\na: s\na>b x\nb: h s\nb>c x\nc: h d",
			explore.Query{Mask: harm | silent, Want: harm}, "0: a>b x, b>c x"},
		{"a bit that must be off", "start a\na: h\na>b x", explore.Query{Mask: harm, Want: 0}, "0: a>b x"},
	})
}

func TestAvoid(t *testing.T) {
	q := explore.Query{Mask: done, Want: done, Avoid: harm}
	const around = "start a\na>b x\nb>d x\nb: h\na>c y\nc>e y\ne>d y\nd: d\n"
	ask(t, []question{
		{"a way around", around, q, "0: a>c y, c>e y, e>d y"},
		{"none needed", around, explore.Query{Mask: done, Want: done, Avoid: silent}, "0: a>b x, b>d x"},
		{"at the start", "start a\na: h\na>b x\nb: d", q, "no"},
		{"at one of two starts", "start a\nstart b\na: h\na>c x\nb>d x\nd>c x\nc: d", q, "0: b>d x, d>c x"},
		{"at the end", "start a\na>b x\nb: d h", q, "no"},
		{"a way around that costs", "start a\na>b x\nb>d x\nb: h\na>c y!\nc>d y\nd: d", q, "1: a>c y!, c>d y"},
		{"on the only way", "start a\na>b x\nb>c x\nb: h\nc: d", q, "no"},
		{"the rest of a way at a higher cost", "start a\na>b x\nb>c x\nb: h\na>c y!\nc>d z!\nd: d", q, "2: a>c y!, c>d z!"},
		{"the rest of a way beyond the bound", "start a\na>b x\nb>c x\nb: h\na>c y!!\nc>d z!\nd: d", q, "no"},
	})
}

func TestAllow(t *testing.T) {
	const two = "start a\na>b x!\nb>d x\na>c y!\nc>e y\ne>d y\nd: h\n"
	harmed := func(allow func(explore.Step) bool) explore.Query {
		return explore.Query{Mask: harm, Want: harm, Allow: allow}
	}
	ask(t, []question{
		{"all", two, harmed(nil), "1: a>b x!, b>d x"},
		{"x alone", two, harmed(only('x')), "1: a>b x!, b>d x"},
		{"y alone", two, harmed(only('y')), "1: a>c y!, c>e y, e>d y"},
		{"none", two, harmed(nothing), "no"},
		{"ordinary steps always", "start a\na>b x\nb>c y\nc: h", harmed(nothing), "0: a>b x, b>c y"},
		{"the parallel step that is allowed", "start a\na>b x!\na>b y!\nb: h", harmed(only('y')), "1: a>b y!"},
		{"also for ever", "start a\na>b x!\na>c y!\nb>c z\nb>d z\nd>b z\nc: h", explore.Query{Mask: harm, Want: harm, When: explore.Always, Allow: only('x')},
			"1: a>b x!, b>c z"},
	})
}

func TestAlways(t *testing.T) {
	q := explore.Query{Mask: harm, Want: harm, When: explore.Always}
	ask(t, []question{
		{"two at one place, the one found first", "start a\na>b x\na>c y\nb: h\nc: h", q, "0: a>b x"},
		{"a state that nothing leaves", "start a\na>b x\nb: h", q, "0: a>b x"},
		{"the initial state", "start a\na: h", q, "0: "},
		{"nothing leaves it, and nothing is wrong", "start a\na>b x", q, "no"},
		{"a step is owed", "start a\na>b x\nb: h\nb>c y", q, "no"},
		{"an unusual step is not owed", "start a\na>b x\nb: h\nb>c y!", q, "0: a>b x"},
		{"a step that changes nothing is not owed", "start a\na>b x\nb: h\nb>b y", q, "0: a>b x"},
		{"a loop of one actor", "start a\na>b x\nb>c x\nc>b x\nb: h\nc: h", q, "0: a>b x | b>c x, c>b x"},
		{"a loop that leaves the harm", "start a\na>b x\nb>c x\nc>b x\nb: h", q, "no"},
		{"an unusual step closes no loop", "start a\na>b x\nb>c x\nc>b x!\nc>a y\nb: h\nc: h", q, "no"},
		{"who takes steps is owed no other", "start a\na>b x\nb>c x\nc>b x\nc>d x\nb: h\nc: h", q, "0: a>b x | b>c x, c>b x"},
		{"another actor could always leave", "start a\na>b x\nb>c x\nc>b x\nb>d y\nc>d y\nb: h\nc: h", q, "no"},
		{"another actor could leave now and then", "start a\na>b x\nb>c x\nc>b x\nb>d y\nb: h\nc: h", q, "0: a>b x | b>c x, c>b x"},
		{"another actor is kept busy inside", "start a\na>b x\nb>c x\nc>b x\nb>d y\nc>d y\nc>e y\ne>b x\nb: h\nc: h\ne: h", q,
			"0: a>b x | b>c x, c>e y, e>b x"},
		{"two go in turns, a third watches", "start a\na>b x\nb>c y\nc>b z\nb: h\nc: h", q, "0: a>b x | b>c y, c>b z"},
		{"two loops, both owed", "start a\na>b x\nb>c x\nc>b x\nb>d y\nd>b y\nc>e y\nd>e x\ne>b x\ne>b y\nb: h\nc: h\nd: h\ne: h", q,
			"0: a>b x | b>c x, c>e y, e>b x"},
		{"the cheapest entry", "start a\na>b x!\nb>c x\nc>b x\na>d y\nd>e y\ne>c y\nb: h\nc: h", q,
			"0: a>d y, d>e y, e>c y | c>b x, b>c x"},
		{"the harm begins before the loop", "start a\na>b x\nb>c x\nc>d x\nd>c x\nb: h\nc: h\nd: h", q, "0: a>b x, b>c x | c>d x, d>c x"},
		{"two ends, the cheaper", "start a\na>b x!\nb: h\na>c y\nc>d y\nd>e y\ne: h", q, "0: a>c y, c>d y, d>e y"},
		{"the state avoided is still owed", "start a\na>b x\nb>c x\nc>b x\nb>d y\nc>d y\nb: h\nc: h\nd: h d",
			explore.Query{Mask: harm, Want: harm, Avoid: done, When: explore.Always}, "no"},
		{"avoided on the way", "start a\na>b x\nb: d\nb>c x\na>c y!\nc: h",
			explore.Query{Mask: harm, Want: harm, Avoid: done, When: explore.Always}, "1: a>c y!"},
	})
}

func TestOften(t *testing.T) {
	q := explore.Query{Mask: harm, Want: harm, When: explore.Often}
	ask(t, []question{
		{"comes back", "start a\na>b x\nb>c x\nc>b x\nc: h", q, "0: a>b x, b>c x | c>b x, b>c x"},
		{"comes once", "start a\na>b x\nb: h\nb>c x", q, "no"},
		{"stays", "start a\na>b x\nb: h", q, "0: a>b x"},
		{"comes back by unusual steps only", "start a\na>b x\nb: h\nb>c x\nc>b y!", q, "no"},
		{"another actor ends it", "start a\na>b x\nb>a x\na>c y\nb>c y\nb: h", q, "no"},
		{"another actor ends it only from the harm", "start a\na>b x\nb>a x\nb>c y\nb: h", q, "0: a>b x | b>a x, a>b x"},
		{"round by way of it", "start a\na>b x\nb>a x\nb>c y\nc>a y\na>d y\nd>a x\nc: h", q, "0: a>b x, b>c y | c>a y, a>b x, b>c y"},
		{"without a state to avoid", "start a\na>b x\nb>a x\nb: h\na>c y\nc: d\nc>a y",
			explore.Query{Mask: harm, Want: harm, Avoid: done, When: explore.Often}, "0: a>b x | b>a x, a>b x"},
		{"through the state to avoid only", "start a\na>b x\nb: h\nb>c x\nc: d\nc>a x",
			explore.Query{Mask: harm, Want: harm, Avoid: done, When: explore.Often}, "no"},
	})
}

// TestPersistence tells the three shapes of a harm apart as the proof does: sticky before recurring before transient.
func TestPersistence(t *testing.T) {
	tests := []struct{ name, model, want string }{
		{"transient", "start a\na>b x\nb: h\nb>c y", "transient"},
		{"transient, though x could go round in it", "start a\na>b x\nb>c x\nc>b x\nb: h\nc: h\nb>d y\nc>d y", "transient"},
		{"recurring", "start a\na>b x\nb: h\nb>a y", "recurring"},
		{"sticky", "start a\na>b x\nb: h\na>c y\nc>a y", "sticky"},
		{"never", "start a\na>b x\nb>a y", "never"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := explore.Search(t.Context(), parse(t, tt.model), explore.Bounds{})
			got := "never"
			for _, kind := range []struct {
				when explore.When
				name string
			}{{explore.Ever, "transient"}, {explore.Often, "recurring"}, {explore.Always, "sticky"}} {
				if g.Ask(explore.Query{Mask: harm, Want: harm, When: kind.when}).Found {
					got = kind.name
				}
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestPathNamesTheStates(t *testing.T) {
	g := explore.Search(t.Context(), parse(t, "start q\nstart a\na>b x\nb>c y\nc>b z\nc: h"), explore.Bounds{})
	a := g.Ask(explore.Query{Mask: harm, Want: harm, When: explore.Often})
	var got []byte
	for _, i := range a.Path {
		got = append(got, byte(g.State(i)))
	}
	if string(got) != "abcbc" {
		t.Errorf("got %s", got)
	}
	if last := a.Path[len(a.Trace)]; g.Look(last) != harm {
		t.Errorf("the trace ends in %c, where %b holds", g.State(last), g.Look(last))
	}
}
