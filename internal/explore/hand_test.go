package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/explore"
)

// hand is a small graph written down by hand, one line each:
//
//	start a        an initial state
//	a>b x          a step of actor x; a>b x! costs 1, a>b x!! costs 2
//	b: h s         predicates h, s and d (harm, silent, done) hold in b
//
// The label of a step is the number of its line, so a trace can be printed as it was written.
type hand struct {
	lines  []string
	starts []spot
	steps  map[spot][]move
	looks  map[spot]uint64
}

type spot byte

type move struct {
	step explore.Step
	to   spot
}

const (
	harm = 1 << iota
	silent
	done
)

func parse(t testing.TB, text string) *hand {
	t.Helper()
	bits := map[string]uint64{"h": harm, "s": silent, "d": done}
	m := &hand{lines: strings.Split(text, "\n"), steps: map[spot][]move{}, looks: map[spot]uint64{}}
	for i, line := range m.lines {
		m.lines[i] = strings.TrimSpace(line)
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "start":
			m.starts = append(m.starts, spot(words[1][0]))
		case strings.HasSuffix(words[0], ":"):
			for _, w := range words[1:] {
				m.looks[spot(words[0][0])] |= bits[w]
			}
		default:
			from, to, ok := strings.Cut(words[0], ">")
			if !ok || len(words) != 2 {
				t.Fatalf("line %q", line)
			}
			cost := uint8(strings.Count(words[1], "!"))
			step := explore.Step{Label: uint32(i), Actor: words[1][0], Cost: cost}
			m.steps[spot(from[0])] = append(m.steps[spot(from[0])], move{step, spot(to[0])})
		}
	}
	return m
}

func (m *hand) Init(yield func(spot)) {
	for _, s := range m.starts {
		yield(s)
	}
}

func (m *hand) Next(s spot, yield func(explore.Step, spot)) {
	for _, v := range m.steps[s] {
		yield(v.step, v.to)
	}
}

func (m *hand) Look(s spot) uint64 { return m.looks[s] }

// write prints an answer: its cost, its trace, and behind a bar its loop; "no" if nothing was found.
func (m *hand) write(a explore.Answer) string {
	if !a.Found {
		return "no"
	}
	text := fmt.Sprintf("%d: %s", a.Cost, m.row(a.Trace))
	if len(a.Loop) > 0 {
		text += " | " + m.row(a.Loop)
	}
	return text
}

func (m *hand) row(steps []explore.Step) string {
	var words []string
	for _, s := range steps {
		words = append(words, m.lines[s.Label])
	}
	return strings.Join(words, ", ")
}
