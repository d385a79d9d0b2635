package cone

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/transcode"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
)

// version is one version of a provider.
type version struct {
	object  int
	content delivery.Content
}

// match asks package match what each combination means, and hands the answers to the case.
func (b *builder) match() {
	if b.c.Pair.Workload == delivery.None {
		b.numberConsumers()
	}
	b.providers = b.versions()
	pair := &b.c.Pair
	if ref := b.refs[b.last]; ref.Descriptor != nil && b.c.Pair.Workload != delivery.None {
		in := b.transcoded()
		b.nameDictionaries(in)
		b.p.Match = b.set.Matcher.Transcoder(in)
	} else {
		b.p.Match = match.Objects(b.compared())
		pair.Blocks = func(consumer int, provider delivery.Content) bool {
			return b.p.Match.Blocks(b.consumerVersion(consumer), b.providerVersion(consumer, provider))
		}
	}
	table := b.p.Match
	isNew := b.combination(0).Consumer < 0
	means := func(consumer int, provider, filter delivery.Content) match.Outcome {
		o := table.Outcome(b.consumerVersion(consumer), b.providerVersion(consumer, provider), b.filterNumber(filter))
		if isNew {
			return allNew(o)
		}
		return o
	}
	pair.Match = func(consumer int, provider, filter delivery.Content) delivery.Outcome {
		o := means(consumer, provider, filter)
		return delivery.Outcome{Common: delivery.Truth(o.Common), New: delivery.Truth(o.New)}
	}
	b.p.Means = means
	if pair.Filter != delivery.None && !pair.Inline && table.Accepts != nil {
		pair.Accepts = func(consumer int, provider, filter delivery.Content) bool {
			return table.Accepts(b.providerVersion(consumer, provider), b.filterNumber(filter))
		}
	}
}

// allNew is an outcome for a consumer that is not there at r0: nobody can have counted on any of its calls.
func allNew(o match.Outcome) match.Outcome {
	if o.New == match.Works || o.Common == match.Fails {
		o.New = o.Common
	}
	o.Common = match.Works
	o.Calls = slices.Clone(o.Calls)
	for i := range o.Calls {
		o.Calls[i].Common = false
	}
	return o
}

// read is the object that holds what the consumer reads at a revision: its provider, or a filter that carries it inside.
func (b *builder) read(i int) int {
	if b.c.Pair.Inline {
		return b.c.Pair.Filter
	}
	return b.index(b.provider(i))
}

