// Package unit describes delivery units: what one GitOps controller syncs as one operation, where its manifests come
// from, where they go, and what rendering them gave.
//
// Plain values only: nothing here reads a tree, renders or decides. Field names follow Argo CD's Application.
package unit

import (
	"cmp"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
)

// ID identifies a unit inside one snapshot. The namespace is the Application's own, not where its objects go.
type ID struct {
	Root      string // name of the root it was found from
	Namespace string
	Name      string
}

// Compare orders by root, namespace and name.
func (id ID) Compare(o ID) int {
	return cmp.Or(
		strings.Compare(id.Root, o.Root),
		strings.Compare(id.Namespace, o.Namespace),
		strings.Compare(id.Name, o.Name),
	)
}

// Kind says what kind of unit it is.
type Kind string

// The kinds of units.
const (
	Application Kind = "Application"
	Bootstrap   Kind = "bootstrap" // a root that no Application delivers: somebody applies it by hand
	Symbolic    Kind = "symbolic"  // stands for what could not be expanded: an ApplicationSet
)

// Unit is one delivery unit at one revision.
type Unit struct {
	ID          ID
	Kind        Kind
	Project     string
	Sources     []Source // what it is made of, in order; of an object in two of them the last one's counts
	Destination Destination
	Policy      Policy
	Origin      object.Location // where the Application is declared; for a bootstrap unit its root
	Parent      ID              // the unit that delivers the Application; zero if none does
}

// Destination is where a unit's objects go.
type Destination struct {
	Cluster   string // key: equal exactly when two units deliver to the same cluster, as far as Git tells
	Namespace string // for objects that name none
}

// Policy is the part of spec.syncPolicy that changes what happens and when.
type Policy struct {
	Automated   bool // automated is set and not enabled: false
	Prune       bool
	SelfHeal    bool
	AllowEmpty  bool
	SyncOptions []string // as written, e.g. "PruneLast=true"
	Retries     int      // of a failed automatic sync; below 0: without end
}

// Source is spec.source, or one of spec.sources: a directory or chart in one repository at one revision. Its JSON form is
// Argo CD's.
type Source struct {
	RepoURL        string     `json:"repoURL,omitempty"`
	TargetRevision string     `json:"targetRevision,omitempty"` // "" means HEAD
	Path           string     `json:"path,omitempty"`           // slash path from the top of the repository
	Chart          string     `json:"chart,omitempty"`          // a chart of a Helm repository; Path is empty then
	Ref            string     `json:"ref,omitempty"`            // the name other sources use as $ref
	Helm           *Helm      `json:"helm,omitempty"`
	Kustomize      *Kustomize `json:"kustomize,omitempty"`
	Directory      *Directory `json:"directory,omitempty"`
	// Plugin is not nil when a config management plugin renders the source: not to be done here.
	Plugin map[string]any `json:"plugin,omitzero"`
}

// Helm is spec.source.helm.
type Helm struct {
	ReleaseName             string          `json:"releaseName,omitempty"`
	ValueFiles              []string        `json:"valueFiles,omitempty"`
	IgnoreMissingValueFiles bool            `json:"ignoreMissingValueFiles,omitempty"`
	Values                  string          `json:"values,omitempty"`      // a YAML document
	ValuesObject            map[string]any  `json:"valuesObject,omitzero"` // goes before Values
	Parameters              []Parameter     `json:"parameters,omitempty"`
	FileParameters          []FileParameter `json:"fileParameters,omitempty"`
	SkipCRDs                bool            `json:"skipCrds,omitempty"`
	SkipSchemaValidation    bool            `json:"skipSchemaValidation,omitempty"`
	SkipTests               bool            `json:"skipTests,omitempty"`
	Namespace               string          `json:"namespace,omitempty"` // of the release; "" means the destination's
	KubeVersion             string          `json:"kubeVersion,omitempty"`
	APIVersions             []string        `json:"apiVersions,omitempty"`
}

// Parameter is one --set, or --set-string when ForceString is set.
type Parameter struct {
	Name        string `json:"name"`
	Value       string `json:"value"`
	ForceString bool   `json:"forceString,omitempty"`
}

