//go:build !race

package proof_test

// usual is how many random repositories are proved.
const usual = manyCases
