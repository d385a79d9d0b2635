// Package config reads .syncproof.yaml: what the user tells about a repository that its files cannot tell.
//
// In goes the file's text, out come plain values with their defaults filled in. An unknown key, a value of the wrong type
// or a contradiction is an error with file and line, for the user to mend: nothing is skipped, nothing is guessed.
package config

import (
	"time"

	"github.com/syncproof/syncproof/internal/unit"
)

// FileName is where the configuration lies, at the top of the repository.
const FileName = ".syncproof.yaml"

// Config is the whole configuration.
type Config struct {
	File         string // name of the file, for messages
	Roots        []Root // replaces the guess of roots when not empty
	Repositories []Repository
	Clusters     []Cluster
	Controller   Controller
	Kubernetes   Kubernetes
	Pairs        []Pair
	Limits       Limits
	// Inert are keys of the file that this version reads and checks but does not use yet.
	Inert []Key
}

// Key is a key of the file, in words, and its line.
type Key struct {
	Name string
	Line int
}

// Root is a place where reading starts: a kustomization, a chart or a directory.
type Root struct {
	Name      string // defaults to the path
	Namespace string // where objects without one go, and .Release.Namespace; "" means argocd
	Source    unit.Source
	Line      int
}

// Repository says which repoURLs mean a repository on disk.
type Repository struct {
	URLs []string
	Dir  string // relative to the top of the analysed repository; "." is the analysed repository itself
	Line int
}

// Cluster is one entry of the inventory.
type Cluster struct {
	Name        string            `yaml:"name"`
	Server      string            `yaml:"server"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// Controller says how the controller is set up, as far as Git does not show it.
type Controller struct {
	ArgoCD                string `yaml:"argocd"` // "major.minor" or a full version
	Trigger               string `yaml:"trigger"`
	TrackingMethod        string `yaml:"trackingMethod"`
	ApplicationHealth     bool   `yaml:"applicationHealth"`
	KustomizeBuildOptions string `yaml:"kustomizeBuildOptions"`
}

// Kubernetes is what charts see as .Capabilities.
type Kubernetes struct {
	Version     string   `yaml:"version"`
	APIVersions []string `yaml:"apiVersions"`
}

// Pair says of a consumer and its provider what the manifests do not show.
type Pair struct {
	Consumer End
	Provider End
	Serves   *Serves // nil if the file does not say it
	Image    string  // name of the container image that serves, without tag; "" when the pod template leaves no doubt
	Line     int
}

// End is one end of a pair.
type End struct {
	Kind      string
	Namespace string // "" for kinds without one
	Name      string
	Key       string // of a provider with several; "" for any
}

// Serves says where it is written what an image serves: in .proto files, or in a descriptor set. Exactly one of Protos and
// Descriptor is set. Repository and Revision come together or not at all; without them the analysed repository at the
// analysed revision is meant.
type Serves struct {
	Repository string // directory relative to the top of the analysed repository; "." is the analysed repository itself
	Revision   string // {{tag}} in it stands for the tag of the image; without it, one revision for every image
	Protos     string // slash path of a directory, or of one .proto file, from the top of the repository
	Descriptor string // slash path of a FileDescriptorSet from the top of the repository
}

// Limits bound what one run may use.
type Limits struct {
	UnitTimeout  time.Duration
	UnitMemory   int64 // bytes
	FileSize     int64 // bytes
	UnusualSteps int   // that one run of the model may take, 0 to 4
	States       int   // of one search, 1,000 to 20 million
}

// Default is the configuration of a repository that has none.
func Default() Config {
	return Config{
		File:       FileName,
		Controller: Controller{ArgoCD: "3.5", Trigger: "polling", TrackingMethod: "annotation"},
		Kubernetes: Kubernetes{Version: "1.35"},
		Limits: Limits{
			UnitTimeout:  30 * time.Second,
			UnitMemory:   1500 << 20,
			FileSize:     16 << 20,
			UnusualSteps: 2,
			States:       2_000_000,
		},
	}
}
