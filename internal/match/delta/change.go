package delta

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Kind is what changed. Where several things changed at one place, it is the one that is hardest to live with.
type Kind string

// The kinds of changes of declarations. Whoever uses sites adds those of routes.
const (
	FieldAdded      Kind = "field-added"
	FieldRemoved    Kind = "field-removed"
	TypeChanged     Kind = "field-type"        // also to or from a map
	CardinalityMany Kind = "field-to-repeated" // singular before
	CardinalityOne  Kind = "field-to-singular" // repeated before
	Renumbered      Kind = "field-number"
	FieldRenamed    Kind = "field-renamed"
	JSONNameChanged Kind = "field-json-name"
	OtherChange     Kind = "field-other" // presence, packing, a oneof that no second field joins
	JoinedOneof     Kind = "oneof"
	ValueAdded      Kind = "enum-value-added"
	ValueRemoved    Kind = "enum-value-removed"
	ValueRenamed    Kind = "enum-value-renamed"
	EnumChanged     Kind = "enum-other"
	AnyChanged      Kind = "any" // what an Any may hold
)

// Change is one change of an API, however many routes meet it. Comparable: equal for the same change, from whichever
// side it was found.
type Change struct {
	Kind Kind
	// Element is what changed, in the names of the old API, of the new one if it is new there: "shop.v1.Order.total", a
	// field, "shop.v1.Colour", an enum.
	Element string
	// Old and New are how either API has it: types, names, numbers or values, by kind; "" where an API lacks it.
	Old, New string
	JSON     string // the field's name in JSON, in the old API
	Free     string // name and number that are free for a field beside this one, "total_text = 7"; "" for other elements
	Words    string // a sentence: "field total of shop.v1.Order becomes string, it was int32"
}

// Change says what changed at a site, always from the old API to the new one.
func (d *Delta) Change(s Site) Change {
	f, g := Last(s.A), Last(s.B)
	if len(s.Both) > 0 {
		return d.joined(s)
	}
	if d.back {
		f, g = g, f
	}
	switch {
	case f == nil && g == nil:
		return Change{}
	case f == nil:
		return Change{Kind: FieldAdded, Element: string(g.FullName()), New: typeOf(g), Words: title(g) + " is new"}
	case g == nil:
		return Change{Kind: FieldRemoved, Element: string(f.FullName()), Old: typeOf(f), Words: title(f) + " goes"}
	}
	return d.between(f, g)
}

func (d *Delta) joined(s Site) Change {
	first, second := s.Both[0], s.Both[1]
	c := Change{Kind: JoinedOneof, Element: string(first.FullName()), Old: string(second.Name()), New: s.Oneof}
	subject := fmt.Sprintf("fields %s and %s of %s", first.Name(), second.Name(), first.ContainingMessage().FullName())
	c.Words = subject + " become members of oneof " + s.Oneof
	if d.back {
		c.Words = subject + " were members of oneof " + s.Oneof
	}
	return c
}

// between names the change of a field that both APIs have.
func (d *Delta) between(f, g protoreflect.FieldDescriptor) Change {
	c := Change{Element: string(f.FullName())}
	var words []string
	differs := func(kind Kind, old, new, text string) {
		if old == new {
			return
		}
		if c.Kind == "" {
			c.Kind, c.Old, c.New = kind, old, new
		}
		words = append(words, fmt.Sprintf(text, new, old))
	}
	kind := TypeChanged
	switch {
	case f.IsMap() || g.IsMap() || elementOf(f) != elementOf(g):
	case g.IsList() && !f.IsList():
		kind = CardinalityMany
	case f.IsList() && !g.IsList():
		kind = CardinalityOne
	}
	if !sameType(f, g) {
		differs(kind, typeOf(f), typeOf(g), "becomes %s, it was %s")
	}
	differs(Renumbered, strconv.Itoa(int(f.Number())), strconv.Itoa(int(g.Number())), "gets number %s instead of %s")
	differs(FieldRenamed, string(f.Name()), string(g.Name()), "is renamed to %[1]s")
	if f.Name() == g.Name() {
		differs(JSONNameChanged, f.JSONName(), g.JSONName(), "gets the JSON name %s instead of %s")
	}
	if f.Enum() != nil && g.Enum() != nil && !sameEnum(f.Enum(), g.Enum()) {
		if c.Kind == "" {
			return values(f.Enum(), g.Enum())
		}
		words = append(words, values(f.Enum(), g.Enum()).Words)
	}
	if c.Kind == "" {
		c.Kind = OtherChange
		words = append(words, d.other(f, g))
		if f.Message() != nil && f.Message().FullName() == AnyType {
			c.Kind = AnyChanged
		}
	}
	c.Free, c.JSON = free(f, g), f.JSONName()
	c.Words = title(f) + " " + strings.Join(words, ", ")
	return c
}

