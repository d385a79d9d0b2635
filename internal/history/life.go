package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// LifeQuery asks how a pair came to be delivered as it is.
type LifeQuery struct {
	Tip                source.Commit // history is read from it backwards
	Consumer, Provider object.ID     // as they are at Tip
	// Removed are consumers that are taken to be gone. An empty cluster or group stands for any.
	Removed []object.ID
	Most    int // first-parent commits to look at; 0 means those of Input
}

// Messages is what a Repository may have besides: the whole message of a commit.
type Messages interface {
	Message(ctx context.Context, c source.Commit) (string, error)
}

// Life follows a pair backwards, and tells since when two units deliver it, what was before, and who read the provider when.
// Objects are followed through renames, moves between files and units, and a change of what generates their names. What
// could not be seen is a limit, one sentence each, and never guessed around. Errors are failures of ours or a cancelled
// context.
func (h *History) Life(ctx context.Context, q LifeQuery) (diag.Cause, []string, error) {
	if h.in.Repository == nil || q.Tip.Hash == "" {
		return diag.Cause{}, []string{"there is no history to look into"}, nil
	}
	walk, err := h.walk(ctx, q.Tip)
	if err != nil {
		return diag.Cause{}, nil, err
	}
	l := &line{h: h, walk: walk, cut: walk[len(walk)-1].cut, chosen: -1, ends: ends{q.Consumer, q.Provider, q.Provider}}
	if q.Most > 0 && len(walk) > q.Most {
		l.walk, l.cut = walk[:q.Most], fmt.Sprintf("the %d commits that are looked at", q.Most)
	}
	err = l.follow(ctx)
	var stop *stopped
	if errors.As(err, &stop) {
		return diag.Cause{}, []string{oneLine(stop.why)}, nil
	}
	if err != nil {
		return diag.Cause{}, nil, err
	}
	t := telling{line: l, filled: l.fill()}
	t.readers()
	t.structure()
	t.assume(q.Removed)
	t.limit()
	if t.cause.Since != nil {
		if t.cause.Message, err = h.messageOf(ctx, l.walk[t.since].Commit); err != nil {
			return diag.Cause{}, nil, err
		}
	}
	return t.cause, t.limits, nil
}

// maxMessage is how many bytes of a message are given.
const maxMessage = 4_000

func (h *History) messageOf(ctx context.Context, c source.Commit) (string, error) {
	m, ok := h.in.Repository.(Messages)
	if !ok {
		return "", nil
	}
	text, err := m.Message(ctx, c)
	if err != nil && !unreadable(err) {
		return "", err
	}
	text = strings.ToValidUTF8(text[:min(len(text), maxMessage)], "")
	return strings.TrimSpace(text), nil
}

// fill gives the names of the readers of each span, those too whose unit could not be rendered there and who read the
// object before.
func (l *line) fill() [][]string {
	out := make([][]string, len(l.spans))
	var before []reader
	for i, s := range slices.Backward(l.spans) {
		now := slices.Clone(s.readers)
		for _, r := range before {
			lost := s.at.lacks(r.makes)
			if lost != "" && !slices.ContainsFunc(now, func(n reader) bool { return n.id == r.id }) {
				now = append(now, r)
				if s.lost == "" {
					l.spans[i].lost = lost
				}
			}
		}
		before = now
		for _, r := range now {
			out[i] = append(out[i], r.id.String())
		}
		slices.Sort(out[i])
	}
	return out
}

// telling puts a lifeline into words.
type telling struct {
	*line
	filled [][]string // by span
	cause  diag.Cause
	limits []string
	since  int // position
}

func commitOf(c source.Commit) diag.Commit {
	out := diag.Commit{Commit: c.Hash, Short: short(c), Subject: c.Subject}
	if !c.When.IsZero() {
		out.Date = c.When.UTC().Format(time.RFC3339)
	}
	return out
}

func (t *telling) commit(pos int) *diag.Commit {
	c := commitOf(t.walk[pos].Commit)
	return &c
}

// readers tells who read the object at each commit that changed that.
func (t *telling) readers() {
	var last []string
	for i, s := range slices.Backward(t.spans) {
		if names := t.filled[i]; !slices.Equal(names, last) {
			t.cause.Readers = append(t.cause.Readers, diag.Readers{From: *t.commit(s.oldest), Names: names})
			last = names
		}
	}
}

