package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncproof/syncproof/internal/dictionary"
	"github.com/syncproof/syncproof/internal/match/descriptor"
)

// transcoding holds the flags for the transcoder's options. Each has the name that it has in Envoy's configuration, and
// another one with dashes, as other flags have.
type transcoding struct {
	given descriptor.Transcoder
	sizes [2]uint32 // of requests and of responses
}

// switches are the options that are on or off.
func switches(t *descriptor.Transcoder) map[string]*bool {
	v, p := &t.RequestValidation, &t.PrintOptions
	return map[string]*bool{
		"auto_mapping":                         &t.AutoMapping,
		"match_incoming_request_route":         &t.MatchIncomingRequestRoute,
		"match_unregistered_custom_verb":       &t.MatchUnregisteredCustomVerb,
		"query_param_unescape_plus":            &t.QueryParamUnescapePlus,
		"ignore_unknown_query_parameters":      &t.IgnoreUnknownQueryParameters,
		"capture_unknown_query_parameters":     &t.CaptureUnknownQueryParameters,
		"convert_grpc_status":                  &t.ConvertGRPCStatus,
		"case_insensitive_enum_parsing":        &t.CaseInsensitiveEnumParsing,
		"reject_unknown_method":                &v.RejectUnknownMethod,
		"reject_unknown_query_parameters":      &v.RejectUnknownQueryParameters,
		"reject_binding_body_field_collisions": &v.RejectBindingBodyFieldCollisions,
		"add_whitespace":                       &p.AddWhitespace,
		"always_print_primitive_fields":        &p.AlwaysPrintPrimitiveFields,
		"always_print_enums_as_ints":           &p.AlwaysPrintEnumsAsInts,
		"preserve_proto_field_names":           &p.PreserveProtoFieldNames,
		"stream_newline_delimited":             &p.StreamNewlineDelimited,
		"stream_sse_style_delimited":           &p.StreamSSEStyleDelimited,
	}
}

// The options that are no switches.
const (
	ignoredParameters = "ignored_query_parameters"
	unescapeSpec      = "url_unescape_spec"
	requestSize       = "max_request_body_size"
	responseSize      = "max_response_body_size"
)

// unescapeSpecs are the values of url_unescape_spec; the first is Envoy's default.
var unescapeSpecs = [...]string{"ALL_CHARACTERS_EXCEPT_RESERVED", "ALL_CHARACTERS_EXCEPT_SLASH", "ALL_CHARACTERS"}

func (f *transcoding) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	var names []string
	twice := func(name string, add func(name string)) {
		add(name)
		add(dashed(name))
		names = append(names, name)
	}
	on := switches(&f.given)
	for _, name := range slices.Sorted(maps.Keys(on)) {
		twice(name, func(n string) { flags.BoolVar(on[name], n, false, "the transcoder's option") })
	}
	twice(ignoredParameters, func(n string) {
		flags.StringSliceVar(&f.given.IgnoredQueryParameters, n, nil, "the transcoder's option: `NAMES` with commas between")
	})
	twice(unescapeSpec, func(n string) {
		flags.StringVar(&f.given.URLUnescapeSpec, n, unescapeSpecs[0], "the transcoder's option: a `NAME`")
	})
	for i, name := range []string{requestSize, responseSize} {
		twice(name, func(n string) { flags.Uint32Var(&f.sizes[i], n, 0, "the transcoder's option: `BYTES`") })
	}
	for _, name := range names {
		if dashed(name) != name {
			flags.Lookup(name).Hidden = true
		}
	}
}

func dashed(name string) string { return strings.ReplaceAll(name, "_", "-") }

// config is what the two sides' EnvoyFilters say, with flags before them. Both sides are compared under one
// configuration: where theirs differ, a flag has to decide.
func (f *transcoding) config(cmd *cobra.Command, old, new dictionary.Release) (descriptor.Transcoder, error) {
	if !slices.Contains(unescapeSpecs[:], f.given.URLUnescapeSpec) {
		return descriptor.Transcoder{}, usagef("--%s %q: %s", dashed(unescapeSpec), f.given.URLUnescapeSpec, strings.Join(unescapeSpecs[:], ", "))
	}
	a, b := f.over(cmd, old.Filter), f.over(cmd, new.Filter)
	switch {
	case old.Filter == nil:
		return b, nil
	case new.Filter == nil:
		return a, nil
	}
	x, y := optionsOf(a), optionsOf(b)
	apart := slices.Concat(without(x, y), without(y, x))
	if len(apart) > 0 {
		return descriptor.Transcoder{}, usagef("%s and %s configure the transcoder differently (%s): decide with the flag of that name",
			old.Name, new.Name, strings.Join(apart, "; "))
	}
	b.Unknown = slices.Concat(a.Unknown, b.Unknown)
	return b, nil
}

// without gives the strings of a list that another one lacks.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

// over lays the flags that were set over a filter's configuration, without what belongs to one side alone.
func (f *transcoding) over(cmd *cobra.Command, filter *descriptor.Transcoder) descriptor.Transcoder {
	out := descriptor.Transcoder{URLUnescapeSpec: unescapeSpecs[0]}
	if filter != nil {
		out = *filter
	}
	out.Services, out.ProtoDescriptor, out.ProtoDescriptorBin = nil, "", nil
	set := func(name string) bool { return cmd.Flags().Changed(name) || cmd.Flags().Changed(dashed(name)) }
	to, from := switches(&out), switches(&f.given)
	for name := range to {
		if set(name) {
			*to[name] = *from[name]
		}
	}
	if set(ignoredParameters) {
		out.IgnoredQueryParameters = f.given.IgnoredQueryParameters
	}
	if set(unescapeSpec) {
		out.URLUnescapeSpec = f.given.URLUnescapeSpec
	}
	if set(requestSize) {
		out.MaxRequestBodySize = &f.sizes[0]
	}
	if set(responseSize) {
		out.MaxResponseBodySize = &f.sizes[1]
	}
	return out
}

// optionsOf lists what is not Envoy's default, sorted.
func optionsOf(t descriptor.Transcoder) []string {
	out := []string{}
	for name, on := range switches(&t) {
		if *on {
			out = append(out, name)
		}
	}
	if len(t.IgnoredQueryParameters) > 0 {
		out = append(out, ignoredParameters+": "+strings.Join(t.IgnoredQueryParameters, ", "))
	}
	if t.URLUnescapeSpec != unescapeSpecs[0] {
		out = append(out, unescapeSpec+": "+t.URLUnescapeSpec)
	}
	if t.MaxRequestBodySize != nil {
		out = append(out, fmt.Sprintf("%s: %d", requestSize, *t.MaxRequestBodySize))
	}
	if t.MaxResponseBodySize != nil {
		out = append(out, fmt.Sprintf("%s: %d", responseSize, *t.MaxResponseBodySize))
	}
	slices.Sort(out)
	return out
}
