// Package address writes the URLs of one repository in one form.
//
// In goes what a remote, an Application or a configuration calls a repository, out comes text that is equal for equal
// repositories and has no credentials. It refuses to ask whether there is such a repository.
package address

import (
	"net/url"
	"path"
	"strings"
)

// defaultPorts are the ports that say nothing, by scheme. Without a scheme there is none.
var defaultPorts = map[string]string{"https": ":443", "http": ":80", "ssh": ":22", "git": ":9418", "": ""}

// Normalize writes URLs of one repository in one form: "host/owner/repo", for every way in which Git reaches it:
//
//	https://user:token@github.com/acme/gitops.git/
//	ssh://git@github.com:22/acme/gitops
//	git@github.com:acme/gitops.git
//	git@github.com/acme/gitops
//	github.com/acme/gitops
//
// Credentials, default ports, queries, ".git" and slashes at the end go. Everything is in lower case: Argo CD compares so
// (util/git/git.go, NormalizeGitURL), and the large hosts serve paths in any case. What is not reached over the network
// keeps its case and reads "file:/srv/git/gitops" or "file:../gitops", and schemes that are not Git's ("oci", "s3") stay
// in front. A normalised URL stays as it is.
func Normalize(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimPrefix(s, "git::") // go-getter's
	scheme, rest, hasScheme := strings.Cut(s, "://")
	hasScheme = hasScheme && !strings.ContainsAny(scheme, "@:/")
	scheme = strings.ToLower(scheme)
	scheme = strings.TrimSuffix(strings.TrimPrefix(scheme, "git+"), "+git")
	switch {
	case s == "":
		return ""
	case hasScheme && scheme == "file":
		if plain, err := url.PathUnescape(rest); err == nil {
			rest = plain
		}
		return localURL(rest)
	case hasScheme:
		return networkURL(scheme, rest)
	case isLocal(s):
		return localURL(strings.TrimPrefix(s, "file:"))
	}
	host, repo, scp := cutSCP(s)
	if scp {
		return networkURL("ssh", host+"/"+strings.TrimLeft(repo, "/"))
	}
	return networkURL("", s)
}

// isLocal tells whether an URL without a scheme is a path: absolute, relative with a dot in front, below a home
// directory, or with the drive letter of Windows.
func isLocal(s string) bool {
	drive := len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
	first, _, _ := strings.Cut(s, "/")
	return drive || first == "" || first == "." || first == ".." || first[0] == '~' || strings.HasPrefix(s, "file:")
}

// cutSCP splits "git@host:path", the form of scp: a colon before the first slash, and no port behind it.
func cutSCP(s string) (host, repo string, ok bool) {
	head, _, _ := strings.Cut(s, "/")
	from := strings.LastIndexByte(head, '@') + 1
	if end := strings.IndexByte(head[from:], ']'); end >= 0 { // an IPv6 address
		from += end
	}
	i := strings.IndexByte(head[from:], ':')
	if i < 0 {
		return s, "", false
	}
	host, repo = s[:from+i], s[from+i+1:]
	if !strings.Contains(head, "@") && isPort(head[from+i+1:]) {
		return s, "", false // "gitea:3000/ops/homelab", as this function itself writes it
	}
	return host, repo, true
}

func isPort(s string) bool { return s != "" && len(s) <= 5 && strings.Trim(s, "0123456789") == "" }

func localURL(s string) string {
	return "file:" + trimRepo(path.Clean(strings.ReplaceAll(s, `\`, "/")))
}

// networkURL takes what follows "scheme://".
func networkURL(scheme, rest string) string {
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	host, repo, _ := strings.Cut(rest, "/")
	host = strings.ToLower(host[strings.LastIndexByte(host, '@')+1:])
	if host == "" {
		return localURL("/" + repo)
	}
	port, known := defaultPorts[scheme]
	host = strings.TrimSuffix(strings.TrimSuffix(host, port), ":")
	if plain, err := url.PathUnescape(repo); err == nil {
		repo = plain
	}
	repo = trimRepo(strings.TrimPrefix(path.Clean("/"+strings.ToLower(repo)), "/"))
	s := host
	if repo != "" {
		s += "/" + repo
	}
	if known {
		return s
	}
	return scheme + "://" + s
}

// trimRepo drops what Git adds by itself when it looks for a repository.
func trimRepo(s string) string {
	for {
		short := strings.TrimSuffix(strings.TrimRight(s, "/"), ".git")
		if short == s || short == "" {
			return s
		}
		s = short
	}
}
