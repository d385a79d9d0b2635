// Package match says whether a version of a consumer works with a version of its provider: for the transcoder of a gRPC
// service call by call, for everything else as far as the objects tell.
//
// In go what the versions are and what each image serves; out comes a Table: an outcome for each combination, in words and
// for the proof. It refuses to guess: what is not known is Unknown.
//
// # Calls
//
// A call is a route with the use of one field. It is common if it works with the image of r0 under that image's own
// dictionary and with the image of rk under its own, new if only with rk's, old if only with r0's. Whoever makes an old call
// meets the end of it in every order: it is no part of an outcome, but of [Table.Breaking]. Where one field of an answer
// costs the whole call, it is the route that fails, for every caller.
package match

// Truth is what is known of one combination.
type Truth int

// The truths.
const (
	Works Truth = iota
	Fails
	Unknown
)

// Combination is one version of each: -1 where there is none.
type Combination struct{ Consumer, Provider, Filter int }

// Outcome is what becomes of the calls that a version of the consumer serves, under one version of its provider. Common calls
// work with the consumers of r0 and rk alike; New calls are those that only the consumer of rk serves, and those that only
// one between the two does.
type Outcome struct {
	Common, New Truth
	Calls       []Call // those that fail for sure, gravest first
}

// Call is one use of the consumer that fails, for people.
type Call struct {
	What   string // "GET /v1/orders/{id}", or "field orders.number in answers of GET /v1/orders/{id}"
	Meets  string // "415 from the server: the proxy's dictionary does not know the route and passes the call through"
	Change string // of the release that is behind it: "field number of orders.v1.Order becomes string, it was int32"; may be ""
	Common bool   // else new, or old in Breaking
}

// Table is the outcome of every combination of one pair in one release. Its functions remember what they found out: they are
// for one goroutine at a time, and what they return is not to be changed.
type Table struct {
	// Outcome is by version of the consumer (its image), of the provider (-1: none) and of the filter (-1: the proxies have
	// no transcoder). It says Fails or Works only if that is certain.
	Outcome func(consumer, provider, filter int) Outcome
	// Accepts tells whether a proxy takes this version of the filter with this version of the provider. What cannot be
	// decided here is taken.
	Accepts func(provider, filter int) bool
	// Blocks tells whether pods of the consumer cannot start with this version of the provider, for something that they
	// name and that it lacks.
	Blocks func(consumer, provider int) bool
	// SameProvider tells whether two versions of the provider say the same, though their bytes may differ.
	SameProvider func(a, b int) bool
	// Equal: consumer, provider and filter say the same at all revisions: for callers nothing changes.
	Equal bool

	// Breaking says which calls of r0 break even when all is fresh at rk, in the image and its own dictionary; Known is
	// false if what r0's or rk's image serves is not known, so that this is not either.
	Breaking []Call
	Known    bool
	// AlreadyBroken are common calls that fail when all is fresh at r0. They are set aside: no outcome has them.
	AlreadyBroken []Call
	Repaired      bool // all of them work when fresh at rk
	// SafeOrder, SafeIfUnused and Preferred are the orders of r0 -> rk, as package pair says them of dictionaries that are
	// the images' own; "" if they are not known.
	SafeOrder, SafeIfUnused, Preferred string
	// Limits are sentences on what the versions hold that was not compared.
	Limits []string
}
