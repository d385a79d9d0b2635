package discretion_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discretion"
	"github.com/syncproof/syncproof/internal/source"
)

const text = "Ada Lovelace: ask grace@example.com\n\nGrace Hopper, @ada\n\nSigned-off-by: Joan Clarke <joan@example.com>"

// everywhere puts a text into every string below a value, and one element into every list.
func everywhere(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		if depth < 12 {
			v.Set(reflect.New(v.Type().Elem()))
			everywhere(v.Elem(), depth+1)
		}
	case reflect.Slice:
		if depth < 12 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			everywhere(v.Index(0), depth+1)
			everywhere(v.Index(1), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			everywhere(v.Field(i), depth)
		}
	}
}

// TestNoFieldIsForgotten: whatever of a report says what a commit says, says it without names.
func TestNoFieldIsForgotten(t *testing.T) {
	var r diag.Report
	everywhere(reflect.ValueOf(&r).Elem(), 0)
	looked := 0
	discretion.Apply(&r, []source.Commit{{Hash: "a", Author: "Ada Lovelace", Committer: "GitHub", CommitterMail: "noreply@github.com"}},
		func(hash string) (source.Commit, bool) {
			looked++
			return source.Commit{Hash: hash, Author: "Grace Hopper", AuthorMail: "grace@example.com"}, true
		})
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if looked != 1 { // all commits here have one id
		t.Errorf("looked up %d commits", looked)
	}
	for _, name := range []string{"Ada", "Grace", "Joan", "example.com", "@ada"} {
		if i := strings.Index(string(out), name); i >= 0 {
			t.Errorf("%s is there: %s", name, out[max(0, i-200):min(len(out), i+100)])
		}
	}
	if !strings.Contains(string(out), `somebody: ask somebody\n\nsomebody, somebody"`) {
		t.Errorf("got %s", out[:300])
	}
}

func TestNothingToTakeOut(t *testing.T) {
	branches := []string{"main"}
	r := diag.Report{Head: diag.Head{Revision: "a", Subject: "release api v1.9.0", Branches: branches}}
	discretion.Apply(&r, nil, nil)
	if r.Head.Subject != "release api v1.9.0" || &r.Head.Branches[0] != &branches[0] {
		t.Errorf("got %+v", r.Head)
	}
}
