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

// KustomizationNames is what one kustomization makes kustomize read, told from text alone.
type KustomizationNames = kustomize.Names

// KustomizationNamed reads the kustomization in a directory, without building anything and without those that it includes.
// The gap says why it cannot be read.
func KustomizationNamed(t source.Tree, dir string) (KustomizationNames, *diag.Gap) {
	return kustomize.Named(t, dir)
}
