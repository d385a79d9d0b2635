package git

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParsePerson(t *testing.T) {
	tests := []struct{ raw, name, mail, when string }{
		{"Ada Lovelace <ada@example.com> 1700000000 +0130", "Ada Lovelace", "ada@example.com", "2023-11-14T23:43:20+01:30"},
		{"Ada <ada@example.com> 1700000000 -0800", "Ada", "ada@example.com", "2023-11-14T14:13:20-08:00"},
		{"<ada@example.com> 0 +0000", "", "ada@example.com", "1970-01-01T00:00:00Z"},
		{"A > B <a> b> 1 +0000", "A > B", "a> b", "1970-01-01T00:00:01Z"},
		{"A <a> 1 +9999", "A", "a", "1970-01-01T00:00:01Z"},
		{"A <a> 1 elsewhere", "A", "a", "1970-01-01T00:00:01Z"},
		{"A <a> 1", "A", "a", "1970-01-01T00:00:01Z"},
		{"A <a> -1 +0000", "A", "a", "0001-01-01T00:00:00Z"},
		{"A <a> 99999999999999999999 +0000", "A", "a", "0001-01-01T00:00:00Z"},
		{"A <a> 253402300799 +2359", "A", "a", "0001-01-01T00:00:00Z"},
		{"A\x1b[2J\n <a\tb> 1 +0000", "A [2J", "a b", "1970-01-01T00:00:01Z"},
		{"nonsense", "nonsense", "", "0001-01-01T00:00:00Z"},
		{"", "", "", "0001-01-01T00:00:00Z"},
	}
	for _, test := range tests {
		name, mail, when := parsePerson(test.raw)
		if got := when.Format(time.RFC3339); name != test.name || mail != test.mail || got != test.when {
			t.Errorf("%q is %q %q %s, want %q %q %s", test.raw, name, mail, got, test.name, test.mail, test.when)
		}
		if _, err := when.MarshalJSON(); err != nil {
			t.Errorf("%q: %v", test.raw, err)
		}
	}
}

func TestCacheDropsWhatWasUsedLongestAgo(t *testing.T) {
	c := newCache[int](40)
	for i := range 4 {
		c.put(fmt.Sprint(i), i, 10)
	}
	c.get("0")
	c.put("4", 4, 10)
	c.put("4", 5, 10) // an object does not change
	c.put("large", 0, 11)
	var kept []string
	for _, key := range []string{"0", "1", "2", "3", "4", "large"} {
		if v, ok := c.get(key); ok {
			kept = append(kept, fmt.Sprint(key, "=", v))
		}
	}
	if got := strings.Join(kept, " "); got != "0=0 2=2 3=3 4=4" {
		t.Errorf("kept %s", got)
	}
}

func FuzzParseTree(f *testing.F) {
	id := strings.Repeat("\x01", 20)
	f.Add([]byte("100644 a\x00" + id + "40000 b\x00" + id + "120000 .git\x00" + id))
	f.Add([]byte("100644 ..\x00" + id + "100644 a\x00" + id + "100644 a\x00" + id))
	f.Fuzz(func(t *testing.T, raw []byte) {
		entries, err := parseTree(raw, 20)
		if err != nil {
			return
		}
		if !slices.IsSortedFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("not sorted: %v", entries)
		}
		for i, e := range entries {
			if !ValidName(e.Name) || strings.Contains(e.Name, "/") || len(e.ID) != 40 || i > 0 && e.Name == entries[i-1].Name {
				t.Errorf("entry %+v", e)
			}
		}
	})
}

func FuzzParseCommit(f *testing.F) {
	f.Add([]byte("tree x\nparent y\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nsubject\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := parseCommit("x", raw)
		if _, err := c.When.MarshalJSON(); err != nil {
			t.Error(err)
		}
		if c.Subject != oneLine(c.Subject) || c.Author != oneLine(c.Author) {
			t.Errorf("%+v", c)
		}
	})
}
