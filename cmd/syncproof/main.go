// Command syncproof finds delivery races in GitOps repositories.
package main

import (
	"os"

	"github.com/syncproof/syncproof/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
}
