// Package object says which Kubernetes object is meant, what it holds and where it was written.
//
// In go fields as a renderer made them; out come identities that compare and sort, and read-only access to nested
// fields. It refuses to know anything about units, Git or Argo CD, and nothing in it changes an Object.
package object

import (
	"cmp"
	"strings"
)

// ID is the identity of one object. Two IDs are equal exactly when the API server of one cluster would treat them as
// the same object: the API version is no part of it, and group names that Kubernetes moved are spelled the new way
// (see [CanonicalGroup]).
type ID struct {
	Cluster   string // unit.Cluster's key; "" before an object is assigned to a unit
	Group     string // API group, "" for core
	Kind      string
	Namespace string // "" for cluster-scoped kinds
	Name      string
}

// String is the short form for people, "Deployment api/gateway" or "ClusterRole view": neither group nor cluster.
func (id ID) String() string {
	if id.Namespace == "" {
		return id.Kind + " " + id.Name
	}
	return id.Kind + " " + id.Namespace + "/" + id.Name
}

// Compare orders by cluster, namespace, kind, name, group: objects that people read together stand together.
func (id ID) Compare(o ID) int {
	return cmp.Or(
		strings.Compare(id.Cluster, o.Cluster),
		strings.Compare(id.Namespace, o.Namespace),
		strings.Compare(id.Kind, o.Kind),
		strings.Compare(id.Name, o.Name),
		strings.Compare(id.Group, o.Group),
	)
}

// Location is a place in a repository. Line counts from 1; 0 means that only the file is known. An empty File means that
// no place is known at all.
type Location struct {
	Repository string `json:"repository,omitempty"` // normalised URL of another repository; "" for the analysed one
	File       string `json:"file,omitempty"`       // slash path from the top of the repository
	Line       int    `json:"line,omitempty"`
}

// Compare orders by repository, file and line.
func (l Location) Compare(o Location) int {
	return cmp.Or(
		strings.Compare(l.Repository, o.Repository),
		strings.Compare(l.File, o.File),
		cmp.Compare(l.Line, o.Line),
	)
}

// Object is one object as rendered at one revision. It is shared between stages: nobody changes it, Fields included.
type Object struct {
	ID      ID
	Version string // the version part of apiVersion
	// Fields is the document as decoded JSON: map[string]any, []any, string, bool, nil and json.Number. Values of
	// Secrets and SOPS documents are sealed in it (see [Sealed]).
	Fields map[string]any
	// Origin is the file that declares the object: a manifest with its line, or a chart's template without one.
	Origin Location
	// Unstable holds JSON pointers of fields that come out differently at every rendering (random or time functions).
	// They take no part in comparisons.
	Unstable []string
}

// Labels of the object's own metadata.
func (o Object) Labels() map[string]string { return StringMap(Get(o.Fields, "metadata", "labels")) }

// Annotations of the object's own metadata.
func (o Object) Annotations() map[string]string {
	return StringMap(Get(o.Fields, "metadata", "annotations"))
}
