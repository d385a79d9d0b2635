//go:build race

package proof_test

// usual is how many random repositories are proved: few, since the detector makes every search many times slower.
const usual = 20
