package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// commitLimit bounds the size of a commit object, message included.
const commitLimit = 16 << 20

// Commit is one commit. Texts are valid UTF-8 in one line, without control characters. The committer is who brought it in: a
// merge or squash on a forge's page, a rebase or an applied patch has another one than its author.
type Commit struct {
	Hash                     string // full object id
	Subject                  string // the first paragraph of the message
	Author, AuthorMail       string
	Committer, CommitterMail string
	When                     time.Time // committer's date in the committer's zone; zero if the commit has none that makes sense
	Parents                  []string  // as the commit names them: a shallow clone may lack them
}

// Head gives the commit that HEAD names, [ErrNoCommit] if it names none as in an empty repository.
func (r *Repository) Head(ctx context.Context) (Commit, error) {
	answer, err := r.runner.run(ctx, "rev-parse", "--verify", "--quiet", "HEAD")
	if exitCode(err) == 1 {
		return Commit{}, fmt.Errorf("HEAD: %w", ErrNoCommit)
	}
	if err != nil {
		return Commit{}, fmt.Errorf("read HEAD: %w", err)
	}
	return r.commit(ctx, strings.TrimSpace(string(answer)))
}

// Resolve gives the commit that a revision names in Git's own terms: a hash or its beginning, a branch, a tag, "HEAD~2",
// "main@{upstream}" and so on, but nothing that begins with a dash. [ErrUnknownRevision] if there is none; also for a
// commit that this clone lacks. If it is an ancestor beyond the edge of a shallow clone, the error is [ErrShallow] as well.
func (r *Repository) Resolve(ctx context.Context, rev string) (Commit, error) {
	unknown := fmt.Errorf("%w %q", ErrUnknownRevision, rev)
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsRune(rev, 0) {
		return Commit{}, unknown
	}
	// "^main" gives no plain hash.
	answer, err := r.runner.run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil && exitCode(err) < 0 {
		return Commit{}, fmt.Errorf("resolve %q: %w", rev, err)
	}
	hash := strings.TrimSpace(string(answer))
	if err != nil {
		return r.beyond(ctx, rev, unknown)
	}
	if !isHash(hash) {
		return Commit{}, unknown
	}
	c, err := r.commit(ctx, hash)
	if errors.Is(err, ErrAbsent) {
		return Commit{}, unknown
	}
	return c, err
}

// commit reads a commit by the id of it, or of a tag that leads to it.
func (r *Repository) commit(ctx context.Context, hash string) (Commit, error) {
	head, raw, err := r.batch.contents(ctx, hash+"^{commit}", "commit", commitLimit)
	if err != nil {
		return Commit{}, fmt.Errorf("commit %s: %w", hash, err)
	}
	return parseCommit(head.id, raw), nil
}

// parseCommit takes what it can from a commit object. Fields that are not as Git writes them stay empty.
func parseCommit(hash string, raw []byte) Commit {
	c := Commit{Hash: hash}
	headers, message, _ := bytes.Cut(raw, []byte("\n\n"))
	for line := range strings.Lines(string(headers)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "parent":
			if isHash(value) {
				c.Parents = append(c.Parents, value)
			}
		case "author":
			c.Author, c.AuthorMail, _ = parsePerson(value)
		case "committer":
			c.Committer, c.CommitterMail, c.When = parsePerson(value)
		}
	}
	paragraph, _, _ := strings.Cut(strings.TrimLeft(string(message), "\n"), "\n\n")
	c.Subject = oneLine(paragraph)
	return c
}

// parsePerson reads "Name <mail> 1700000000 +0100".
func parsePerson(s string) (name, mail string, when time.Time) {
	rest, date, ok := cutLast(s, "> ")
	if !ok {
		return oneLine(s), "", time.Time{}
	}
	name, mail, _ = strings.Cut(rest, "<")
	name, mail = oneLine(name), oneLine(mail)
	seconds, zone, _ := strings.Cut(date, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || unix < 0 || unix > lastSecond {
		return name, mail, time.Time{}
	}
	return name, mail, time.Unix(unix, 0).In(parseZone(zone))
}

// lastSecond is the end of the year 9999, the last one that RFC 3339 can write.
const lastSecond = 253402300799 - 24*60*60

// parseZone reads "+0130"; anything else is UTC.
func parseZone(s string) *time.Location {
	digits, err := strconv.Atoi(s)
	hours, minutes := digits/100, digits%100
	if err != nil || len(s) != 5 || digits == 0 || hours < -23 || hours > 23 || minutes < -59 || minutes > 59 {
		return time.UTC
	}
	return time.FixedZone("", hours*60*60+minutes*60)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
