package aftermath_test

import (
	"slices"
	"testing"
	"time"

	"github.com/syncproof/syncproof/internal/aftermath"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

func TestKind(t *testing.T) {
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		subject string
		after   time.Duration
		want    string
	}{
		{"release 3", 24 * time.Hour, "follow-up"},
		{"release 3", 24*time.Hour + 1, ""},
		{"release 3", -1, ""},
		{"FIXES the cart", 0, "fix"},
		{"rolled back to 1", 0, "fix"},
		{"rolls back", 0, "fix"},
		{"undid it", 0, "fix"},
		{"reverted by hand", 0, "fix"},
		{"Revert \"release 2\"", 0, "revert"},
		{"suffix, prefix, fixtures, unbroken, incidental, undone", 0, "follow-up"},
	} {
		if got := aftermath.Kind(source.Commit{When: at}, source.Commit{Subject: tc.subject, When: at.Add(tc.after)}); got != tc.want {
			t.Errorf("%q after %s is %q, want %q", tc.subject, tc.after, got, tc.want)
		}
	}
}

func TestReverts(t *testing.T) {
	got := aftermath.Reverts("x\n\nThis reverts commit ABCDEF0, and\nthis reverts commit 0123456789abcdef.\nThis reverts commit abc.\nThis reverts commit zzzzzzz.\n")
	if want := []string{"abcdef0", "0123456789abcdef"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSpan(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0 min": 59 * time.Second, "24 min": 24 * time.Minute, "2 h": 2 * time.Hour, "21 h 34 min": 21*time.Hour + 34*time.Minute,
		"47 h": 47 * time.Hour, "2 d": 48 * time.Hour, "30 d 5 h": 725*time.Hour + time.Minute,
	} {
		if got := aftermath.Span(d); got != want {
			t.Errorf("%s is told as %q, want %q", d, got, want)
		}
	}
}

func TestLiteral(t *testing.T) {
	with := func(value any) object.Object {
		return object.Object{Fields: map[string]any{"kind": "X", "data": map[string]any{"key": value}}}
	}
	for _, tc := range []struct {
		name                       string
		before, after, was, became any
		want                       bool
	}{
		{"a topic in both", "orders-v1", "orders-v2", "topic: orders-v1", "topic: orders-v2", true},
		{"a port in both", int64(8080), int64(9090), []any{"x:8080"}, []any{"x:9090"}, true},
		{"something else in each", "orders-v1", "orders-v2", "v7", "v8.0.1", false},
		{"what was there before", "orders-v1", "orders-v2", "orders-v2", "orders-v2 more", false},
		{"too short to mean anything", "v1", "v2", "a v1", "a v2", false},
		{"a switch", false, true, false, true, false},
	} {
		got := aftermath.Literal([2]object.Object{with(tc.before), with(tc.after)}, [2]object.Object{with(tc.was), with(tc.became)})
		if got != tc.want {
			t.Errorf("%s: %t", tc.name, got)
		}
	}
}
