package snapshot_test

import (
	"testing"

	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

func TestTextOfSources(t *testing.T) {
	s := snapshot.Snapshot{URLs: []string{"git.example.com/m"}, Branches: []string{"main"}}
	here := "https://git.example.com/m.git"
	u := unit.Unit{Sources: []unit.Source{
		{RepoURL: here, Path: "app/helm/api", TargetRevision: "main", Helm: &unit.Helm{ValueFiles: []string{"$pinned/env/a.yaml", "$elsewhere/env/b.yaml", "$values/env/c.yaml"}}},
		{RepoURL: here, Path: "app/config", TargetRevision: "main"},
		{RepoURL: here, Ref: "pinned", TargetRevision: "v1"},
		{RepoURL: "https://git.example.com/n", Ref: "elsewhere"},
		{RepoURL: here, Ref: "values"},
		{RepoURL: "https://charts.example.com", Chart: "redis", TargetRevision: "1.2.3"},
	}}
	want := "app/helm/api@main + app/config@main + $pinned@v1 + $elsewhere of https://git.example.com/n + $values + redis@1.2.3 of https://charts.example.com"
	if got := s.SourceText(u); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for file, want := range map[string]bool{
		"app/helm/api/values.yaml": true, "app/config/c.yaml": true, "env/c.yaml": true,
		"env/a.yaml": false, // of a tag
		"env/b.yaml": false, // of another repository
		"env/d.yaml": false, "app/other/c.yaml": false,
	} {
		if s.Takes(u, file) != want {
			t.Errorf("takes %s: %t", file, !want)
		}
	}
}
