//go:build race

package cli_test

// raceEnabled: the race detector maps more memory than a worker may.
const raceEnabled = true
