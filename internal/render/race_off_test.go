//go:build !race

package render

const (
	raceEnabled = false
	testMemory  = 1500 << 20
)
