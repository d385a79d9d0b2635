package buildenv_test

import (
	"testing"

	"github.com/syncproof/syncproof/internal/render/buildenv"
	"github.com/syncproof/syncproof/internal/unit"
)

func TestExpand(t *testing.T) {
	t.Setenv("HOME", "/home/of/the/host")
	req := unit.Request{
		Name: "app", Namespace: "prod", Project: "team", Revision: "0123456789abcdef",
		Source: unit.Source{RepoURL: "https://git/x", Path: "c", TargetRevision: "main"},
	}
	for _, c := range []struct {
		text, want string
		revision   bool
	}{
		{"plain", "plain", false},
		{"", "", false},
		{"$ARGOCD_APP_NAME-${ARGOCD_APP_NAMESPACE}-$ARGOCD_APP_PROJECT_NAME", "app-prod-team", false},
		{"$ARGOCD_APP_SOURCE_REPO_URL $ARGOCD_APP_SOURCE_PATH@$ARGOCD_APP_SOURCE_TARGET_REVISION", "https://git/x c@main", false},
		{"$HOME$NOPE.$$x", ".$x", false},
		{"$$ARGOCD_APP_REVISION", "$ARGOCD_APP_REVISION", false},
		{"$ARGOCD_APP_REVISION", "0123456789abcdef", true},
		{"${ARGOCD_APP_REVISION_SHORT}", "0123456", true},
		{"a$ARGOCD_APP_REVISION_SHORT_8.b", "a01234567.b", true},
	} {
		v := buildenv.Of(req)
		if got := v.Expand(c.text); got != c.want || v.Revision() != c.revision {
			t.Errorf("%q: got %q and %t, want %q and %t", c.text, got, v.Revision(), c.want, c.revision)
		}
	}
	req.Revision = "01"
	if got := buildenv.Of(req).Expand("$ARGOCD_APP_REVISION_SHORT"); got != "01" {
		t.Errorf("a short revision: %q", got)
	}
}

func TestKnown(t *testing.T) {
	v := buildenv.Of(unit.Request{})
	for name, want := range map[string]bool{"ARGOCD_APP_NAME": true, "ARGOCD_APP_REVISION_SHORT": true, "$": true, "values": false, "HOME": false} {
		if v.Known(name) != want {
			t.Errorf("%s: want %t", name, want)
		}
	}
	if v.Revision() {
		t.Error("to know a name is not to use it")
	}
}
