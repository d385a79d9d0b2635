package changes

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/object"
)

func TestFieldChanges(t *testing.T) {
	const deployment = `{"metadata":{"name":"a"},"spec":{"replicas":1,"template":{"metadata":{"annotations":{"a.io/v":"1"}},
		"spec":{"containers":[{"name":"c","args":["x"]},{"name":"d"}]}}}}`
	for _, tc := range []struct {
		after    string
		unstable string
		want     []string
	}{
		{after: deployment},
		{
			after: `{"metadata":{"name":"a"},"spec":{"replicas":2,"template":{"metadata":{"annotations":{"a.io/v":"2"}},
				"spec":{"containers":[{"name":"c","args":["y"]},{"name":"d"}]}}}}`,
			want: []string{"spec.replicas", "spec.template.metadata.annotations[a.io/v]", "spec.template.spec.containers[c].args[0]"},
		},
		{
			after: `{"metadata":{"name":"a"},"spec":{"replicas":1,"template":{"metadata":{"annotations":{"a.io/v":"2"}},
				"spec":{"containers":[{"name":"c","args":["x"]}]}}}}`,
			unstable: "/spec/template/metadata/annotations/a.io~1v",
			want:     []string{"spec.template.spec.containers"},
		},
		{after: `{"metadata":{"name":"a"}}`, want: []string{"spec"}},
	} {
		a, b := decoded(t, deployment), decoded(t, tc.after)
		if tc.unstable != "" {
			b.Unstable = []string{tc.unstable}
		}
		if got := fieldChanges(a, b); !slices.Equal(got, tc.want) {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

func decoded(t *testing.T, text string) object.Object {
	t.Helper()
	var o object.Object
	if err := json.Unmarshal([]byte(text), &o.Fields); err != nil {
		t.Fatal(err)
	}
	return o
}
