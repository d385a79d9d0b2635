// Package html prints a report as one page that needs nothing else: no network, no script, no font.
//
// In goes a diag.Report and a writer, out come bytes that depend on nothing else. Text of a repository is made printable first
// and then escaped by html/template, each where it stands; a strict policy in the page forbids everything but its own style.
// The package refuses to judge, and to say in other words what report says.
package html

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/syncproof/syncproof/internal/diag"
)

// Format is what the page is called where a format is chosen.
const Format = "html"

//go:embed page/*.html page/style.css
var files embed.FS

// Write prints a report as a page.
func Write(w io.Writer, r diag.Report) error {
	style, err := files.ReadFile("page/style.css")
	if err != nil {
		return err
	}
	t, err := template.New("page.html").Funcs(template.FuncMap{"day": day, "counted": counted, "paths": parts, "colour": colour}).ParseFS(files, "page/*.html")
	if err != nil {
		return fmt.Errorf("templates: %w", err)
	}
	v := viewOf(tidied(r))
	sum := sha256.Sum256(style)
	v.Policy = "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
	v.Style = template.CSS(style) // ours, and what the policy names byte by byte
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}
