// Package delivery is the model of how a release reaches a cluster: how units observe and apply revisions, how workloads
// replace their pods, and what pods and proxies take over when.
//
// In goes a Case: one pair and one release as small numbers, no YAML and no names. Out comes a model for package explore,
// whose states say who holds what, whose steps are those of the controllers, and whose predicates are the harms. It refuses
// to judge: what a set of reachable states means is the proof's business.
//
// # Design
//
// There is no clock. Whatever may be delayed is delayed at will; what must happen at last is an ordinary step of an actor
// that is treated fairly. Whatever is not owed costs 1 and is an unusual step.
//
// A pod is stood for by one witness a template: the pod that will show the harm, if there is one. Since the witness may start
// at any moment at which a pod of its template may start, every single pod's fate is one of the witness's.
//
// Each step names the facts that it follows, as ids of docs/semantics.md in brackets.
package delivery
