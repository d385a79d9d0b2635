package standin

import (
	"encoding/pem"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// pure are all functions of sprig and Helm whose result follows from their arguments (and, for those of Helm's engine,
// from the chart): looked through one by one. A function that is new to either list fails TestEveryFunctionIsJudged, and
// whoever adds it here has read it: no clock, no chance, no time zone, no order of a map, no host.
const pure = `
hello
date_modify dateModify must_date_modify mustDateModify duration unixEpoch
abbrev abbrevboth trunc trim upper lower title untitle substr repeat trimall trimAll trimSuffix trimPrefix nospace initials
swapcase snakecase camelcase kebabcase wrap wrapWith contains hasPrefix hasSuffix quote squote cat indent nindent replace plural
sha1sum sha256sum sha512sum adler32sum toString
atoi int64 int float64 seq toDecimal split splitList splitn toStrings until untilStep
add1 add sub div mod mul add1f addf subf divf mulf biggest max min maxf minf ceil floor round
join sortAlpha
default empty coalesce all any compact mustCompact fromJson toJson toPrettyJson toRawJson
mustFromJson mustToJson mustToPrettyJson mustToRawJson ternary deepCopy mustDeepCopy
typeOf typeIs typeIsLike kindOf kindIs deepEqual
base dir clean ext isAbs osBase osClean osDir osExt osIsAbs
b64enc b64dec b32enc b32dec
tuple list dict get set unset hasKey pluck pick omit merge mergeOverwrite mustMerge mustMergeOverwrite
append push mustAppend mustPush prepend mustPrepend first mustFirst rest mustRest last mustLast initial mustInitial
reverse mustReverse uniq mustUniq without mustWithout has mustHas slice mustSlice concat dig chunk mustChunk
derivePassword buildCustomCert decryptAES
semver semverCompare
fail
regexMatch mustRegexMatch regexFindAll mustRegexFindAll regexFind mustRegexFind regexReplaceAll mustRegexReplaceAll
regexReplaceAllLiteral mustRegexReplaceAllLiteral regexSplit mustRegexSplit regexQuoteMeta
urlParse urlJoin
toToml mustToToml fromToml toYaml mustToYaml toYamlPretty fromYaml fromYamlArray fromJsonArray
mustToDuration durationSeconds durationMilliseconds durationMicroseconds durationNanoseconds durationMinutes durationHours
durationDays durationWeeks durationRoundTo durationTruncateTo
include tpl required
`

// removed are those that Helm's engine takes away, or answers with nothing unless name lookups are switched on.
const removed = "env expandenv getHostByName"

// mapKeys reads the keys of a map literal that is assigned to a name in a file of a package, as the build sees it.
func mapKeys(t *testing.T, pkg, file, name string) []string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", pkg).Output()
	if err != nil {
		t.Fatalf("find the source of %s: %v", pkg, err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	read := func(value ast.Expr) {
		lit, ok := value.(*ast.CompositeLit)
		if !ok {
			return
		}
		for _, e := range lit.Elts {
			key, err := strconv.Unquote(e.(*ast.KeyValueExpr).Key.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			if n.Names[0].Name == name && len(n.Values) == 1 {
				read(n.Values[0])
			}
		case *ast.AssignStmt:
			if id, ok := n.Lhs[0].(*ast.Ident); ok && id.Name == name {
				read(n.Rhs[0])
			}
		}
		return true
	})
	return keys
}

func TestEveryFunctionIsJudged(t *testing.T) {
	sprig := mapKeys(t, "github.com/Masterminds/sprig/v3", "functions.go", "genericMap")
	helm := mapKeys(t, "helm.sh/helm/v4/pkg/engine", "funcs.go", "extra")
	if len(sprig) < 200 || len(helm) < 20 {
		t.Fatalf("the function maps were not found: %d and %d names", len(sprig), len(helm))
	}
	all := slices.Concat(sprig, helm)
	replaced := New(1, 0).Funcs()
	judged := slices.Concat(strings.Fields(pure), strings.Fields(removed), slices.Collect(maps.Keys(replaced)))
	slices.Sort(judged)
	for i, name := range judged {
		if i > 0 && judged[i-1] == name {
			t.Errorf("%s is judged twice", name)
		}
		if !slices.Contains(all, name) {
			t.Errorf("%s is judged, but neither sprig nor Helm has it", name)
		}
	}
	for _, name := range all {
		if !slices.Contains(judged, name) {
			t.Errorf("%s is new: read it, and put it among the pure ones or give it a stand-in", name)
		}
	}
}

func TestOtherMoment(t *testing.T) {
	for day := range 366 {
		for hour := range 24 {
			a := time.Date(2026, 1, 1, hour, 59, 59, 0, time.UTC).AddDate(0, 0, day)
			b := otherMoment(a)
			if a.Year() == b.Year() || a.Month() == b.Month() || a.Day() == b.Day() || a.Weekday() == b.Weekday() ||
				a.Hour() == b.Hour() || a.Minute() == b.Minute() || a.Second() == b.Second() || a.YearDay() == b.YearDay() {
				t.Fatalf("%s and %s share a part", a, b)
			}
		}
	}
}

func TestCertificateContent(t *testing.T) {
	s := New(3, 0)
	ca, err := s.issue(request{cn: "ca", days: 10, ca: true}, s.newKey(), nil)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := s.issue(request{cn: "leaf", ips: []any{"::1"}, dns: []any{"leaf.svc"}, days: 1}, s.newKey(), ca)
	if err != nil {
		t.Fatal(err)
	}
	root, _, err := parseCA(ca)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := parseCA(leaf)
	if err != nil {
		t.Fatal(err)
	}
	if err := got.CheckSignatureFrom(root); err != nil {
		t.Errorf("signature: %v", err)
	}
	if got.Subject.CommonName != "leaf" || got.DNSNames[0] != "leaf.svc" || got.IPAddresses[0].String() != "::1" || got.IsCA || !root.IsCA {
		t.Errorf("leaf: %+v", got.Subject)
	}
	if want := s.now.AddDate(0, 0, 1); !got.NotAfter.Equal(want) {
		t.Errorf("not after %s, want %s", got.NotAfter, want)
	}
	if block, _ := pem.Decode([]byte(leaf.Key)); block == nil || block.Type != "PRIVATE KEY" {
		t.Errorf("key: %s", leaf.Key)
	}
}
