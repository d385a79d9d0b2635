package appset

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"text/template"
	"text/template/parse"
)

// maxText bounds what a function returns, in bytes: nested calls could otherwise double a text with every level.
const maxText = 64 << 10

func bound(s string) (string, error) {
	if len(s) > maxText {
		return "", fmt.Errorf("a text grows beyond %d bytes", maxText)
	}
	return s, nil
}

// functions are what a goTemplate set may call here. All are pure, take time linear in their input and give bounded
// output; the rest of the function set that Argo CD offers is refused by name.
func functions() template.FuncMap {
	return template.FuncMap{
		"lower":      func(s string) (string, error) { return bound(strings.ToLower(s)) },
		"upper":      func(s string) (string, error) { return bound(strings.ToUpper(s)) },
		"trim":       strings.TrimSpace,
		"trimPrefix": func(prefix, s string) string { return strings.TrimPrefix(s, prefix) },
		"trimSuffix": func(suffix, s string) string { return strings.TrimSuffix(s, suffix) },
		"replace":    replace,
		"quote":      func(v any) (string, error) { return bound(fmt.Sprintf("%q", fmt.Sprint(v))) },
		"print":      func(args ...any) (string, error) { return bound(fmt.Sprint(args...)) },
		"default": func(fallback, v any) any {
			if truth, ok := template.IsTrue(v); !ok || !truth {
				return fallback
			}
			return v
		},
		"normalize": normalize,
	}
}

func replace(from, to, s string) (string, error) {
	if grown := len(s) + strings.Count(s, from)*len(to); grown > maxText {
		return "", fmt.Errorf("a text grows beyond %d bytes", maxText)
	}
	return strings.ReplaceAll(s, from, to), nil
}

// builtins are the language's own functions that may be called: no call, no loop.
var builtins = map[string]bool{
	"and": true, "or": true, "not": true, "eq": true, "ne": true, "lt": true, "le": true, "gt": true, "ge": true,
	"index": true, "len": true,
}

var notDNS = regexp.MustCompile(`[^-a-z0-9.]`)

// normalize makes a DNS name of a string, as Argo CD's function of that name does (applicationset/utils SanitizeName).
func normalize(s string) string {
	s = notDNS.ReplaceAllString(strings.ToLower(s), "-")
	if len(s) > 253 {
		s = s[:253]
	}
	return strings.Trim(s, "-.")
}

// goTemplate fills one string of a goTemplate set. strict is the option missingkey=error.
func goTemplate(text string, params map[string]any, strict bool) (string, error) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	if len(text) > maxTemplate || strings.Count(text, "{{") > maxActions {
		return "", fmt.Errorf("a template is larger than %d bytes or holds more than %d actions", maxTemplate, maxActions)
	}
	t := template.New("").Funcs(functions())
	if strict {
		t = t.Option("missingkey=error")
	}
	if _, err := t.Parse(text); err != nil {
		if m := undefined.FindStringSubmatch(err.Error()); m != nil {
			return "", &Unsupported{"template function " + m[1]}
		}
		return "", fmt.Errorf("a template cannot be parsed: %w", err)
	}
	if len(t.Templates()) > 1 {
		return "", &Unsupported{"a template that defines templates"}
	}
	if t.Tree == nil {
		return "", nil
	}
	if err := bounded(t.Root); err != nil {
		return "", err
	}
	var out limited
	if err := t.Execute(&out, floats(params)); err != nil {
		return "", fmt.Errorf("a template cannot be filled: %w", err)
	}
	return out.String(), nil
}

// Bounds of one template: the parser calls itself for every nested action.
const (
	maxTemplate = 1 << 20
	maxActions  = 2000
)

// limited is a builder that refuses to grow beyond a template's size.
type limited struct{ strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxTemplate {
		return 0, fmt.Errorf("the text grows beyond %d bytes", maxTemplate)
	}
	return l.Builder.Write(p)
}

// floats makes numbers what the controller has them as: elements are decoded without regard to integers.
func floats(v any) any {
	switch v := v.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return f
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = floats(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = floats(e)
		}
		return out
	}
	return v
}

var undefined = regexp.MustCompile(`function "([^"]+)" not defined`)

// bounded refuses every construct that could run longer than its text is long.
func bounded(n parse.Node) error {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return nil
		}
		for _, c := range n.Nodes {
			if err := bounded(c); err != nil {
				return err
			}
		}
		return nil
	case *parse.TextNode, *parse.CommentNode:
		return nil
	case *parse.ActionNode:
		return boundedPipe(n.Pipe)
	case *parse.IfNode:
		return boundedBranch(&n.BranchNode)
	case *parse.WithNode:
		return boundedBranch(&n.BranchNode)
	}
	return &Unsupported{fmt.Sprintf("template construct %s", n)}
}

func boundedBranch(n *parse.BranchNode) error {
	if err := boundedPipe(n.Pipe); err != nil {
		return err
	}
	if err := bounded(n.List); err != nil {
		return err
	}
	return bounded(n.ElseList)
}

func boundedPipe(p *parse.PipeNode) error {
	if p == nil {
		return nil
	}
	for _, c := range p.Cmds {
		for _, arg := range c.Args {
			if err := boundedArg(arg); err != nil {
				return err
			}
		}
	}
	return nil
}

func boundedArg(n parse.Node) error {
	switch n := n.(type) {
	case *parse.PipeNode:
		return boundedPipe(n)
	case *parse.ChainNode:
		return boundedArg(n.Node)
	case *parse.IdentifierNode:
		if _, ours := functions()[n.Ident]; ours || builtins[n.Ident] {
			return nil
		}
		return &Unsupported{"template function " + n.Ident}
	}
	return nil
}
