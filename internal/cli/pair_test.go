package cli_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"io/fs"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// compile writes the descriptor set of one .proto file: compile FILE.proto OUT.
func compile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: compile FILE.proto OUT")
	}
	raw, err := descriptor.Compile(context.Background(), []string{args[0]}, func(name string) ([]byte, error) {
		if name != args[0] {
			return nil, fs.ErrNotExist
		}
		return []byte(ts.ReadFile(name)), nil
	})
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), raw, 0o644))
}

// embed replaces every $PB of a file by another file in base64: embed FILE PB.
func embed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: embed FILE PB")
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(ts.ReadFile(args[1])))
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "$PB", encoded)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// spoil writes a file that is not what it should be: spoil WAY OUT FROM...
func spoil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: spoil WAY OUT FROM...")
	}
	var in [][]byte
	for _, name := range args[2:] {
		in = append(in, []byte(ts.ReadFile(name)))
	}
	var out []byte
	switch args[0] {
	case "cut": // half of it
		out = in[0][:len(in[0])/2]
	case "join": // two sets in one
		out = bytes.Join(in, nil)
	case "last": // its last file without the imports
		set := &descriptorpb.FileDescriptorSet{}
		ts.Check(proto.Unmarshal(in[0], set))
		set.File = set.File[len(set.File)-1:]
		raw, err := proto.Marshal(set)
		ts.Check(err)
		out = raw
	case "gzip":
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write(in[0])
		ts.Check(err)
		ts.Check(w.Close())
		out = packed.Bytes()
	case "zeros20MB":
		out = make([]byte, 20_000_000)
	case "zeros50MB":
		out = make([]byte, 50_000_000)
	case "deep":
		out = []byte(`syntax = "proto3";` + strings.Repeat("message A {", 100_000))
	default:
		ts.Fatalf("spoil has no way %q", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out, 0o644))
}
