package address

import (
	"strings"
	"testing"
)

func TestNormalize(t *testing.T) {
	tests := []struct{ url, want string }{
		{"", ""},
		{"https://github.com/acme/gitops", "github.com/acme/gitops"},
		{"https://github.com/acme/gitops.git", "github.com/acme/gitops"},
		{" https://github.com/acme/gitops.git/ ", "github.com/acme/gitops"},
		{"HTTPS://GitHub.com:443//Acme/./GitOps.git", "github.com/acme/gitops"},
		{"https://user@github.com/acme/gitops", "github.com/acme/gitops"},
		{"https://user:to%ken@github.com/acme/gitops?private_token=s3cret#x", "github.com/acme/gitops"},
		{"http://github.com:80/acme/gitops", "github.com/acme/gitops"},
		{"ssh://git@github.com/acme/gitops.git", "github.com/acme/gitops"},
		{"ssh://git@github.com:22/acme/gitops", "github.com/acme/gitops"},
		{"git+ssh://git@github.com/acme/gitops", "github.com/acme/gitops"},
		{"git://github.com:9418/acme/gitops", "github.com/acme/gitops"},
		{"git::https://github.com/acme/gitops", "github.com/acme/gitops"},
		{"git@github.com:acme/gitops.git", "github.com/acme/gitops"},
		{"git@github.com:/acme/gitops.git", "github.com/acme/gitops"},
		{"git@github.com/acme/gitops", "github.com/acme/gitops"},
		{"user:token@github.com/acme/gitops", "github.com/acme/gitops"},
		{"github.com:acme/gitops", "github.com/acme/gitops"},
		{"github.com/acme/gitops", "github.com/acme/gitops"},
		{"http://gitea.gitea.svc:3000/ops/homelab", "gitea.gitea.svc:3000/ops/homelab"},
		{"gitea.gitea.svc:3000/ops/homelab", "gitea.gitea.svc:3000/ops/homelab"},
		{"https://host:22/a", "host:22/a"},
		{"http://host:443/a", "host:443/a"},
		{"ssh://git@host:7999/proj/repo.git", "host:7999/proj/repo"},
		{"ssh://git@[2001:DB8::1]:22/a/b", "[2001:db8::1]/a/b"},
		{"git@[2001:db8::1]:a/b", "[2001:db8::1]/a/b"},
		{"https://dev.azure.com/org/My%20Project/_git/repo", "dev.azure.com/org/my project/_git/repo"},
		{"https://host/a/../../etc", "host/etc"},
		{"https://host", "host"},
		{"oci://ghcr.io/Acme/charts", "oci://ghcr.io/acme/charts"},
		{"/srv/git/GitOps.git", "file:/srv/git/GitOps"},
		{"/srv/git/GitOps/.git", "file:/srv/git/GitOps"},
		{"file:///srv/git/GitOps.git", "file:/srv/git/GitOps"},
		{"file:///srv/my%20repo", "file:/srv/my repo"},
		{"../GitOps", "file:../GitOps"},
		{"./a", "file:a"},
		{"~/a", "file:~/a"},
		{`C:\src\GitOps`, "file:C:/src/GitOps"},
	}
	for _, test := range tests {
		got := Normalize(test.url)
		if got != test.want {
			t.Errorf("%q becomes %q, want %q", test.url, got, test.want)
		}
		if again := Normalize(got); again != got {
			t.Errorf("%q becomes %q, and then %q", test.url, got, again)
		}
	}
}

func FuzzNormalizeDropsCredentials(f *testing.F) {
	for _, rest := range []string{"host/a/b.git", "host:443/a", "h/a?x=y", "x://y", "@h/../x", "[::1]:22/%2e%2e/x", ""} {
		f.Add(rest)
	}
	f.Fuzz(func(t *testing.T, rest string) {
		for _, front := range []string{"https://user:s3cr3t@", "ssh://s3cr3t@", "user:s3cr3t@", "s3cr3t@"} {
			if got := Normalize(front + rest); strings.Contains(got, "s3cr3t") {
				t.Errorf("%q becomes %q", front+rest, got)
			}
		}
	})
}