// structure tells about the newest stretch of commits over which two units delivered the pair. Commits at which the pair
// was not there, or one end was with no unit, do not end a stretch: only one at which one unit delivered both.
func (t *telling) structure() {
	first := slices.IndexFunc(t.spans, func(s span) bool { return s.state == split })
	if now := t.spans[0]; now.state == absent {
		t.limits = append(t.limits, fmt.Sprintf("at %s %s does not read %s", short(t.walk[0].Commit), now.consumer, now.provider))
		return
	}
	if first < 0 {
		return
	}
	if at := t.firstJoined(first); at != nil {
		t.cause.Joined = at
	}
	begin, before := first, -1
	for i := first + 1; i < len(t.spans) && before < 0; i++ {
		switch t.spans[i].state {
		case split:
			begin = i
		case joined:
			before = i
		}
	}
	since := t.spans[begin].oldest
	t.lapse(first, begin)
	last := begin == len(t.spans)-1
	switch {
	case last && t.cut != "":
		t.cause.Copies = t.copiesBefore(nil, since)
		t.limits = append(t.limits, fmt.Sprintf("two units deliver the pair already at %s; older commits are not within %s", short(t.walk[since].Commit), t.cut))
		return
	case !last && t.spans[begin+1].state == hidden:
		t.cause.Copies = t.copiesBefore(nil, since)
		t.limits = append(t.limits, fmt.Sprintf("since when two units deliver the pair is not known: before %s %s could not be rendered",
			short(t.walk[since].Commit), t.spans[begin+1].lost))
		return
	}
	t.since, t.cause.Since = since, t.commit(since)
	t.cause.Born = before < 0
	t.cause.Copies = t.copiesBefore(t.original(begin), since)
	t.cause.Before = t.before(begin, before)
}

