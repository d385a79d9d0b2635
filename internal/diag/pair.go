package diag

// PairSchemaVersion is the version of the JSON document that [Pair] becomes; it changes as [SchemaVersion] does.
const PairSchemaVersion = 1

// Pair is what two releases of an API mean for each other behind a gRPC-JSON transcoder: everything that one run of pair
// says. Orders are any, dictionary-first, image-first or none. Slices are sorted by their producers.
type Pair struct {
	Schema  int      `json:"schema"`
	Old     PairSide `json:"old"`
	New     PairSide `json:"new"`
	Server  string   `json:"server"`  // go, c++ or java
	Options []string `json:"options"` // of the transcoder, those that are set: "auto_mapping", "ignored_query_parameters: key"

	Breaking          []PairBreak `json:"breaking"` // calls of the old API that break even when both halves change at once
	SafeOrder         string      `json:"safe_order"`
	SafeOrderIfUnused string      `json:"safe_order_if_unused"` // without callers of what the change removes or replaces
	PreferredOrder    string      `json:"preferred_order"`      // that also leaves what is new working
	Restart           bool        `json:"restart"`              // after the preferred order what is new needs a restart
	ListOrder         string      `json:"list_order"`           // "" when the list of services stays
	Routes            []PairRoute `json:"routes"`
	Migration         []PairStep  `json:"migration"` // none if the order is no question
	Limits            []string    `json:"limits"`    // what was not decided, one sentence each
}

// PairSide is one of the two releases.
type PairSide struct {
	Name     string   `json:"name"`     // as it was named on the command line
	Services []string `json:"services"` // that the transcoder exposes
	Methods  int      `json:"methods"`  // of those services
}

// PairRoute is one verb and template of either API.
type PairRoute struct {
	Verb     string       `json:"verb"`
	Template string       `json:"template"`
	Method   string       `json:"method"`
	In       string       `json:"in"`      // which API has it: old, new or both
	Effects  []PairEffect `json:"effects"` // none: nobody is affected
}

// PairEffect is what a class of callers meets in one state.
type PairEffect struct {
	Field     string      `json:"field"`     // in the names of the client's API; "" for the whole route
	Direction string      `json:"direction"` // request, response, or "" for the whole route
	Client    string      `json:"client"`    // old, both or new: which API the caller knows
	State     string      `json:"state"`     // new-dictionary, new-server, after or before
	Outcome   string      `json:"outcome"`
	Detail    string      `json:"detail,omitempty"` // with which value, and what comes of it
	Kind      string      `json:"kind,omitempty"`   // of the change: "field-renamed", "route-moved"
	Change    string      `json:"change,omitempty"` // what changed, from old to new: "field total of shop.v1.Order becomes string, it was int32"
	Witness   PairWitness `json:"witness"`
}

// PairWitness is a call that shows an effect.
type PairWitness struct {
	Request string   `json:"request"`          // verb, path and query
	Body    string   `json:"body,omitempty"`   // of the request
	Answer  [][]byte `json:"answer,omitempty"` // serialized messages that the handler returned, in base64
	Status  int      `json:"status"`           // that the caller sees; 0 if there is no answer at all
	Reply   string   `json:"reply,omitempty"`  // body that the caller sees
}

// PairBreak is an effect on callers of the old API when both halves are new.
type PairBreak struct {
	Verb     string `json:"verb"`
	Template string `json:"template"`
	Method   string `json:"method"`
	PairEffect
}

// PairStep is one release of the sequence that does without harm what cannot be done at once.
type PairStep struct {
	Name string   `json:"name"` // expand, migrate or contract
	What []string `json:"what"`
	When string   `json:"when"` // what must be true before it, or how it is delivered
}
