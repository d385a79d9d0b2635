package flat

import (
	"slices"
	"strconv"
	"strings"

	"github.com/syncproof/syncproof/internal/match/wirejson"
)

// Compact is a text for any JSON value, a scalar without quotes.
func Compact(v wirejson.Value) string {
	switch v.Kind {
	case wirejson.Null:
		return "null"
	case wirejson.Bool:
		return strconv.FormatBool(v.Bool)
	case wirejson.String:
		return v.Text
	case wirejson.Uint:
		return strconv.FormatUint(v.Uint, 10)
	case wirejson.Int:
		return strconv.FormatInt(v.Int, 10)
	case wirejson.Double:
		return strconv.FormatFloat(v.Double, 'g', -1, 64)
	}
	var parts []string
	for _, item := range v.Items {
		parts = append(parts, strconv.Quote(Compact(item)))
	}
	for _, f := range v.Fields {
		parts = append(parts, strconv.Quote(f.Name)+":"+strconv.Quote(Compact(f.Value)))
	}
	slices.Sort(parts)
	return "(" + strings.Join(parts, ",") + ")"
}
