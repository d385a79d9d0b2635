// Package pair says what two releases of an API mean for each other behind a gRPC-JSON transcoder: what becomes of every
// call while one half of a release (the dictionary that the proxy has loaded, the image that serves) is new and the other
// is old, for callers of the old API, of the new one and of both, and in which order the halves may be delivered.
//
// In go two descriptor sets and the transcoder's configuration; out comes a [Result]. Calls are probes made from the
// descriptors and run through package transcode, in the four combinations of dictionary and server, so that each effect
// has a witness. The package refuses to guess what a handler does with a value: it compares what arrives.
package pair

import (
	"github.com/syncproof/syncproof/internal/match/delta"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/match/transcode"
)

// Options say how two releases of an API are served.
type Options struct {
	Config descriptor.Transcoder // Services empty: each side exposes all that it has
	// OldServices and NewServices are the lists of services that go with each dictionary; empty: Config.Services.
	OldServices, NewServices []string
	Server                   transcode.ServerKind
}

// Order is an order of delivery.
type Order string

// The orders. Dictionary and image are the two halves of a release.
const (
	AnyOrder        Order = "any"
	DictionaryFirst Order = "dictionary-first"
	ImageFirst      Order = "image-first"
	NoOrder         Order = "none"
)

// ListOrder is when the transcoder's list of services has to change.
type ListOrder string

// When the list changes: a service that comes must be in every loaded dictionary first, one that goes must stay in it
// until the list is taken.
const (
	ListStays            ListOrder = ""
	ListAfterDictionary  ListOrder = "after-dictionary"
	ListBeforeDictionary ListOrder = "before-dictionary"
	ListBothSides        ListOrder = "removals-before-and-additions-after-dictionary"
)

// Client is a class of callers.
type Client string

// The classes of callers.
const (
	OldClient  Client = "old"  // knows the old API only
	BothClient Client = "both" // uses what both APIs have, and reads either form
	NewClient  Client = "new"  // knows the new API only
)

// State is which half is new.
type State string

// The states. Before is the end that callers of the new API are compared in, After that of the old one.
const (
	DictionaryAhead State = "new-dictionary" // new dictionary, old server: the dictionary went first
	ServerAhead     State = "new-server"     // old dictionary, new server: the image went first
	After           State = "after"          // both halves new
	Before          State = "before"         // both halves old
)

// Direction is which way data goes.
type Direction string

// The directions; an effect on a whole route has none.
const (
	WholeRoute Direction = ""
	InRequest  Direction = "request"
	InResponse Direction = "response"
)

// Effect is what a class of callers meets in one state, the gravest of all probes of a field.
type Effect struct {
	Path      string // of the field, in the names of the client's API, "total.units"; "" for the whole route
	Direction Direction
	Client    Client
	State     State
	Outcome   transcode.Outcome
	Detail    string       // with which value, and what comes of it; "" where the outcome says it all
	Change    delta.Change // what changed, from the old API to the new one, also for an effect on callers of the new one
	Witness   *Witness     // never nil; effects on several classes of callers may share one
}

// Witness is a call that shows the effect.
type Witness struct {
	Request transcode.Request
	Answer  transcode.Answer
	Status  int
	Body    []byte
}

// Route is one verb and template of either API.
type Route struct {
	Verb, Template string
	Method         string   // as the API has it that knows the route, the new one if both do
	Fields         []Effect // none: nobody is affected
}

// Step is one release of an expand-migrate-contract sequence.
type Step struct {
	Name string // expand, migrate, contract
	What []string
	When string // what must be true before it
}

// Result is what two releases mean for each other.
type Result struct {
	// Breaking are effects on calls of the old API when both halves are new: no order avoids them.
	Breaking []Effect
	// SafeOrder are the orders in which callers of the old API meet nothing but [transcode.Unaffected], in the mixed state and after.
	SafeOrder Order
	// SafeOrderIfUnused is the same without callers of what the change removes or replaces.
	SafeOrderIfUnused Order
	// PreferredOrder is, of SafeOrderIfUnused, the order that also leaves what is new working when a dictionary is kept from
	// the start of a pod. If the only order left cannot, it is that order, and Restart is set.
	PreferredOrder Order
	Restart        bool
	ListOrder      ListOrder
	Routes         []Route  // sorted by template and verb
	Migration      []Step   // how to do it in releases that are safe; none if the order is no question
	Limits         []string // what could not be decided
}
