package pair_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/match/pair"
)

// large is an API of a hundred methods with messages of twenty fields each, two levels deep, that share a message.
func large(shared, extra string) string {
	var b strings.Builder
	b.WriteString("syntax = \"proto3\";\npackage big.v1;\nimport \"google/api/annotations.proto\";\nservice Big {\n")
	for i := range 100 {
		fmt.Fprintf(&b, "rpc Do%d(Ask%d) returns (Told%d) { option (google.api.http) = { post: \"/v1/do%d/{id}\" body: \"*\" }; }\n", i, i, i, i)
	}
	b.WriteString(extra + "}\nmessage Money { int64 units = 1; " + shared + " }\n")
	for i := range 100 {
		for _, name := range []string{"Ask", "Told"} {
			fmt.Fprintf(&b, "message %s%d { string id = 1; Money price = 2; repeated Money all = 3; map<string, Money> by_name = 4;\n", name, i)
			for f := 5; f < 20; f++ {
				fmt.Fprintf(&b, "  %s field_%d = %d;\n", []string{"string", "int32", "bool", "double", "bytes"}[f%5], f, f)
			}
			b.WriteString("}\n")
		}
	}
	return b.String()
}

func BenchmarkCompare(b *testing.B) {
	extra := `rpc More(Ask0) returns (Told0) { option (google.api.http) = { get: "/v1/more" }; }`
	old := decode(b, large("int32 nanos = 2;", ""))
	for _, c := range []struct{ name, text string }{
		{"method", large("int32 nanos = 2;", extra)},
		{"shared", large("string nanos = 2;", "")},
		{"package", strings.ReplaceAll(large("int32 nanos = 2;", ""), "big.v1", "big.v2")},
	} {
		b.Run(c.name, func(b *testing.B) {
			new := decode(b, c.text)
			for b.Loop() {
				pair.Compare(old, new, pair.Options{})
			}
		})
	}
}
