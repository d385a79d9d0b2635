package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/report"
)

// rendering holds the flags of render.
type rendering struct {
	reading
	format string
	units  []string
}

func renderCommand() *cobra.Command {
	var f rendering
	cmd := &cobra.Command{
		Use:   "render [PATH]",
		Short: "Print what would be applied, one object a line; values of Secrets read \"redacted\"",
		Args:  onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, args)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.format, "format", "jsonl", "jsonl or yaml")
	cmd.Flags().StringArrayVar(&f.units, "unit", nil, "only this unit, by the `NAME` that scan prints; repeatable")
	return cmd
}

func (f *rendering) run(cmd *cobra.Command, args []string) error {
	write := writeJSONLine
	switch f.format {
	case "jsonl":
	case "yaml":
		write = writeYAML
	default:
		return usagef("--format %q: jsonl or yaml", f.format)
	}
	o, err := f.open(cmd.Context(), args)
	if err != nil {
		return err
	}
	defer o.Close()
	clear := f.show(cmd.ErrOrStderr(), o)
	rendered, err := pipeline.Render(cmd.Context(), o.input)
	clear()
	if err != nil {
		return err
	}
	if err := f.known(rendered.Names); err != nil {
		return err
	}
	err = f.sink(cmd.OutOrStdout(), func(w io.Writer) error {
		buffered := bufio.NewWriter(w)
		for _, r := range rendered.Objects {
			if f.wants(r.Unit) {
				if err := write(buffered, r); err != nil {
					return err
				}
			}
		}
		return buffered.Flush()
	})
	if err != nil {
		return err
	}
	return f.complain(cmd.ErrOrStderr(), rendered.Gaps)
}

func (f *rendering) wants(name string) bool {
	return len(f.units) == 0 || slices.Contains(f.units, name)
}

func (f *rendering) known(names []string) error {
	for _, u := range f.units {
		if !slices.Contains(names, u) {
			return usagef("--unit %q: no such unit; there are: %s", u, strings.Join(names, ", "))
		}
	}
	return nil
}

// complain prints the gaps of the units asked for on standard error: they are no objects.
func (f *rendering) complain(w io.Writer, gaps []diag.Gap) error {
	any := false
	for _, g := range gaps {
		if g.Unit != "" && !f.wants(g.Unit) {
			continue
		}
		any = true
		at := g.At.File
		if g.At.Line > 0 {
			at = fmt.Sprintf("%s:%d", at, g.At.Line)
		}
		fmt.Fprintln(w, report.Line(fmt.Sprintf("gap: %s: %s: %s: %s; close: %s", g.Reason, at, g.Unit, g.Message, g.Close)))
	}
	if any && f.strict {
		return failing{}
	}
	return nil
}

// applied is one line of render.
type applied struct {
	Unit   string          `json:"unit"`
	Object any             `json:"object"`
	Origin object.Location `json:"origin"`
}

func writeJSONLine(w io.Writer, r pipeline.Rendered) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(applied{Unit: r.Unit, Object: r.Public(), Origin: r.Object.Origin})
}

func writeYAML(w io.Writer, r pipeline.Rendered) error {
	text, err := yaml.Marshal(r.Public())
	if err != nil {
		return fmt.Errorf("encode %s: %w", r.Object.ID, err)
	}
	at := r.Object.Origin.File
	if r.Object.Origin.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, r.Object.Origin.Line)
	}
	_, err = fmt.Fprintf(w, "---\n# %s\n%s", report.Line("unit "+r.Unit+", from "+at), text)
	return err
}
