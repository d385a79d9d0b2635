package standin

import (
	"fmt"
	"strconv"
	"text/template"
	"time"
)

// clockFuncs are the date functions that ask the clock or the host's time zone. The zone of Argo CD's repo-server is UTC.
func (s *Set) clockFuncs() template.FuncMap {
	inZone := func(layout string, date any, zone string) (string, error) { return s.format(layout, date, zone) }
	return template.FuncMap{
		"now":            s.clock,
		"ago":            s.ago,
		"durationRound":  s.durationRound,
		"date":           func(layout string, date any) (string, error) { return s.format(layout, date, "Local") },
		"dateInZone":     inZone,
		"date_in_zone":   inZone,
		"htmlDate":       func(date any) (string, error) { return s.format(time.DateOnly, date, "Local") },
		"htmlDateInZone": func(date any, zone string) (string, error) { return s.format(time.DateOnly, date, zone) },
		"toDate": func(layout, text string) time.Time {
			t, _ := time.ParseInLocation(layout, text, time.UTC)
			return t
		},
		"mustToDate": func(layout, text string) (time.Time, error) { return time.ParseInLocation(layout, text, time.UTC) },
	}
}

func (s *Set) clock() time.Time {
	s.used = true
	return s.now
}

// moment reads what sprig takes for a date; anything else means now.
func (s *Set) moment(date any) time.Time {
	switch d := date.(type) {
	case time.Time:
		return d
	case *time.Time:
		return *d
	case int64:
		return time.Unix(d, 0)
	case int:
		return time.Unix(int64(d), 0)
	case int32:
		return time.Unix(int64(d), 0)
	}
	return s.clock()
}

// format prints a date in a zone. Zones with a name need the host's time zone data, which a rendering does not reach.
func (s *Set) format(layout string, date any, zone string) (string, error) {
	switch zone {
	case "", "UTC", "Local":
		return s.moment(date).UTC().Format(layout), nil
	}
	s.refused = fmt.Sprintf("a template prints a date in the time zone %s", strconv.Quote(zone))
	return "", fmt.Errorf("time zone %q is not known here", zone)
}

func (s *Set) ago(date any) string {
	switch date.(type) {
	case *time.Time, int32: // sprig's ago does not know these, and says that they are now
		date = nil
	}
	return s.clock().Sub(s.moment(date)).Round(time.Second).String()
}

// durationRound names the largest unit that is exceeded; of a date it is the time since.
func (s *Set) durationRound(v any) string {
	var d time.Duration
	switch v := v.(type) {
	case string:
		d, _ = time.ParseDuration(v)
	case int64:
		d = time.Duration(v)
	case time.Time:
		d = s.clock().Sub(v)
	}
	size := uint64(d)
	if d < 0 {
		size = -size
	}
	for _, unit := range []struct {
		name string
		size time.Duration
	}{
		{"y", 365 * 24 * time.Hour}, {"mo", 30 * 24 * time.Hour}, {"d", 24 * time.Hour},
		{"h", time.Hour}, {"m", time.Minute}, {"s", time.Second},
	} {
		if u := uint64(unit.size); size > u {
			return strconv.FormatUint(size/u, 10) + unit.name
		}
	}
	return "0s"
}
