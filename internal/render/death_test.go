package render

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/render/worker"
)

// TestPassing: what is worth a second try in another worker.
func TestPassing(t *testing.T) {
	o := Options{Timeout: 10 * time.Second}
	for name, c := range map[string]struct {
		death death
		want  bool
	}{
		"computed all the time":     {death{timedOut: true, exit: worker.Exit{Code: -1, CPU: 9 * time.Second}}, false},
		"starved on a busy machine": {death{timedOut: true, exit: worker.Exit{Code: -1, CPU: 3 * time.Second}}, true},
		"out of memory":             {death{err: io.EOF, exit: worker.Exit{Code: 2, Stderr: "fatal error: runtime: out of memory"}}, true},
		"killed":                    {death{err: io.EOF, exit: worker.Exit{Code: -1}}, true},
		"broke the protocol":        {death{err: errBroken}, true},
		"recursed":                  {death{err: io.EOF, exit: worker.Exit{Code: 2, Stderr: "runtime: goroutine stack exceeds\nfatal error: stack overflow"}}, false},
		"asked for too much":        {death{err: errors.Join(errTooMuch)}, false},
	} {
		if got := c.death.passing(o); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
