package git

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// Message gives the whole message of a commit, without what is no UTF-8. Errors are those of reading a commit.
func (r *Repository) Message(ctx context.Context, c Commit) (string, error) {
	_, raw, err := r.batch.contents(ctx, c.Hash+"^{commit}", "commit", commitLimit)
	if err != nil {
		return "", fmt.Errorf("commit %s: %w", c.Hash, err)
	}
	_, message, _ := bytes.Cut(raw, []byte("\n\n"))
	return strings.TrimSpace(strings.ToValidUTF8(string(message), "")), nil
}
