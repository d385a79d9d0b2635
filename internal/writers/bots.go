package writers

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gobwas/glob"
	"go.yaml.in/yaml/v3"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// Bot is a program that keeps versions up to date by pull requests or commits of its own, and a file that its settings let
// it change. That it has ever done so is not said.
type Bot struct {
	By   string // "Renovate", "Dependabot"
	At   object.Location
	Path string
}

// Bots finds which of the paths Renovate and Dependabot may write, by their files in a tree. Presets that a configuration
// extends are not at hand: what they add or take away is not seen.
func Bots(tree source.Tree, paths []string) ([]Bot, []Problem) {
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	bots, problems := dependabot(tree, paths)
	more, also := renovate(tree, paths)
	bots = append(bots, more...)
	slices.SortFunc(bots, func(a, b Bot) int { return cmp.Or(strings.Compare(a.Path, b.Path), a.At.Compare(b.At)) })
	return bots, append(problems, also...)
}

// ecosystems of Dependabot that change files with which things are delivered, and which files those are: image references in
// manifests and values, and dependencies of charts.
var ecosystems = map[string]func(name string) bool{
	"docker":         isYAML,
	"docker-compose": func(name string) bool { return strings.Contains(name, "compose") && isYAML(name) },
	"helm": func(name string) bool {
		return name == "Chart.yaml" || strings.HasPrefix(name, "values") && isYAML(name)
	},
}

