package config

import (
	"strconv"
	"strings"
	"time"
)

// leastMemory is what a worker needs to start and to render anything.
const leastMemory = 200 << 20

// Bounds of the search: what is outside of them gives no answer that anybody could use.
const (
	mostUnusualSteps = 4
	fewestStates     = 1_000
	mostStates       = 20_000_000
)

// limits reads the bounds: durations as Go writes them, sizes as Kubernetes does ("1500Mi").
func (p *parser) limits(l limits) {
	if l.UnitTimeout != "" {
		d, err := time.ParseDuration(l.UnitTimeout)
		if err != nil || d <= 0 {
			p.fail(p.lines["limits.unitTimeout"], "unitTimeout: %q is no duration such as 30s", l.UnitTimeout)
		}
		p.out.Limits.UnitTimeout = d
	}
	p.size("unitMemory", l.UnitMemory, &p.out.Limits.UnitMemory)
	if p.out.Limits.UnitMemory < leastMemory {
		p.fail(p.lines["limits.unitMemory"], "unitMemory: a renderer needs at least 200Mi")
	}
	p.size("fileSize", l.FileSize, &p.out.Limits.FileSize)
	p.count("unusualSteps", l.UnusualSteps, 0, mostUnusualSteps, &p.out.Limits.UnusualSteps)
	p.count("states", l.States, fewestStates, mostStates, &p.out.Limits.States)
}

// ceilings are what a repository may allow itself: beyond them, limits have to come from whoever runs the tool.
var ceilings = Limits{UnitTimeout: 5 * time.Minute, UnitMemory: 4 << 30, FileSize: 64 << 20}

// BeyondCeiling names a limit that a repository's own configuration may not set so high, or "".
func (c Config) BeyondCeiling() string {
	switch l := c.Limits; {
	case l.UnitTimeout > ceilings.UnitTimeout:
		return "unitTimeout of more than 5m"
	case l.UnitMemory > ceilings.UnitMemory:
		return "unitMemory of more than 4Gi"
	case l.FileSize > ceilings.FileSize:
		return "fileSize of more than 64Mi"
	}
	return ""
}

func (p *parser) count(key string, value *int, least, most int, into *int) {
	if value == nil {
		return
	}
	if *value < least || *value > most {
		p.fail(p.lines["limits."+key], "%s: %d is not from %d to %d", key, *value, least, most)
	}
	*into = *value
}

var sizeUnits = []struct {
	suffix string
	factor int64
}{{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"", 1}}

func (p *parser) size(key, value string, into *int64) {
	if value == "" {
		return
	}
	for _, u := range sizeUnits {
		digits, ok := strings.CutSuffix(value, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n <= 0 || n > (1<<62)/u.factor {
			break
		}
		*into = n * u.factor
		return
	}
	p.fail(p.lines["limits."+key], "%s: %q is no size such as 1500Mi", key, value)
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
