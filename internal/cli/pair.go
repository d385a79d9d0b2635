package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/dictionary"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/pair"
	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/report"
	"github.com/syncproof/syncproof/internal/report/compared"
)

// pairing holds the flags of pair.
type pairing struct {
	transcoding
	services []string
	imports  []string
	key      string
	server   string
	need     string
	format   string
	output   string
}

const pairLong = `pair compares two releases of an API behind Envoy's gRPC-JSON transcoder: what callers meet while the proxy
has the dictionary of one release and the server is of the other, and in which order the two may be delivered.

OLD and NEW are each one of: a file with a serialized FileDescriptorSet; a .proto file, or a directory of them, from which
imports count; a manifest (YAML or JSON) with a ConfigMap that holds a set, or with an EnvoyFilter whose transcoder does,
whose services and options then count, too; or REV:path, any of these in the Git repository of the current directory.

Imports that are not there come from -I PREFIX=DIR. Where protos import each other by the path of their module, it is
-I MODULE=: that says so, a colon for each side's own files.

The transcoder's options have the names of Envoy's configuration, with dashes or underscores.

Exit code 1: no order is safe for callers of the old API, or --need is not allowed. 2: a mistake in the call, or an input
that is not what it should be.`

func pairCommand() *cobra.Command {
	var f pairing
	cmd := &cobra.Command{
		Use:   "pair OLD NEW",
		Short: "Show in which order two releases of an API may reach a transcoder and its server",
		Long:  pairLong,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("OLD and NEW expected, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.services, "services", nil, "the transcoder's services, `A,B` (default: those of each side)")
	flags.StringArrayVarP(&f.imports, "import", "I", nil, "where imports are, as `PREFIX=DIR`, DIR, or PREFIX=: for a side's own files; repeatable")
	flags.StringVar(&f.key, "key", "", "the `KEY` of a ConfigMap that holds the descriptor set")
	flags.StringVar(&f.server, "server", "go", "the gRPC library of the server: go, c++ or java")
	flags.StringVar(&f.need, "need", "", "exit 1 unless this `ORDER` is safe: any, dictionary-first or image-first")
	flags.StringVar(&f.format, "format", string(report.Text), "text, json or markdown")
	flags.StringVar(&f.output, "output", "", "write to `FILE` instead of standard output")
	f.register(cmd)
	return cmd
}

func (f *pairing) run(cmd *cobra.Command, old, new string) error {
	kinds := map[string]transcode.ServerKind{"go": transcode.GoServer, "c++": transcode.CServer, "java": transcode.JavaServer}
	kind, ok := kinds[f.server]
	switch {
	case !ok:
		return usagef("--server %q: go, c++ or java", f.server)
	case f.need != "" && !slices.Contains([]pair.Order{pair.AnyOrder, pair.DictionaryFirst, pair.ImageFirst}, pair.Order(f.need)):
		return usagef("--need %q: any, dictionary-first or image-first", f.need)
	case !slices.Contains(compared.Formats(), report.Format(f.format)):
		return usagef("--format %q: text, json or markdown", f.format)
	}
	c := comparison{options: pair.Options{Server: kind}, server: f.server}
	if err := f.open(cmd, &c, old, new); err != nil {
		return err
	}
	c.result = pair.Compare(c.old.Set, c.new.Set, c.options)
	sink := reading{output: f.output}
	err := sink.sink(cmd.OutOrStdout(), func(w io.Writer) error {
		return compared.Write(w, report.Format(f.format), c.document())
	})
	if err != nil {
		return err
	}
	if !allows(c.result.SafeOrder, pair.Order(f.need)) {
		return failing{}
	}
	return nil
}

// allows says that an order is one of the safe ones. Without a need any will do.
func allows(safe, need pair.Order) bool {
	switch need {
	case "":
		return safe != pair.NoOrder
	case pair.AnyOrder:
		return safe == pair.AnyOrder
	}
	return safe == pair.AnyOrder || safe == need
}

// open reads both sides, and what the transcoder does with them.
func (f *pairing) open(cmd *cobra.Command, c *comparison, old, new string) (err error) {
	r := &dictionary.Reader{Key: f.key}
	defer r.Close()
	err = r.Mount(cmd.Context(), f.imports)
	if err == nil {
		c.old, err = r.Read(cmd.Context(), old)
	}
	if err == nil {
		c.new, err = r.Read(cmd.Context(), new)
	}
	switch {
	case cmd.Context().Err() != nil:
		return cmd.Context().Err()
	case err != nil:
		return usageError{err}
	}
	o := &c.options
	if o.Config, err = f.config(cmd, c.old, c.new); err != nil {
		return err
	}
	for _, name := range f.services {
		_, inOld := c.old.Set.Service(name)
		if _, inNew := c.new.Set.Service(name); !inOld && !inNew {
			return usagef("--services %s: neither side has such a service", name)
		}
	}
	if o.OldServices, err = f.servicesOf(c.old, c.new); err != nil {
		return err
	}
	if o.NewServices, err = f.servicesOf(c.new, c.old); err != nil {
		return err
	}
	// What is refused today has no callers whom a release could harm.
	config := o.Config
	config.Services = o.OldServices
	if _, err := transcode.Load(c.old.Set, config); err != nil {
		return usagef("%s: %w", old, err)
	}
	return nil
}

// servicesOf is the list that goes with a side's dictionary: its EnvoyFilter's, or of those that were asked for, or that
// the other side's EnvoyFilter lists, the ones that it has, or all that it has.
func (f *pairing) servicesOf(side, other dictionary.Release) ([]string, error) {
	wanted := f.services
	switch {
	case len(wanted) > 0:
	case side.Filter != nil:
		return side.Filter.Services, nil
	case other.Filter != nil:
		wanted = other.Filter.Services
	default:
		for _, s := range side.Set.Services {
			wanted = append(wanted, s.Name)
		}
	}
	have := slices.DeleteFunc(slices.Clone(wanted), func(name string) bool {
		_, ok := side.Set.Service(name)
		return !ok
	})
	switch {
	case len(side.Set.Services) == 0:
		return nil, usagef("%s declares no service", side.Name)
	case len(have) == 0:
		return nil, usagef("%s has none of the services %s", side.Name, strings.Join(wanted, ", "))
	}
	return have, nil
}

// methodsOf counts the methods of services.
func methodsOf(set *descriptor.Set, services []string) int {
	n := 0
	for _, name := range services {
		s, _ := set.Service(name)
		n += len(s.Methods)
	}
	return n
}
