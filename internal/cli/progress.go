package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/syncproof/syncproof/internal/render"
)

// show keeps a line of progress on a terminal up to date until the returned function clears it. When quiet, or on
// anything else than a terminal, it does nothing.
func (f *reading) show(w io.Writer, pool *render.Pool) (clear func()) {
	if f.quiet || !isTerminal(w) {
		return func() {}
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				fmt.Fprint(w, "\r\x1b[K")
				return
			case <-tick.C:
				fmt.Fprintf(w, "\rrendered %d", pool.Rendered())
			}
		}
	})
	return func() {
		close(stop)
		wg.Wait()
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