// firstJoined gives the commit from which on one unit delivers the pair again, if that is so and can be told.
func (t *telling) firstJoined(first int) *diag.Commit {
	at := -1
	for i := range first {
		if t.spans[i].state == joined {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	if next := t.spans[at+1]; next.state == hidden {
		t.limits = append(t.limits, fmt.Sprintf("since when one unit delivers the pair is not known: before %s %s could not be rendered",
			short(t.walk[t.spans[at].oldest].Commit), next.lost))
		return nil
	}
	return t.commit(t.spans[at].oldest)
}

// lapse finds the commit since which one workload is left of several that read the object while two units delivered it.
func (t *telling) lapse(first, begin int) {
	at := -1
	for i := first; i <= begin; i++ {
		if len(t.filled[i]) > 1 {
			break
		}
		at = i
	}
	if at < 0 || at == begin || len(t.filled[first]) == 0 {
		return
	}
	t.cause.Lapsed = t.commit(t.spans[at].oldest)
}

// original is the object itself as other units delivered it before, if they did.
func (t *telling) original(begin int) *diag.Copy {
	if begin+1 >= len(t.spans) {
		return nil
	}
	now, then := t.spans[begin], t.spans[begin+1]
	reads := then.at.of(then.object)
	if len(reads) == 0 || len(reads[0].providerUnits) == 0 {
		return nil
	}
	units := then.at.unitNames(reads[0].providerUnits)
	if slices.Equal(units, now.at.unitNames(now.providerUnits)) {
		return nil
	}
	return &diag.Copy{Object: then.object.String(), Unit: strings.Join(units, ", "), At: reads[0].origin, Until: t.commit(now.oldest)}
}

// maxWords bounds how many workloads are named in a sentence.
const maxWords = 3

// before says how the pair was delivered before two units did.
func (t *telling) before(begin, before int) string {
	now := t.spans[begin]
	if before < 0 && begin+1 < len(t.spans) && t.spans[begin+1].state == dangling {
		return fmt.Sprintf("%s read %s, which no unit delivered", t.spans[begin+1].consumer, t.spans[begin+1].provider)
	}
	if before < 0 {
		if begin+1 < len(t.spans) && len(t.spans[begin+1].at.by(t.spans[begin+1].consumer)) > 0 {
			return fmt.Sprintf("%s did not read it", t.spans[begin+1].consumer)
		}
		return ""
	}
	then := t.spans[before]
	both := slices.DeleteFunc(slices.Clone(then.consumerUnits), func(u unit.ID) bool { return !slices.Contains(then.providerUnits, u) })
	words := "both"
	if then.consumer != now.consumer || then.provider != now.provider {
		words = fmt.Sprintf("%s and %s", then.consumer, then.provider)
	}
	text := fmt.Sprintf("unit %s delivered %s", strings.Join(then.at.unitNames(both), ", "), words)
	if reads := then.at.of(then.object); then.object != then.provider && len(reads) > 0 && len(reads[0].providerUnits) > 0 {
		text += fmt.Sprintf("; %s was of unit %s", then.object, strings.Join(then.at.unitNames(reads[0].providerUnits), ", "))
	}
	n := 0
	for _, c := range t.real() {
		if c.until != now.oldest || c.reader == then.consumer {
			continue
		}
		if n++; n <= maxWords {
			text += fmt.Sprintf("; %s read a copy of its own, %s of unit %s", c.reader, c.object, c.unit)
		}
	}
	if n > maxWords {
		text += fmt.Sprintf("; so did %d more workloads", n-maxWords)
	}
	return text
}

// assume tells what holds at the tip without some consumers.
func (t *telling) assume(removed []object.ID) {
	if len(removed) == 0 {
		return
	}
	matches := func(id object.ID) bool {
		return slices.ContainsFunc(removed, func(r object.ID) bool {
			return r.Kind == id.Kind && r.Namespace == id.Namespace && r.Name == id.Name &&
				(r.Cluster == "" || r.Cluster == id.Cluster) && (r.Group == "" || r.Group == id.Group)
		})
	}
	var gone, left []string
	for _, r := range t.spans[0].readers {
		if matches(r.id) {
			gone = append(gone, r.id.String())
		} else {
			left = append(left, r.id.String())
		}
	}
	var asked []string
	for _, r := range removed {
		asked = append(asked, r.String())
	}
	slices.Sort(asked)
	asked = slices.Compact(asked)
	who := strings.Join(asked, " and ")
	switch {
	case len(gone) == 0:
		t.cause.Assumed = fmt.Sprintf("%s does not read %s at %s", who, t.spans[0].object, short(t.walk[0].Commit))
	case len(left) == 0:
		t.cause.Assumed = fmt.Sprintf("without %s nothing reads %s", who, t.spans[0].object)
	case len(left) == 1:
		t.cause.Assumed = fmt.Sprintf("without %s one workload reads %s: %s", who, t.spans[0].object, left[0])
	default:
		t.cause.Assumed = fmt.Sprintf("without %s %d workloads read %s: %s", who, len(left), t.spans[0].object, strings.Join(left, ", "))
	}
}

// limit says what could not be seen, and how far back was looked.
func (t *telling) limit() {
	type stretch struct{ newest, oldest, n int }
	lost := map[string]stretch{}
	var order []string
	for _, s := range t.spans {
		if s.lost == "" {
			continue
		}
		at, seen := lost[s.lost]
		if !seen {
			order, at.newest = append(order, s.lost), s.newest
		}
		at.oldest, at.n = s.oldest, at.n+s.oldest-s.newest+1
		lost[s.lost] = at
	}
	for _, what := range order {
		s := lost[what]
		where := "at " + short(t.walk[s.newest].Commit)
		if s.n > 1 {
			where = fmt.Sprintf("at %d commits from %s to %s", s.n, short(t.walk[s.oldest].Commit), short(t.walk[s.newest].Commit))
		}
		t.limits = append(t.limits, fmt.Sprintf("%s %s could not be rendered: what it delivered then is not known", where, what))
	}
	if oldest := t.spans[len(t.spans)-1]; t.cut != "" && (oldest.state != absent || t.comparing()) {
		t.limits = append(t.limits, oneLine(fmt.Sprintf("history was followed back to %s: %s", short(t.walk[len(t.walk)-1].Commit), t.cut)))
	}
	if t.passed > 0 {
		t.limits = append(t.limits, fmt.Sprintf("%d commits that touch the name %s were not rendered: who read it for a short time only may be missing",
			t.passed, t.spans[0].provider.Name))
	}
	for i, s := range t.limits {
		t.limits[i] = oneLine(s)
	}
}
