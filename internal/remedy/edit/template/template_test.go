package template_test

import (
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/remedy/edit/template"
)

const text = `{{- /* a
comment of two lines */ -}}
{{- if .Values.on }}
metadata:
  name: {{ .Release.Name }}-{{ "}}" | quote }}
  labels: {{- include "x" . | nindent 4 }}
  {{- with .Values.a }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
data:
  text: |
    {{ .Values.text }}
{{ end }}
`

func TestMask(t *testing.T) {
	m, err := template.Mask([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := `#zq0x
#zq1x
#zq2x
metadata:
  name: zq3x-zq4x
  labels: zq5x
  #zq6x
  annotations:
    #zq7x
  #zq8x
data:
  text: |
    #zq9x
#zq10x
`
	if string(m.Text) != want {
		t.Errorf("masked:\n%s\nwant:\n%s", m.Text, want)
	}
	if back, lost, err := m.Reveal(m.Text); err != nil || lost != 0 || string(back) != text {
		t.Errorf("revealed: %v, %d lost\n%s", err, lost, back)
	}
	if !m.Controls() || m.Defines() || m.Plain() || !m.Tokened("a-zq3x") || m.Tokened("a") {
		t.Error("what the template holds is not told")
	}
}

func TestReveal(t *testing.T) {
	m, err := template.Mask([]byte("a: {{ 1 }}\nb: {{ 2 }}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for edited, want := range map[string]string{
		"b: zq1x\n":                                    "b: {{ 2 }}\n",
		"a: zq0x\nb: zq1x\nc: 1\n":                     "a: {{ 1 }}\nb: {{ 2 }}\nc: 1\n",
		"b: zq1x\na: zq0x\n":                           "would move",
		"a: zq0x\nb: zq1x\nc: zq0x\n":                  "would stand twice",
		"a: zq0x\nb: zq1x-" + m.Hide("{{ 3 }}") + "\n": "a: {{ 1 }}\nb: {{ 2 }}-{{ 3 }}\n",
	} {
		got, _, err := m.Reveal([]byte(edited))
		if err != nil {
			got = []byte(err.Error())
		}
		if !strings.Contains(string(got), want) {
			t.Errorf("%q gives %q, want %q", edited, got, want)
		}
	}
}

func TestNoEnd(t *testing.T) {
	for _, text := range []string{"a\n{{ b", "a\n{{ \"}}\n", "a\n{{/* }}", "a\n{{- /* */ "} {
		if _, err := template.Mask([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "line 2:") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSafe(t *testing.T) {
	for _, c := range []struct{ name, text, at, want string }{
		{"plain", "a: 1\nb: {{ 2 }}\n", "b", ""},
		{"the condition of the object", "{{ if x }}\na: 1\nb: 2\n{{ end }}\n", "b", ""},
		{"its other branch", "a: 1\n{{ if x }}\nb: 2\n{{ else }}\nc: 3\n{{ end }}\n", "c", "another condition"},
		{"behind a condition", "a: 1\n{{ if x }}\nb: 2\n{{ end }}\nc: 3\n", "c", ""},
		{"swallows", "a: {{ 1 -}}\nb: 2\n", "b", "swallows the line end"},
		{"glues", "a: 1\n{{- .x }}\nb: 2\n", "{{-", "goes on the line before"},
		{"a list that begins a line", "a:\n  {{- toYaml .x | nindent 2 }}\n", "  {{-", ""},
	} {
		m, err := template.Mask([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		line := strings.Count(c.text[:strings.Index(c.text, "\n"+c.at)+1], "\n")
		lines := strings.SplitAfter(string(m.Text), "\n")
		edited := strings.Join(lines[:line], "") + "new: 0\n" + strings.Join(lines[line:], "")
		object := strings.Count(c.text[:strings.Index(c.text, "a:")], "\n") + 1
		err = m.Safe(m.Text, []byte(edited), object)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add(text)
	f.Add("zq {{`}}`}}\r\n\t{{ 'a' }} {{ b }}\n#{{ c }}")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := template.Mask([]byte(text))
		if err != nil {
			return
		}
		if back, lost, err := m.Reveal(m.Text); err != nil || lost != 0 || string(back) != text {
			t.Errorf("%q comes back as %q: %v, %d lost", text, back, err, lost)
		}
		if strings.Count(text, "\n") != strings.Count(string(m.Text), "\n") {
			t.Errorf("%q has other lines masked: %q", text, m.Text)
		}
	})
}
