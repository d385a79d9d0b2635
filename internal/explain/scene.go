package explain

import "github.com/syncproof/syncproof/internal/delivery"

// scene is where a run of the model stands, and what the model forgets of how it came there.
type scene struct {
	delivery.State
	run    *delivery.Run
	turned [][]int // by unit: what was refused in its last operation for what the release holds, in order
}

// open is the scene in which a case begins.
func open(c *delivery.Case) *scene {
	run := delivery.NewRun(c)
	return &scene{State: run.State(), run: run, turned: make([][]int, len(c.Units))}
}

// play takes a step, if it is possible now.
func (s *scene) play(e delivery.Event) bool {
	if !s.run.Take(e) {
		return false
	}
	s.State = s.run.State()
	if e.Deed == delivery.Turned && e.Number == 1 {
		s.turned[e.Unit] = append(s.turned[e.Unit], e.Object)
	}
	for u, unit := range s.Units {
		if !unit.Turned {
			s.turned[u] = nil
		}
	}
	return true
}

// hangs tells whether a pod that is wanted cannot start.
func (s *scene) hangs(i, t int) bool {
	objects, inside := s.run.Missing(i, t)
	return len(objects) > 0 || inside
}

func exists(c delivery.Content) bool { return c != 0 && c != delivery.Deleted }
