package kustomize

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/render/plain"
)

// at is the place of an entry in the kustomization that holds it.
func (k *kustomization) at(u use) object.Location {
	return object.Location{File: k.file, Line: k.lines.of(u.field, u.entry)}
}

// blocked notes that what an entry names cannot be used. The gap's message continues "resources names x, which ...".
func (c *closure) blocked(k *kustomization, u use, gap diag.Gap) {
	gap.At = k.at(u)
	name := shown(u.name)
	if u.field == "secretGenerator" {
		name = "an entry" // often a literal by mistake, and then a secret
	}
	gap.Message = fmt.Sprintf("%s names %s, which %s", u.field, name, gap.Message)
	c.gaps = append(c.gaps, gap)
}

func (c *closure) fetches(k *kustomization, u use) {
	c.blocked(k, u, diag.Gap{
		Reason:  diag.Remote,
		Message: "lies behind the network",
		Close:   "vendor it: commit a copy and name that",
	})
}

func (c *closure) unsupported(k *kustomization, line int, message string) {
	c.gaps = append(c.gaps, diag.Gap{
		Reason:  diag.Unsupported,
		At:      object.Location{File: k.file, Line: line},
		Message: message,
		Close:   "deliver what it gives by an Application of its own, so that the rest of this one is analysed",
	})
}

func (c *closure) chart(at object.Location, name string) {
	c.gaps = append(c.gaps, diag.Gap{
		Reason:  diag.Unsupported,
		At:      at,
		Message: fmt.Sprintf("the Helm chart %q inside a kustomization is not rendered by this version", shown(name)),
		Close:   "deliver the chart by an Application of its own, or commit what it renders to",
	})
}

// maxPluginConfig bounds what is read of a plugin's configuration to tell whether it would be run.
const maxPluginConfig = 64 << 10

// plugins looks at a text that configures generators or transformers: which of them would be run, and what they would
// read. The line, if not 0, stands for all documents in it.
func (c *closure) plugins(k *kustomization, name string, text []byte, line int) {
	if len(text) > maxPluginConfig {
		c.unsupported(k, line, "the configuration of a generator or transformer is larger than 64 KiB")
		return
	}
	configs, err := plain.Documents(name, text)
	if err != nil || len(configs) == 0 {
		gap := diag.Gap{
			Reason:  diag.Unparsable,
			At:      object.Location{File: name, Line: line},
			Message: "the configuration of a generator or transformer cannot be read",
			Close:   "write it as documents with apiVersion, kind and metadata.name",
		}
		var e *plain.Error
		if errors.As(err, &e) {
			gap.Message += ": " + e.Reason
			if line == 0 {
				gap.At.Line = e.Line
			}
		}
		c.gaps = append(c.gaps, gap)
		return
	}
	for _, config := range configs {
		at := config.Origin
		if line > 0 {
			at = object.Location{File: k.file, Line: line}
		}
		before := len(c.gaps)
		c.configured(k, config.Fields, at)
		switch {
		case config.ID.Group != "" || config.Version != "builtin":
			// What its fields mean is known to the program alone.
			c.gaps = append(c.gaps[:before], diag.Gap{
				Reason: diag.Unsupported,
				At:     at,
				Message: fmt.Sprintf("the plugin %s %q (%s) would run a program, which this version never does",
					config.ID.Kind, config.ID.Name, object.String(config.Fields, "apiVersion")),
				Close: "deliver what it gives by an Application of its own, so that the rest of this one is analysed",
			})
		case config.ID.Kind == "HelmChartInflationGenerator":
			c.chart(at, object.String(config.Fields, "name"))
		}
	}
}

// configured follows what the configuration of a builtin plugin names.
func (c *closure) configured(k *kustomization, fields map[string]any, at object.Location) {
	var all []use
	add := func(field string, role role, values []any) {
		for _, v := range values {
			if s, _ := v.(string); s != "" && !isInline(s) {
				all = append(all, use{field: field, entry: s, name: s, role: role})
			}
		}
	}
	add("path", aYAML, named(fields, "path"))
	add("paths", aYAML, named(fields, "paths"))
	add("targetFilePath", aFile, named(fields, "targetFilePath"))
	add("env", aFile, named(fields, "env"))
	add("envs", aFile, named(fields, "envs"))
	for _, v := range named(fields, "files") {
		s, _ := v.(string)
		add("files", aFile, []any{afterKey(s)})
	}
	for _, r := range named(fields, "replacements") {
		add("replacements", aYAML, named(r, "path"))
	}
	before := len(c.gaps)
	for _, u := range all {
		c.follow(k, u, from{})
	}
	for i := before; i < len(c.gaps); i++ {
		c.gaps[i].At = at
	}
}

// named gives the values of a field of a mapping, in whatever case it is written, as kustomize reads it; the elements if
// the value is a list.
func named(v any, field string) []any {
	fields, _ := v.(map[string]any)
	var values []any
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !strings.EqualFold(name, field) {
			continue
		}
		if list, ok := fields[name].([]any); ok {
			values = append(values, list...)
		} else {
			values = append(values, fields[name])
		}
	}
	return values
}
