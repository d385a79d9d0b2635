package match

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// Matcher makes tables, and remembers what it compared: a history of releases asks about each two APIs once, however many
// pairs and clusters have them. The zero value is ready. It and its tables are for one goroutine at a time.
type Matcher struct {
	compared map[comparing]*comparison
	accepted map[accepting]bool
	made     int
}

// Comparisons is how many comparisons of two APIs were made so far.
func (m *Matcher) Comparisons() int { return m.made }

// side is an API as its image serves it, or a dictionary as a proxy exposes it.
type side struct {
	set      *descriptor.Set // nil: not known
	services []string        // that are exposed; none: no call passes the transcoder
	config   descriptor.Transcoder
	options  string // config, comparable
}

// off: the transcoder does nothing, whatever the set.
func (s side) off() bool { return len(s.services) == 0 }

// known: it can be said what is served.
func (s side) known() bool { return s.off() || s.set != nil }

func (s side) digest() string {
	if s.set == nil {
		return ""
	}
	return s.set.Digest()
}

// same: the two serve the same. What is not known is the same as nothing.
func (s side) same(o side) bool {
	return s.off() && o.off() ||
		s.set != nil && o.set != nil && s.digest() == o.digest() && slices.Equal(s.services, o.services) && s.options == o.options
}

// optionsOf is a transcoder's configuration in comparable form, without what it loads and exposes.
func optionsOf(c descriptor.Transcoder) string {
	c.ProtoDescriptor, c.ProtoDescriptorBin, c.Services = "", nil, nil
	raw, err := json.Marshal(c)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

type comparing struct {
	old, new                 string // digests
	oldServices, newServices string
	options                  string
	server                   transcode.ServerKind
}

type accepting struct{ set, services, options string }

// compare says what callers meet between two sides that are known, under the options of the first that does something.
func (m *Matcher) compare(old, new side, kind transcode.ServerKind) *comparison {
	key := comparing{options: old.options, server: kind}
	if old.off() {
		key.options = new.options
	}
	if !old.off() {
		key.old, key.oldServices = old.digest(), strings.Join(old.services, " ")
	}
	if !new.off() {
		key.new, key.newServices = new.digest(), strings.Join(new.services, " ")
	}
	if c, ok := m.compared[key]; ok {
		return c
	}
	var c *comparison
	switch {
	case old.same(new):
		c = &comparison{orders: anyOrder}
	case old.off() || new.off():
		c = against(old, new, kind)
	default:
		m.made++
		c = digested(pair.Compare(old.set, new.set, pair.Options{
			Config: old.config, OldServices: old.services, NewServices: new.services, Server: kind,
		}))
	}
	if m.compared == nil {
		m.compared = map[comparing]*comparison{}
	}
	m.compared[key] = c
	return c
}

// accepts tells whether a proxy takes a dictionary with a list of services.
func (m *Matcher) accepts(d side) bool {
	key := accepting{d.digest(), strings.Join(d.services, " "), d.options}
	if ok, known := m.accepted[key]; known {
		return ok
	}
	cfg := d.config
	cfg.Services = d.services
	_, err := transcode.Load(d.set, cfg)
	if m.accepted == nil {
		m.accepted = map[accepting]bool{}
	}
	m.accepted[key] = err == nil
	return err == nil
}
