package cli

import (
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	for _, tc := range []struct {
		rendered  int64
		done, all int
		elapsed   time.Duration
		want      string
	}{
		{12, 0, 0, time.Second, "rendered 12"},
		{12, 0, 60, time.Second, "rendered 12, judged 0 of 60 releases"},
		{30, 10, 60, 20 * time.Second, "rendered 30, judged 10 of 60 releases, about 1m40s left"},
		{30, 59, 60, 59 * time.Minute, "rendered 30, judged 59 of 60 releases, about 1m0s left"},
	} {
		if got := progress(tc.rendered, tc.done, tc.all, tc.elapsed); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
