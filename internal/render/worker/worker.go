// Package worker is what runs inside a worker process, how it is contained, and what it says to its parent.
//
// In go a tree, served by the parent over a pipe, and a [unit.Request]; out comes a [unit.Rendering] whose secrets are
// sealed and whose messages quote none. The worker picks the tool as Argo CD does and merges the overrides that lie in
// the repository. It refuses to read a file, open a connection or start a program of the host: what an engine sees is the
// tree, and what an engine does wrong ends with its process.
//
// The parent's half of the conversation (time limit, bounds, second try) is package render's. Both halves are the same
// binary, so the messages carry no version.
package worker

import (
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Engine renders a source with one tool. It never fails: what it cannot render is a gap of the rendering. It must not
// keep t beyond the call.
type Engine func(t source.Tree, req unit.Request) unit.Rendering

// Engines is one engine for each tool. A nil engine is a gap for the units that want it.
type Engines struct {
	Helm, Kustomize, Directory Engine
}

func (e Engines) of(tool unit.Tool) Engine {
	switch tool {
	case unit.HelmTool:
		return e.Helm
	case unit.KustomizeTool:
		return e.Kustomize
	case unit.DirectoryTool:
		return e.Directory
	}
	return nil
}
