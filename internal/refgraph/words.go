package refgraph

import "strings"

// Words is the reference in one line for people: how, which key, through which field, and what a transcoder expects.
func (r Reference) Words() string {
	parts := []string{string(r.How)}
	if r.Key != "" {
		parts = append(parts, "key "+r.Key)
	}
	if r.Optional {
		parts = append(parts, "optional")
	}
	parts = append(parts, "by "+r.Via)
	if d := r.Descriptor; d != nil {
		parts = append(parts, "transcoder of "+d.Filter.String()+" with services "+strings.Join(d.Services, ", "))
		if d.Problem != "" {
			parts = append(parts, d.Problem)
		}
	}
	return strings.Join(parts, "; ")
}
