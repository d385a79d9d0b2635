package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// tickTime is how often the line of progress changes.
const tickTime = 200 * time.Millisecond

// show keeps a line of progress on a terminal up to date until the returned function clears it. When quiet, or on
// anything else than a terminal, it does nothing.
func (f *reading) show(w io.Writer, o *opened) (clear func()) {
	if f.quiet || !isTerminal(w) {
		return func() {}
	}
	var done, all atomic.Int64
	if o.input.Releases != nil {
		o.input.Releases.Progress = func(d, a int) {
			done.Store(int64(d))
			all.Store(int64(a))
		}
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(tickTime)
		defer tick.Stop()
		for ticks := time.Duration(1); ; ticks++ {
			select {
			case <-stop:
				fmt.Fprint(w, "\r\x1b[K")
				return
			case <-tick.C:
				fmt.Fprintf(w, "\r\x1b[K%s", progress(o.pool.Rendered(), int(done.Load()), int(all.Load()), ticks*tickTime))
			}
		}
	})
	return func() {
		close(stop)
		wg.Wait()
	}
}

// progress is the line of progress: what was rendered and, over releases, how many were judged and how long the rest may take
// if it goes on like this.
func progress(rendered int64, done, all int, elapsed time.Duration) string {
	text := fmt.Sprintf("rendered %d", rendered)
	if all == 0 {
		return text
	}
	text += fmt.Sprintf(", judged %d of %d releases", done, all)
	if done > 0 {
		left := elapsed / time.Duration(done) * time.Duration(all-done)
		text += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	return text
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
