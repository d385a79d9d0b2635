#!/usr/bin/env bash
# Writes the table of docs/pair-and-buf.md anew: installs buf below a directory of its own and asks it, and syncproof's model,
# about each change of internal/match/pair/testdata/changes.txtar. Needs Go and its module proxy; not a part of the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

version=v1.75.0
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
GOBIN=$tools go install "github.com/bufbuild/buf/cmd/buf@$version"
go run ./bench/pairbuf -buf "$tools/buf"
