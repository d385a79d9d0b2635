package remedy

import (
	"encoding/base64"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
)

// synthetic stands for the id of a commit that nobody made.
const synthetic = "synthetic"

// changed is a release that nobody made: at the newest revision both ends change, and nothing else. What that means for the
// pair is put in by incompatible.
func (s *situation) changed() Release {
	d := newDraft(s.Newest)
	d.replace(s.Ends.Consumer, func(o object.Object) object.Object { return other(o) })
	d.replace(s.Ends.Provider, func(o object.Object) object.Object { return other(o) })
	set := cone.Setting{Matcher: &match.Matcher{}}
	if n := len(s.Releases); n > 0 {
		set.Controller = s.Releases[n-1].Setting(s.Releases[n-1].Ends).Controller
	}
	return Release{
		Ends:      s.Ends,
		Revisions: []cone.Revision{{Hash: synthetic, Short: "now"}, {Hash: synthetic, Short: "next"}},
		Snapshots: []*snapshot.Snapshot{s.Newest, d.snapshot()},
		Setting:   func(cone.Ends) cone.Setting { return set },
	}
}

// marker is what differs in the release that nobody made.
const marker = "next"

// other is an object with other content, of the kind that counts for who reads it or whose pods it makes.
func other(o object.Object) object.Object {
	switch {
	case object.PodTemplate(o) != nil:
		return annotatePods(o, marker, marker)
	case o.ID.IsConfig():
		for _, part := range []string{"data", "binaryData", "stringData"} {
			for key := range object.Map(o.Fields, part) {
				value := marker
				if part == "binaryData" || part == "data" && o.ID.Kind == "Secret" {
					value = base64.StdEncoding.EncodeToString([]byte(marker))
				}
				o.Fields = set(o.Fields, value, part, key)
			}
		}
		return o
	}
	return annotate(o, marker, marker)
}
