package html

import (
	"strings"
	"testing"
)

// TestWrapped: nothing is lost, no line is too long unless it is one letter, and names break behind a sign.
func TestWrapped(t *testing.T) {
	for _, tc := range []struct {
		text  string
		width float64
		want  string
	}{
		{"a pod of v1.8.0 starts", 90, "a pod of|v1.8.0|starts"},
		{"app/helm/api/values/prd.yaml", 150, "app/helm/api/|values/prd.yaml"},
		{"", 50, ""},
		{"  two   words ", 500, "two words"},
		{"\u4fee\u6b63", 5, "\u4fee|\u6b63"},
		{strings.Repeat("x", 9), 50, "xxxxxx|xxx"},
	} {
		got := mono.wrapped(tc.text, tc.width)
		if strings.Join(got, "|") != tc.want {
			t.Errorf("%q at %v: %q, want %q", tc.text, tc.width, got, tc.want)
		}
		if strings.Join(strings.Fields(tc.text), "") != strings.ReplaceAll(strings.Join(got, ""), " ", "") {
			t.Errorf("%q: something is lost in %q", tc.text, got)
		}
		for _, line := range got {
			if mono.width(line) > tc.width && len([]rune(line)) > 1 {
				t.Errorf("%q is wider than %v", line, tc.width)
			}
		}
	}
}
