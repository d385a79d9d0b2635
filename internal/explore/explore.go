// Package explore searches every state that a finite model can reach, and answers questions about its runs.
//
// In goes a Model: initial states, the steps enabled in a state, and 64 predicates of a state. States are plain comparable
// values and their own identity. Out comes a Graph, which Ask questions without calling the model again.
//
//  1. Search visits states in the order of (cost, depth): the fewest unusual steps first, then the fewest steps (queue.go).
//     What was reached first stays the parent, so a trace is truly shortest in this order.
//  2. A state is found again through an open-addressing table of 32-bit slots (index.go); the random seed of its hash
//     decides where a state lies in the table and nothing else. Numbers are given in the order of discovery.
//  3. Per state are kept 20 bytes beside the state itself: its predicates, parent, place and row of edges; per edge 8: a
//     target and a step. Steps and sets of predicates are few, and numbered. All lies in chunks that are never copied (list.go).
//  4. Runs that never end are components of the graph of ordinary steps; fairness is judged on them (fair.go).
//  5. A bound that was reached makes a graph incomplete. What is found in it is real; what is not found is inconclusive.
//
// It knows nothing of what it explores, imports only the standard library, and refuses nothing: a model that breaks the
// rules of Model gets answers about another model than was meant.
package explore

import "context"

// Model is a transition system over states of type S.
//
// S is its own key: two states are the same if they are ==. It holds no pointers, interfaces or floating-point numbers.
// All methods are pure and yield in a fixed order, so that the same model gives the same graph, byte by byte.
type Model[S comparable] interface {
	// Init yields the initial states. Yielding one twice is harmless.
	Init(yield func(S))
	// Next yields every step that is enabled in s, with the state that it leads to. A step changes the state: one that leads
	// from s to s is no step and is left out, as a stuttering step of TLA+ is.
	Next(s S, yield func(Step, S))
	// Look says which predicates hold in s: bit i for predicate i. It is called once a state.
	Look(s S) uint64
}

// Step is what happened between two states.
type Step struct {
	Label uint32 // the model's own name of the step; explore only hands it back
	Actor uint8  // whose step it is: fairness is owed to each actor
	Cost  uint8  // 0: ordinary, and owed (weakly fair); above: unusual, never owed, and how unusual
}

// Bounds say how far a search goes. Whatever they say, a search ends at 67,108,863 states or 4,294,967,294 edges, and looks no
// further than a cost of 63; this too is a bound reached.
type Bounds struct {
	States int // at most so many states are kept; 0: no bound
	Cost   int // unusual steps of at most this total cost on one run. This is part of the question, so it leaves a graph complete
	Depth  int // no step is taken after so many steps; 0: no bound
}

// Graph is what a search has reached. Nobody changes it, so it may be asked from several goroutines.
type Graph[S comparable] struct {
	Complete bool   // every state that is reachable at Bounds.Cost is here, with all steps; no bound was reached
	Bound    string // the bounds that were reached, for people: "2000000 states", "depth 40", "interrupted: ..."; "" if complete
	Err      error  // the cause of the context that ended the search; nil if none did
	States   int
	Edges    int // steps from state to state that are kept, parallel ones one by one

	net  net
	keys list[S]
}

// Search explores m until nothing new is reachable, a bound is reached or ctx is done. It always returns a graph.
func Search[S comparable](ctx context.Context, m Model[S], b Bounds) *Graph[S] {
	e := newExplorer(m, b)
	e.run(ctx)
	return e.graph()
}

// State is the state with number i, 0 <= i < States. Numbers follow the order of discovery.
func (g *Graph[S]) State(i int) S { return g.keys.get(uint32(i)) }

// Look is what Model.Look said of the state with number i.
func (g *Graph[S]) Look(i int) uint64 { return g.net.look(uint32(i)) }

// Ask answers a question about the runs of the model, from the graph alone. On a complete graph both answers are definite.
// On an incomplete one Found is still real, though a cheaper or shorter trace may exist; !Found is inconclusive.
func (g *Graph[S]) Ask(q Query) Answer { return g.net.ask(q) }