// FileParameter is one --set-file.
type FileParameter struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// Kustomize is spec.source.kustomize.
type Kustomize struct {
	NamePrefix        string            `json:"namePrefix,omitempty"`
	NameSuffix        string            `json:"nameSuffix,omitempty"`
	Namespace         string            `json:"namespace,omitempty"`
	Images            []string          `json:"images,omitempty"` // "name=new:tag", "name:tag", "name@sha256:..."
	Replicas          []Replica         `json:"replicas,omitempty"`
	CommonLabels      map[string]string `json:"commonLabels,omitempty"`
	CommonAnnotations map[string]string `json:"commonAnnotations,omitempty"`
	Components        []string          `json:"components,omitempty"`
	Patches           []any             `json:"patches,omitempty"` // as decoded; the shape of a kustomization's patches
	KubeVersion       string            `json:"kubeVersion,omitempty"`
	APIVersions       []string          `json:"apiVersions,omitempty"`
	// Other names the fields that are set and that this version does not apply.
	Other []string `json:"x-other,omitempty"`
}

// Replica is one entry of spec.source.kustomize.replicas.
type Replica struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// Directory is spec.source.directory.
type Directory struct {
	Recurse bool   `json:"recurse,omitempty"`
	Include string `json:"include,omitempty"` // glob over slash paths, "{a,b}" allowed, * crosses /
	Exclude string `json:"exclude,omitempty"`
	// Jsonnet is not empty when external variables, top-level arguments or libraries are set.
	Jsonnet map[string]any `json:"jsonnet,omitzero"`
}

// Request is everything besides the tree that decides what a source renders to.
type Request struct {
	Source      Source
	Name        string // the Application's name: release name, and $ARGOCD_APP_NAME
	Namespace   string // destination namespace: .Release.Namespace
	AppNS       string // the Application's own namespace
	ByHand      bool   // somebody applies it: no Application stands behind it, and no override of one counts
	Project     string
	Revision    string   // full commit id of the source tree, for $ARGOCD_APP_REVISION
	KubeVersion string   // "1.35" or "1.35.2"
	APIVersions []string // beyond those that the Kubernetes version implies
	// BuildOptions are the kustomize.buildOptions of argocd-cm.
	BuildOptions string
	// Lent says where in the tree the repositories of other sources lie, by the ref that value files call them by: "." is the
	// source's own, any other is a [LentPlace]. It is nil for spec.source, whose files are all of its own repository.
	Lent map[string]string
	// Files, when set, restricts a directory source to these files (slash paths from the top): how a root that is a pile
	// of plain documents is read.
	Files []string
	// Seed is for the stand-ins of random and time functions.
	Seed uint64
}

// Rendering is what a source rendered to. When Gaps has an entry that lost the whole unit, Objects is empty: never a
// partial rendering that looks whole.
type Rendering struct {
	Tool    Tool
	Objects []object.Object // in the order of the engine; clusters are not filled in
	Gaps    []diag.Gap      // Unit is not filled in
	Notes   []string        // how the source was read, where that is not how Argo CD would read it today; sentences
	Lookups []string        // cluster lookups that a chart asked for and that gave nothing, "v1/Secret ns/name"
	// Revision tells that the request's revision may have had a part in it. Without that, another commit with the same
	// files gives the same.
	Revision bool
}

// Tool is what renders a source.
type Tool string

// The tools.
const (
	HelmTool      Tool = "helm"
	KustomizeTool Tool = "kustomize"
	DirectoryTool Tool = "directory"
)

// lentPlaces is a directory that no repository can have.
const lentPlaces = ".git/"

// LentPlace is where the tree of a request has what the source with a ref lends.
func LentPlace(ref string) string { return lentPlaces + ref }

// IsLent tells whether a name of the tree of a request lies in such a place, so that nothing but a ref leads to it.
func IsLent(name string) bool { return strings.HasPrefix(name+"/", lentPlaces) }

// InCluster is the cluster key of "the cluster that Argo CD runs in" as seen from one root.
func InCluster(root string) string { return "in-cluster@" + root }
