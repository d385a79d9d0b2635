package descriptor

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// digest hashes the files, which come without source info, in the order of their names.
func digest(files []*descriptorpb.FileDescriptorProto) (string, error) {
	sorted := slices.SortedFunc(slices.Values(files), func(a, b *descriptorpb.FileDescriptorProto) int {
		return cmp.Compare(a.GetName(), b.GetName())
	})
	h := sha256.New()
	for _, f := range sorted {
		raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(f)
		if err != nil {
			return "", fmt.Errorf("file %q: %s", f.GetName(), plain(err))
		}
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(raw)))) // so that no two lists of files read the same
		h.Write(raw)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
