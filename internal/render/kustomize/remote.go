package kustomize

import (
	"regexp"
	"strings"
)

// Forms that kustomize fetches: its HTTP client for http and https (api/internal/loader/fileloader.go), else git
// (api/internal/git/repospec.go). The tests here are a little wider than kustomize's own, so that nothing that it would
// fetch is taken for a path.
var (
	hasScheme = regexp.MustCompile(`^(https?:|[a-z][a-z0-9+.-]*:(//|:))`)
	hasUser   = regexp.MustCompile(`^[a-z][a-z0-9-]*@`)
	userInfo  = regexp.MustCompile(`://[^/@]*@`)
)

// isURL tells whether an entry is an address whatever lies in the tree.
func isURL(entry string) bool {
	return hasScheme.MatchString(strings.ToLower(strings.TrimSpace(entry)))
}

// isRemote tells whether an entry of a kustomization is an address. One without a scheme, user@host:path or
// github.com/org/repository, is a path all the same if a file of that name exists.
func isRemote(entry string) bool {
	if isURL(entry) {
		return true
	}
	s, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(entry)), "?")
	user := hasUser.FindString(s)
	s = s[len(user):]
	if user == "" && !strings.HasPrefix(s, "github.com/") && !strings.HasPrefix(s, "github.com:") {
		return false
	}
	host := strings.IndexAny(s, "/:")
	if host < 0 {
		return false
	}
	repository := s[host+1:]
	return strings.Contains(repository, "/") || strings.Contains(repository, ".git")
}

// shown is an entry as a message may print it: one line, not too long, without the credentials of an address.
func shown(entry string) string {
	s, _, _ := strings.Cut(strings.TrimSpace(entry), "\n")
	s = userInfo.ReplaceAllString(s, "://")
	if len(s) > 120 {
		s = strings.ToValidUTF8(s[:120], "") + "..."
	}
	return s
}