// versions are all versions of what the consumer reads, over the objects that stand in the provider's place.
func (b *builder) versions() []version {
	var out []version
	for i := range b.r.views {
		n := b.read(i)
		if n == delivery.None {
			continue
		}
		for content := range b.numbers[n].seen {
			if v := (version{n, delivery.Content(content + 1)}); !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// providerVersion is the version that a consumer has when what it reads has some content; -1: none.
func (b *builder) providerVersion(consumer int, content delivery.Content) int {
	n := b.c.Pair.Provider
	if b.c.Pair.Inline {
		n = b.c.Pair.Filter
	} else if w := b.c.Pair.Workload; w != delivery.None {
		n = b.c.Workloads[w].Templates[consumer].Provider
	}
	return b.versionOf(n, content)
}

// filterNumber is the match's version of a filter: its content less one; the only one there is where the case has none.
func (b *builder) filterNumber(content delivery.Content) int {
	if b.c.Pair.Filter == delivery.None {
		return 0
	}
	return int(content) - 1
}

// consumerVersion is the match's version of a consumer: its template, or the content of its object less one.
func (b *builder) consumerVersion(consumer int) int {
	if b.c.Pair.Workload == delivery.None {
		return consumer - 1
	}
	return consumer
}

func (b *builder) versionOf(n int, content delivery.Content) int {
	return slices.Index(b.providers, version{n, content})
}

// combination is which versions stand together when everything is fresh at a revision; a consumer that is not there yet is -1.
func (b *builder) combination(i int) match.Combination {
	content, _ := b.fresh(b.c.Pair.Consumer, i)
	consumer := int(content) - 1
	if w := b.c.Pair.Workload; w != delivery.None {
		consumer = -1
		if t, ok := b.c.Workloads[w].Template[content]; ok && content != 0 {
			consumer = t
		}
	}
	provider := -1
	n := b.read(i)
	if n != delivery.None {
		content, _ := b.fresh(n, i)
		provider = b.versionOf(n, content)
	}
	content = 0
	if f := b.c.Pair.Filter; f != delivery.None {
		content, _ = b.fresh(f, i)
	}
	return match.Combination{Consumer: consumer, Provider: provider, Filter: b.filterNumber(content)}
}

// fresh is the content of an object when everything is fresh at a revision.
func (b *builder) fresh(n, i int) (delivery.Content, bool) {
	for _, row := range b.c.Objects[n].Render {
		if row != nil && row[i] != 0 {
			return row[i], true
		}
	}
	return 0, false
}

// transcoded is the question about a transcoder.
func (b *builder) transcoded() match.Transcoded {
	in := match.Transcoded{Server: transcode.GoServer}
	for n := range b.templates {
		served := b.served(n)
		in.Own = append(in.Own, served.Set)
		b.assume(served.Why)
	}
	for _, v := range b.providers {
		in.Dictionaries = append(in.Dictionaries, b.dictionary(v))
	}
	in.Filters = b.filters()
	in.Start, in.End = b.combination(0), b.combination(b.last)
	for i := 1; i < b.last; i++ {
		in.Between = append(in.Between, b.combination(i))
	}
	return in
}

// served is what the image of a template serves.
func (b *builder) served(n int) Served {
	if b.set.Serves == nil {
		return Served{Why: "nothing says what the image serves"}
	}
	return b.set.Serves(b.templates[n].object, b.templates[n].revision)
}

// nameDictionaries calls a dictionary by the tag of the image that serves it, where there is one.
func (b *builder) nameDictionaries(in match.Transcoded) {
	for i, v := range b.providers {
		for n, own := range in.Own {
			set := in.Dictionaries[i]
			if own == nil || set == nil || own.Digest() != set.Digest() {
				continue
			}
			if _, tag, ok := cutTag(b.p.Names.Images[n]); ok {
				b.p.Names.Objects[v.object].Contents[v.content-1] = "@ " + tag
			}
		}
	}
}

// cutTag splits an image reference at its tag.
func cutTag(image string) (name, tag string, ok bool) {
	i := strings.LastIndex(image, ":")
	if i < 0 || strings.Contains(image[i:], "/") || strings.Contains(image, "@") {
		return image, "", false
	}
	return image[:i], image[i+1:], true
}

func (b *builder) assume(why string) {
	if why != "" && !slices.Contains(b.p.Assumes, why) {
		b.p.Assumes = append(b.p.Assumes, why)
	}
}

// dictionary is the descriptor set of a version.
func (b *builder) dictionary(v version) *descriptor.Set {
	for i := range b.r.views {
		ref := b.refs[i]
		if ref == nil || ref.Descriptor == nil {
			continue
		}
		n := b.read(i)
		if content, ok := b.fresh(n, i); ok && n == v.object && content == v.content {
			return ref.Descriptor.Set
		}
	}
	return nil
}

// filters are the filter's versions; where something else tells the proxy, the one that stands at each revision.
func (b *builder) filters() []match.Filter {
	var out []match.Filter
	for i := range b.r.views {
		ref := b.refs[i]
		if ref == nil || ref.Descriptor == nil || ref.Descriptor.Config == nil {
			continue
		}
		f := match.Filter{Services: ref.Descriptor.Services, Config: *ref.Descriptor.Config}
		if n := b.c.Pair.Filter; n != delivery.None {
			if content, ok := b.fresh(n, i); !ok || int(content) != len(out)+1 {
				continue
			}
			out = append(out, f)
		} else if len(out) == 0 {
			out = append(out, f)
		}
	}
	return out
}

// compared is the question about two objects.
func (b *builder) compared() match.Versions {
	in := match.Versions{Live: b.c.Pair.Workload == delivery.None, Missing: b.missing}
	if !in.Live {
		in.Reads = func(consumer int) bool {
			return consumer >= 0 && consumer < len(b.templates) && b.refs[b.templates[consumer].revision] != nil
		}
	}
	for i := range b.r.views {
		in.Fresh = append(in.Fresh, b.combination(i))
	}
	return in
}

// missing are the keys that pods of a template need and that a version of the provider lacks.
func (b *builder) missing(consumer, provider int) []string {
	if b.c.Pair.Workload == delivery.None || consumer < 0 || provider < 0 {
		return nil
	}
	v := b.providers[provider]
	holds, ok := b.holding(v)
	if !ok || !holds.ID.IsConfig() {
		return nil
	}
	var out []string
	for _, ref := range b.needs(b.templates[consumer].revision) {
		if ref.Key != "" && b.index(ref.Provider) == v.object && keyOf(holds, ref.Key) == nil {
			out = append(out, "key "+ref.Key)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// holding is the object of a version.
func (b *builder) holding(v version) (object.Object, bool) {
	for i := range b.r.views {
		if content, ok := b.fresh(v.object, i); ok && content == v.content {
			return b.r.views[i].one(b.ids[v.object])
		}
	}
	return object.Object{}, false
}

// numberConsumers is for a consumer without pods: its versions are the contents of its object.
func (b *builder) numberConsumers() {
	for range b.numbers[b.c.Pair.Consumer].seen {
		b.p.Names.Images = append(b.p.Names.Images, "")
	}
}

// reads is what a reference takes of its provider, for its digest.
func reads(ref *refgraph.Reference, o object.Object) any {
	switch template := object.PodTemplate(o); {
	case ref.How == refgraph.Exist:
		return "exists"
	case ref.How == refgraph.Live && template != nil:
		return []any{object.Get(template, "metadata", "labels"), ports(template)}
	}
	return whole(o)
}

// ports are the ports that a pod template's containers name.
func ports(template map[string]any) []any {
	var out []any
	for _, c := range object.List(template, "spec", "containers") {
		out = append(out, fmt.Sprint(object.Get(c, "ports")))
	}
	return out
}