func isYAML(name string) bool { return path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" }

// dependabot reads .github/dependabot.yml: what it updates lies in the very directories that it names.
func dependabot(tree source.Tree, paths []string) ([]Bot, []Problem) {
	for _, file := range []string{".github/dependabot.yml", ".github/dependabot.yaml"} {
		whole, ok := readText(tree, file)
		if !ok {
			continue
		}
		var settings struct {
			Updates []yaml.Node `yaml:"updates"`
		}
		if err := yaml.Unmarshal([]byte(whole), &settings); err != nil {
			return nil, []Problem{{object.Location{File: file}, "the file is not read: it is no YAML of the shape that Dependabot has"}}
		}
		var out []Bot
		for _, node := range settings.Updates {
			var u struct {
				Ecosystem   string   `yaml:"package-ecosystem"`
				Directory   string   `yaml:"directory"`
				Directories []string `yaml:"directories"`
			}
			if err := node.Decode(&u); err != nil || ecosystems[u.Ecosystem] == nil {
				continue
			}
			for _, p := range paths {
				inside := slices.ContainsFunc(append(u.Directories, u.Directory), func(d string) bool { return d != "" && globs(d, "/"+path.Dir(p)) })
				if inside && ecosystems[u.Ecosystem](path.Base(p)) {
					out = append(out, Bot{"Dependabot", object.Location{File: file, Line: node.Line}, p})
				}
			}
		}
		return out, nil
	}
	return nil, nil
}

// globs tells whether a pattern of a path fits. What is no pattern fits nothing.
func globs(pattern, name string) bool {
	const longest = 500
	pattern, name = path.Clean("/"+pattern), path.Clean("/"+name)
	if len(pattern) > longest || strings.Count(pattern, "*")+strings.Count(pattern, "{") > 20 {
		return false
	}
	if pattern == name {
		return true
	}
	g, err := glob.Compile(pattern, '/')
	return err == nil && g.Match(name)
}

// renovateFiles are where Renovate looks for its settings, in its order.
var renovateFiles = []string{
	"renovate.json", "renovate.json5", ".github/renovate.json", ".github/renovate.json5", ".gitlab/renovate.json",
	".gitlab/renovate.json5", ".renovaterc", ".renovaterc.json", ".renovaterc.json5",
}

// renovateDefaults are the files that managers of Renovate look at unless they are told others, of those managers that change
// files with which things are delivered.
var renovateDefaults = map[string]string{
	"helm-values": `/(^|/)values\.ya?ml$/`,
	"helmv3":      `/(^|/)Chart\.ya?ml$/`,
	"kustomize":   `/(^|/)kustomization\.ya?ml$/`,
}

// renovateOthers are managers that look at nothing unless they are told.
var renovateOthers = []string{"argocd", "flux", "helmfile", "kubernetes"}

func renovate(tree source.Tree, paths []string) ([]Bot, []Problem) {
	for _, file := range renovateFiles {
		whole, ok := readText(tree, file)
		if !ok {
			continue
		}
		var settings map[string]any
		// JSON with comments and commas at ends is YAML once the comments are gone.
		if err := yaml.Unmarshal([]byte(strings.ReplaceAll(withoutComments(whole), "\t", " ")), &settings); err != nil {
			return nil, []Problem{{object.Location{File: file}, "the file is not read: it is no JSON"}}
		}
		if enabled, set := settings["enabled"].(bool); set && !enabled {
			return nil, nil
		}
		var out []Bot
		for _, p := range paths {
			if renovates(settings, p) {
				out = append(out, Bot{"Renovate", object.Location{File: file}, p})
			}
		}
		return out, nil
	}
	return nil, nil
}

// renovates tells whether some manager looks at a path.
func renovates(settings map[string]any, name string) bool {
	fits := func(list []string) bool {
		return slices.ContainsFunc(list, func(g string) bool { return globs(g, name) })
	}
	if include := texts(settings["includePaths"]); len(include) > 0 && !fits(include) || fits(texts(settings["ignorePaths"])) {
		return false
	}
	allowed := texts(settings["enabledManagers"])
	on := func(manager string) bool { return len(allowed) == 0 || slices.Contains(allowed, manager) }
	for _, manager := range slices.Concat(slices.Sorted(maps.Keys(renovateDefaults)), renovateOthers) {
		own, _ := settings[manager].(map[string]any)
		if enabled, set := own["enabled"].(bool); !on(manager) || set && !enabled {
			continue
		}
		patterns := filePatterns(own)
		if d := renovateDefaults[manager]; d != "" {
			patterns = append(patterns, d)
		}
		if looksAt(patterns, name) {
			return true
		}
	}
	for _, key := range []string{"customManagers", "regexManagers"} {
		list, _ := settings[key].([]any)
		for _, one := range list {
			m, _ := one.(map[string]any)
			if (on("regex") || on("custom.regex")) && looksAt(filePatterns(m), name) {
				return true
			}
		}
	}
	return false
}

// filePatterns are those of a manager: until version 40 fileMatch, regular expressions; then managerFilePatterns, which are
// globs unless they stand between slashes.
func filePatterns(m map[string]any) []string {
	out := texts(m["managerFilePatterns"])
	for _, r := range texts(m["fileMatch"]) {
		out = append(out, "/"+r+"/")
	}
	return out
}

func looksAt(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		inner, isRegexp := strings.CutPrefix(p, "/")
		if inner, ends := strings.CutSuffix(inner, "/"); isRegexp && ends && len(inner) < 500 {
			r, err := regexp.Compile(inner)
			return err == nil && r.MatchString(name)
		}
		return globs(p, name)
	})
}

// texts are the strings of a list, or the one that stands in its place.
func texts(v any) []string {
	if s, ok := v.(string); ok {
		return []string{s}
	}
	list, _ := v.([]any)
	var out []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// withoutComments takes the comments out of JSON, outside of strings, and gives all strings the quotes of JSON.
func withoutComments(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		switch rest := s[i:]; {
		case s[i] == '"' || s[i] == '\'':
			end := i + 1
			for end < len(s) && s[end] != s[i] && s[end] != '\n' {
				if s[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(s)-1)
			inner := s[min(i+1, end):end]
			if s[i] == '\'' { // YAML knows no escapes in there
				inner = strings.ReplaceAll(strings.ReplaceAll(inner, `\'`, "'"), `"`, `\"`)
			}
			out.WriteString(`"` + inner + `"`)
			i = end
		case strings.HasPrefix(rest, "//"):
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				i += n - 1
			} else {
				i = len(s)
			}
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return out.String()
			}
			i += n + 3
		default:
			out.WriteByte(s[i])
		}
	}
	return out.String()
}
