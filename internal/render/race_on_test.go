//go:build race

package render

const (
	raceEnabled = true
	testMemory  = -1 // no limit: the race detector maps more memory than any
)
