package helm

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	chart "helm.sh/helm/v4/pkg/chart/v2"

	"github.com/syncproof/syncproof/internal/diag"
)

// validate holds the merged values against values.schema.json of the chart and of its subcharts, as Helm does
// (pkg/chart/common/util/jsonschema.go) save for references that leave the schema.
func (r *renderer) validate(c *chart.Chart, values map[string]any) *diag.Gap {
	if c.Schema != nil {
		if gap := r.validateOne(c, values); gap != nil {
			return gap
		}
	}
	for _, d := range c.Dependencies() {
		if values[d.Name()] == nil {
			continue
		}
		inner, ok := values[d.Name()].(map[string]any)
		if !ok {
			return r.gap(diag.RenderFailed, fmt.Sprintf("the value %q is no mapping, but names a subchart", d.Name()), closeValues)
		}
		if gap := r.validate(d, inner); gap != nil {
			return gap
		}
	}
	return nil
}

func (r *renderer) validateOne(c *chart.Chart, values map[string]any) *diag.Gap {
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Schema))
	if err != nil {
		return r.gap(diag.Unparsable, fmt.Sprintf("values.schema.json of chart %s is no JSON", c.Name()), closeChart)
	}
	const self = "file:///values.schema.json" // the name that Helm gives it
	outside := &outsideSchemas{}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(outside)
	if err := compiler.AddResource(self, schema); err != nil {
		return r.gap(diag.Unparsable, fmt.Sprintf("values.schema.json of chart %s is no JSON schema", c.Name()), closeChart)
	}
	compiled, err := compiler.Compile(self)
	switch {
	case outside.first != "":
		reason := diag.Remote
		if strings.HasPrefix(outside.first, "file:") {
			reason = diag.Unsupported
		}
		return r.gap(reason, fmt.Sprintf("values.schema.json of chart %s refers to %s", c.Name(), withoutUser(outside.first)),
			"put the definitions into the schema, or set helm.skipSchemaValidation")
	case err != nil:
		return r.gap(diag.RenderFailed, fmt.Sprintf("values.schema.json of chart %s is no JSON schema", c.Name()), closeChart)
	}
	if err := compiled.Validate(values); err != nil {
		return r.gap(diag.RenderFailed,
			fmt.Sprintf("the values of chart %s do not meet values.schema.json: %s", c.Name(), violation(err)), closeValues)
	}
	return nil
}

// outsideSchemas refuses every schema outside the document, and keeps the first that was asked for. Helm accepts an
// unknown URN, and takes anything for valid under it.
type outsideSchemas struct{ first string }

func (o *outsideSchemas) Load(url string) (any, error) {
	if strings.HasPrefix(url, "urn:") {
		return true, nil
	}
	if o.first == "" {
		o.first = url
	}
	return nil, errors.New("outside the schema")
}

// violation tells where the first one lies and which keyword it breaks. It leaves out the value: that may be a secret.
func violation(err error) string {
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return "no reason given"
	}
	for len(v.Causes) > 0 {
		v = v.Causes[0]
	}
	where := "/" + strings.Join(v.InstanceLocation, "/")
	if missing, ok := v.ErrorKind.(*kind.Required); ok {
		return fmt.Sprintf("%s lacks %s", where, strings.Join(missing.Missing, ", "))
	}
	return fmt.Sprintf("%s breaks %q", where, strings.Join(v.ErrorKind.KeywordPath(), "/"))
}
