package redact

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/unit"
)

const secret = "s3cret&value"

// cleaned is one message after it was cleaned with these files read.
func cleaned(message string, files map[string]string, req unit.Request) string {
	read := map[string][]byte{}
	for name, text := range files {
		read[name] = []byte(text)
	}
	return Gaps([]diag.Gap{{Message: message, Close: "c"}}, req, read)[0].Message
}

// TestPlacesOfSecrets: where a secret may stand so that it is known as one. The message always quotes it.
func TestPlacesOfSecrets(t *testing.T) {
	coded := base64.StdEncoding.EncodeToString([]byte(secret))
	for name, text := range map[string]string{
		"Secret, data":                "apiVersion: v1\nkind: Secret\ndata:\n  x: " + coded + "\n",
		"Secret, stringData":          "kind: Secret\nstringData:\n  x: " + secret + "\n",
		"Secret, flow style":          `{kind: Secret, stringData: {x: ` + secret + `}}`,
		"Secret, JSON":                "{\n\"kind\": \"Secret\",\n\"stringData\": {\n\"x\": \"" + secret + "\"}}",
		"Secret, quoted":              "kind: Secret\nstringData:\n  'x': '" + secret + "' # a comment\n",
		"Secret, in a List":           "kind: List\nitems:\n- kind: Secret\n  stringData: {x: " + secret + "}\n",
		"Secret, second document":     "a: b\n---\nkind: Secret\nstringData: {x: " + secret + "}\n",
		"Secret, block":               "kind: Secret\nstringData:\n  x: |\n    first\n    " + secret + "\n    last\n",
		"Secret, folded":              "kind: Secret\nstringData:\n  x: >-\n    " + secret + "\n",
		"Secret, a file inside":       "kind: Secret\nstringData:\n  app.properties: |\n    user=admin\n    pw=" + secret + "\n",
		"Secret, not YAML":            "kind: Secret\nstringData:\n  x: " + secret + ": y\n\t- [",
		"Secret, template":            "kind: Secret\nmetadata: {name: {{ .Release.Name }}}\nstringData:\n  x: " + secret + "\n",
		"Secret, template, quoted":    "{{- if .x }}\nkind: Secret\ndata:\n{{- range .y }}\n  x: \"" + coded + "\"\n{{- end }}\n{{- end }}\n",
		"key password":                "db:\n  password: " + secret + "\n",
		"key PGPASSWORD":              "PGPASSWORD: " + secret + "\n",
		"key in an env file":          "DB_PASSWORD=" + secret + "\nA=b\n",
		"key clientSecret":            "clientSecret: \"" + secret + "\"\n",
		"key apiKey":                  "apiKey: " + secret,
		"key api-key":                 "api-key: " + secret,
		"key privateKey, block":       "privateKey: |\n  -----BEGIN\n  " + secret + "\n",
		"key credentials, deep":       "credentials:\n  a:\n  - b: " + secret + "\n",
		"key tokens, list":            "tokens: [a, " + secret + "]\n",
		"key, not YAML":               "a: [\npassword: " + secret + "\n",
		"variable":                    "env:\n- name: TOKEN\n  value: " + secret + "\n",
		"variable, flow style":        "env: [{name: TOKEN, value: " + secret + "}]\n",
		"variable, not YAML":          "{{ x }}\nenv:\n  - name: TOKEN\n    value: " + secret + "\n",
		"generator, literals":         "secretGenerator:\n- name: s\n  literals:\n  - x=" + secret + "\n",
		"generator, flow style":       "secretGenerator: [{name: s, literals: [x=" + secret + "]}]\n",
		"generator, quoted literal":   "secretGenerator:\n- literals: ['x=\"" + secret + "\"']\n",
		"generator, no key":           "secretGenerator:\n- literals: [" + secret + "]\n",
		"generator, not YAML":         "secretGenerator:\n- name: s\n  literals:\n  - x=" + secret + "\n  foo: [",
		"generator with other things": "resources: [a]\nconfigMapGenerator: []\nsecretGenerator:\n- literals:\n  - x=" + secret + "\npatches: []\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := cleaned("cannot use "+secret+" here", map[string]string{"f": text}, unit.Request{})
			if got != "cannot use redacted here" {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestGeneratorFiles(t *testing.T) {
	kustomization := "secretGenerator: [{envs: [.env], files: [a=tls.key, b.txt], env: old.env}]"
	for name, text := range map[string]string{
		"k/.env":    "# comment\nX=" + secret + "\n",
		"k/old.env": "X=" + secret + "\n",
		"k/tls.key": "begin\n" + secret + "\nend\n",
		"k/b.txt":   secret,
	} {
		got := cleaned("line: "+secret, map[string]string{"k/kustomization.yaml": kustomization, name: text}, unit.Request{})
		if got != "line: redacted" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestRequestSecrets(t *testing.T) {
	for name, h := range map[string]unit.Helm{
		"values":        {Values: "a: {password: " + secret + "}"},
		"broken values": {Values: "password: " + secret + "\n  x: ["},
		"object":        {ValuesObject: map[string]any{"password": map[string]any{"x": []any{secret}}}},
		"parameter":     {Parameters: []unit.Parameter{{Name: "auth.password", Value: secret}}},
	} {
		req := unit.Request{Source: unit.Source{Helm: &h}}
		if got := cleaned("cannot use "+secret, nil, req); got != "cannot use redacted" {
			t.Errorf("%s: %q", name, got)
		}
	}
	req := unit.Request{Source: unit.Source{Helm: &unit.Helm{Parameters: []unit.Parameter{{Name: "token", Value: "first,second=third"}}}}}
	if got := cleaned(`key "second" has no value, before third`, nil, req); got != `key "redacted" has no value, before redacted` {
		t.Errorf("%q", got)
	}
}

// TestForms: the shapes in which an error may show a value.
func TestForms(t *testing.T) {
	const value = "pä\"ss'word&<x>\nsecond-line"
	coded := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	files := map[string]string{"f": "password: |\n  pä\"ss'word&<x>\n  second-line\n"}
	for name, c := range map[string]struct{ in, want string }{
		"as it is":           {"a " + value + " b", "a redacted b"},
		"one line":           {"a pä\"ss'word&<x> b", "a redacted b"},
		"the other":          {"a second-line b", "a redacted b"},
		"joined by a blank":  {"a pä\"ss'word&<x>  second-line b", "a redacted redacted b"},
		"Go quoted":          {fmt.Sprintf("a %q b", value), `a "redacted" b`},
		"JSON":               {`a "pä\"ss'word\u0026\u003cx\u003e\nsecond-line" b`, `a "redacted" b`},
		"YAML single quotes": {"a 'pä\"ss''word&<x>' b", "a 'redacted' b"},
		"URL":                {"a " + url.QueryEscape(value) + " b", "a redacted b"},
		"base64":             {"a " + coded(value) + " b", "a redacted b"},
		"base64, in more":    {"a " + coded("user:second-line") + " b", "a redacted b"},
		"base64, in more 1":  {"a " + coded("x second-line x") + " b", "a redacted b"},
		"base64, in more 2":  {"a " + coded("xx:second-line:xxx") + " b", "a redacted b"},
		"cut by an engine":   {"cannot unmarshal !!str `second-...` into int", "cannot unmarshal !!str `redacted...` into int"},
		"cut at the end":     {"a value of second-l", "a value of redacted"},
		"cut with a sign":    {"a value of seco… which", "a value of redacted… which"},
		"in a word":          {"xsecond-linex", "xredactedx"},
		"something else":     {"a second line b", "a second line b"},
	} {
		if got := cleaned(c.in, files, unit.Request{}); got != c.want {
			t.Errorf("%s: %q became %q, want %q", name, c.in, got, c.want)
		}
	}
}

// TestUseful: what is no secret stays readable.
func TestUseful(t *testing.T) {
	files := map[string]string{
		"c/values.yaml": "image: {tag: v1.2.3}\nexistingSecretName: database\nsecretRef: {enabled: true}\ntokenEnabled: true\npassword: abc\n",
		"c/templates/x.yaml": "kind: Deployment\nenv:\n- name: A\n  value: production\n- name: TOKEN\n  valueFrom:\n    secretKeyRef:\n      name: credentials\n      key: token\n" +
			"---\nkind: SecretStore\ndata: {x: readable}\n",
		"k/kustomization.yaml": "namespace: readable\nsecretGenerator:\n- name: production\n  options: {}\nconfigMapGenerator:\n- name: credentials\n",
		"k/e.yaml":             "kind: ExternalSecret\nspec:\n  data:\n  - secretKey: x\n    remoteRef: {key: database}\n  secretStoreRef: {name: readable, kind: ClusterStore}\n",
		"k/s.yaml":             "parameters:\n  csi/provisioner-secret-namespace: production\n  tokenSecret: {name: readable, key: credentials}\n",
		"c/crds/x.yaml":        "kind: CustomResourceDefinition\nspec:\n  properties:\n    password:\n      type: readable\n",
		"c/binary":             "password: readable\x00",
	}
	const message = "helm: production v1.2.3 database credentials readable true abc Deployment templates/x.yaml:3"
	if got := cleaned(message, files, unit.Request{}); got != message {
		t.Errorf("%q", got)
	}
}

func TestMessages(t *testing.T) {
	for in, want := range map[string]string{
		"":                           "",
		"two\nlines\r\n\twith blank": "two lines with blank",
		"bell\a and \x1b[31mred":     "bell and [31mred",
		"invalid \xff":               "invalid ?",
	} {
		if got := cleaned(in, nil, unit.Request{}); got != want {
			t.Errorf("%q became %q", in, got)
		}
	}
	long := cleaned(strings.Repeat("é", 1000), nil, unit.Request{})
	if len(long) > maxMessage+len("…") || !strings.HasSuffix(long, "é…") {
		t.Errorf("%d bytes", len(long))
	}
	// The cut must not make a secret unknown.
	at := strings.Repeat("x", maxMessage-6) + secret
	if got := cleaned(at, map[string]string{"f": "password: " + secret}, unit.Request{}); strings.Contains(got, secret[:4]) {
		t.Errorf("%q", got[len(got)-30:])
	}
}

// TestVeryMany: when there are more secrets than can be looked for, nothing is said at all.
func TestVeryMany(t *testing.T) {
	var b strings.Builder
	b.WriteString("kind: Secret\nstringData:\n")
	for i := range maxForms {
		fmt.Fprintf(&b, "  k%d: value-number-%d\n", i, i)
	}
	if got := cleaned("cannot use value-number-7", map[string]string{"f": b.String()}, unit.Request{}); got != withheld {
		t.Errorf("%q", got)
	}
}

// TestGiven: the gaps of the engine stay as they are, and none stays none.
func TestGiven(t *testing.T) {
	gaps := []diag.Gap{{Message: secret, Close: "set " + secret}}
	got := Gaps(gaps, unit.Request{}, map[string][]byte{"f": []byte("token: " + secret)})
	if gaps[0].Message != secret || got[0].Message != "redacted" || got[0].Close != "set redacted" {
		t.Errorf("%+v %+v", gaps, got)
	}
	if got := Gaps(nil, unit.Request{}, nil); got != nil {
		t.Errorf("%+v", got)
	}
}

func FuzzGaps(f *testing.F) {
	f.Add("a hunter2-long b", "password: hunter2-long", "hunter2-long")
	f.Add("x", "kind: Secret\ndata:\n  a: |\n", "y")
	f.Fuzz(func(t *testing.T, message, file, parameter string) {
		if len(message)+len(file)+len(parameter) > 10_000 {
			return
		}
		req := unit.Request{Source: unit.Source{Helm: &unit.Helm{Parameters: []unit.Parameter{{Name: "password", Value: parameter}}}}}
		got := cleaned(message, map[string]string{"f": file}, req)
		plain := strings.TrimSpace(parameter)
		if len(plain) >= shortest && plain != "true" && plain != "false" && plain != "null" && !strings.HasSuffix(plain, ":") &&
			strings.Contains(got, plain) && !strings.Contains("redacted", plain) {
			t.Errorf("%q in %q", plain, got)
		}
	})
}

// TestPublicWordsStay: a value that is called like the Application, its directory or the file of the gap is no secret.
func TestPublicWordsStay(t *testing.T) {
	req := unit.Request{Name: "tailscale", Namespace: "vpns", Source: unit.Source{Path: "apps/tailscale", Helm: &unit.Helm{
		Parameters: []unit.Parameter{{Name: "password", Value: "tailscale"}, {Name: "token", Value: "hunter22"}},
	}}}
	got := Gaps([]diag.Gap{{Message: "tailscale says hunter22", Close: "look into apps/tailscale/charts"}}, req, nil)
	if got[0].Message != "tailscale says redacted" || got[0].Close != "look into apps/tailscale/charts" {
		t.Errorf("%+v", got[0])
	}
}
