package demo

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestEditLines(t *testing.T) {
	const text = "one\n  two\n\nthree\ntwo\n"
	for name, c := range map[string]struct{ blocks, want, problem string }{
		"replace":             {"-three\n+3\n", "one\n  two\n\n3\ntwo\n", ""},
		"insert behind":       {" one\n+half\n", "one\nhalf\n  two\n\nthree\ntwo\n", ""},
		"delete with a blank": {"-\n-three\n", "one\n  two\ntwo\n", ""},
		"blank without mark":  {"   two\n\n-three\n", "one\n  two\n\ntwo\n", ""},
		"two blocks":          {"-one\n+1\n@@\n three\n-two\n+2\n", "1\n  two\n\nthree\n2\n", ""},
		"not there":           {"-four\n", "", "in 0 places"},
		"twice there":         {"-\n", "", "in 2 places"},
		"no mark":             {"one\n", "", "begins with none"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := editLines(text, c.blocks)
			if c.problem == "" && (err != nil || got != c.want) {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
			if c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)) {
				t.Errorf("error is %v, want one with %q", err, c.problem)
			}
		})
	}
}

func TestApply(t *testing.T) {
	images := map[string]release{"v1": {descriptor: []byte("pb")}}
	for section, want := range map[string]string{
		"c":                 "a=A d/b=B c=new",
		"delete d":          "a=A",
		"move a d/a":        "d/a=A d/b=B",
		"copy d/b b":        "a=A b=B d/b=B",
		"descriptor v1 x/p": "a=A d/b=B x/p=pb",
		"delete nothing":    "no such file",
		"move nothing a":    "no such file",
		"descriptor v2 x":   "no such image",
		"rename a b":        "no such edit",
		"delete a d/b":      "no such edit",
	} {
		t.Run(section, func(t *testing.T) {
			tr := tree{"a": []byte("A"), "d/b": []byte("B")}
			err := tr.apply(txtar.File{Name: section, Data: []byte("new")}, images)
			if err != nil {
				if err.Error() != want {
					t.Errorf("error is %v, want %s", err, want)
				}
				return
			}
			wanted := map[string]bool{}
			for pair := range strings.FieldsSeq(want) {
				name, content, _ := strings.Cut(pair, "=")
				wanted[name] = true
				if string(tr[name]) != content {
					t.Errorf("%s is %q, want %q", name, tr[name], content)
				}
			}
			if len(tr) != len(wanted) {
				t.Errorf("the tree is %v, want %s", tr, want)
			}
		})
	}
}

func TestParseStepRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, problem string }{
		"no message":  {"author: a\ndate: 2024-01-01T00:00:00Z\n", "no message"},
		"unknown key": {"author: a\nwhen: now\n\nm\n", `no key "when"`},
		"no value":    {"author\n\nm\n", `is not "key: value"`},
		"no date":     {"author: a\n\nm\n", "author or date is missing"},
		"bad date":    {"author: a\ndate: 2024\n\nm\n", "parsing time"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parseStep([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("error is %v, want one with %q", err, c.problem)
			}
		})
	}
}

func TestSetRelease(t *testing.T) {
	const values = "# kept\nimage:\n  repository: r # kept\n  tag: v1\ntranscoder:\n  services:\n    - a.A\n    - b.B\nend: 1\n"
	const want = "# kept\nimage:\n  repository: r # kept\n  tag: v2\ntranscoder:\n  services:\n    - c.C\nend: 1\n"
	if got, err := setRelease(values, "v2", []string{"c.C"}); err != nil || got != want {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := setRelease("image: {}\n", "v2", nil); err == nil {
		t.Error("values without a tag were taken")
	}
}
