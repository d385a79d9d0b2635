package transcode

// Outcome is what becomes of a call, seen by its client.
type Outcome string

// The outcomes of single calls. For a comparison "as expected" means as the client's own API has it.
const (
	Unaffected      Outcome = "unaffected"       // answered as expected
	NotRouted       Outcome = "not-routed"       // passes the proxy unchanged: 415 from Go and Java, 503 or an empty 200 from C++; 404 or 400 with options
	BadRequest      Outcome = "bad-request"      // 400 from the proxy
	ServerError     Outcome = "server-error"     // 500: the server could not read the request
	Unimplemented   Outcome = "unimplemented"    // 501: the server has no such method
	BadGateway      Outcome = "bad-gateway"      // 502: the proxy could not read the answer; the handler has run
	ProxyEnds       Outcome = "proxy-ends"       // the proxy's process ends, and with it every connection
	BreaksOff       Outcome = "breaks-off"       // 200, and the body ends in the middle
	Dropped         Outcome = "dropped"          // data is lost without a word
	ValueChanged    Outcome = "value-changed"    // another value arrives without a word
	ShapeChanged    Outcome = "shape-changed"    // another JSON type or structure arrives
	Rejected        Outcome = "rejected"         // the proxy does not take dictionary and services together
	Shadowed        Outcome = "shadowed"         // another route of the same verb and template un-maps this one
	AnotherMethod   Outcome = "another-method"   // another route takes the request, and another method answers
	StatusByHandler Outcome = "handler's status" // the handler itself ended the call with a status
)