// other is what is left when type, name and number are the same.
func (d *Delta) other(f, g protoreflect.FieldDescriptor) string {
	switch {
	case f.Message() != nil && f.Message().FullName() == AnyType && d.anys:
		from, to := d.From, d.To
		if d.back {
			from, to = to, from
		}
		if words := apart(names(from), names(to)); words != "" {
			return "may hold other messages: " + words
		}
	case Oneof(f) != Oneof(g) && Oneof(g) != "":
		return "becomes a member of oneof " + string(Oneof(g))
	case Oneof(f) != Oneof(g):
		return "leaves oneof " + string(Oneof(f))
	case f.HasPresence() != g.HasPresence() && g.HasPresence():
		return "becomes optional"
	case f.HasPresence() != g.HasPresence():
		return "is not optional any more"
	case f.IsPacked() != g.IsPacked():
		return "is packed in another way"
	}
	return "changes"
}

func names(list []protoreflect.MessageDescriptor) []string {
	out := make([]string, len(list))
	for i, md := range list {
		out[i] = string(md.FullName())
	}
	return out
}

// apart says what of two lists is in one alone.
func apart(old, new []string) string {
	without := func(list, other []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
	}
	var parts []string
	if comes := without(new, old); len(comes) > 0 {
		parts = append(parts, Few(comes)+" new")
	}
	if goes := without(old, new); len(goes) > 0 {
		parts = append(parts, Few(goes)+" gone")
	}
	return strings.Join(parts, ", ")
}

// Few names the first of a list, and how many more there are.
func Few(list []string) string {
	const few = 3
	if len(list) <= few+1 {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:few], ", "), len(list)-few)
}

// values compares two enums.
func values(old, new protoreflect.EnumDescriptor) Change {
	c := Change{Kind: EnumChanged, Element: string(old.FullName())}
	var comes, goes, renamed []string
	for i := range old.Values().Len() {
		v := old.Values().Get(i)
		if new.Values().ByName(v.Name()) != nil {
			continue
		}
		if w := new.Values().ByNumber(v.Number()); w != nil && old.Values().ByName(w.Name()) == nil {
			renamed = append(renamed, fmt.Sprintf("%s is renamed to %s", v.Name(), w.Name()))
			c.Kind, c.Old, c.New = ValueRenamed, string(v.Name()), string(w.Name())
		} else {
			goes = append(goes, string(v.Name()))
		}
	}
	for i := range new.Values().Len() {
		v := new.Values().Get(i)
		if w := old.Values().ByNumber(v.Number()); old.Values().ByName(v.Name()) == nil && (w == nil || new.Values().ByName(w.Name()) != nil) {
			comes = append(comes, string(v.Name()))
		}
	}
	var words []string
	if len(goes) > 0 {
		words = append(words, "loses "+Few(goes))
		c.Kind, c.Old, c.New = ValueRemoved, Few(goes), ""
	}
	if len(renamed) > 0 {
		words = append(words, Few(renamed))
	}
	if len(comes) > 0 {
		words = append(words, "gains "+Few(comes))
		if c.Kind == EnumChanged {
			c.Kind, c.New = ValueAdded, Few(comes)
		}
	}
	if len(words) == 0 {
		words = append(words, "has other numbers")
	}
	c.Words = fmt.Sprintf("enum %s: %s", old.FullName(), strings.Join(words, ", "))
	return c
}

func title(f protoreflect.FieldDescriptor) string {
	return fmt.Sprintf("field %s of %s", f.Name(), f.ContainingMessage().FullName())
}
