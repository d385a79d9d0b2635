package render

import (
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/render/helm"
	"github.com/syncproof/syncproof/internal/render/kustomize"
	"github.com/syncproof/syncproof/internal/render/plain"
	"github.com/syncproof/syncproof/internal/render/worker"
	"github.com/syncproof/syncproof/internal/source"
)

// Engines are the engines of the product: what a worker renders with.
func Engines() worker.Engines {
	return worker.Engines{Helm: helm.Render, Kustomize: kustomize.Render, Directory: plain.Render}
}

// Reach is what a kustomization can read, told from text alone.
type Reach = kustomize.Reach

// KustomizationReach reads the kustomization in a directory and all that it reaches, without building anything. The gap
// says why it cannot be read.
func KustomizationReach(t source.Tree, dir string) (Reach, *diag.Gap) {
	return kustomize.Closure(t, dir)
}
