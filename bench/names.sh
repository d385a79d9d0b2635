#!/usr/bin/env bash
# Compares the pass over the names of a history with git's own, on clones that are given: which commits there are along first
# parents, and which paths each changes. Best of five runs each, in turn. Fails where ours takes more than half as long again.
#
#   bench/names.sh CLONE...
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: bench/names.sh CLONE..." >&2; exit 2; }
clones=()
for dir in "$@"; do clones+=("$(cd "$dir" && pwd)"); done
cd "$(dirname "$0")/.."

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
go build -o "$tools/names" ./bench/names

# milliseconds that a command takes
took() { local from=$(date +%s%N); "$@" >"$tools/out" 2>"$tools/err" || { cat "$tools/err" >&2; return 1; }; echo $((($(date +%s%N) - from) / 1000000)); }

slow=0
for dir in "${clones[@]}"; do
	ours=999999 gits=999999
	for _ in 1 2 3 4 5; do
		t=$(took "$tools/names" "$dir"); [ "$t" -ge "$ours" ] || ours=$t
		found=$(cat "$tools/out")
		t=$(took git -C "$dir" log --first-parent --raw --format=%H HEAD); [ "$t" -ge "$gits" ] || gits=$t
	done
	printf '%s: %s; names %d ms, git log --first-parent --raw %d ms, ratio %d.%02d\n' \
		"$dir" "$found" "$ours" "$gits" $((ours / gits)) $((ours * 100 / gits % 100))
	[ $((ours * 2)) -le $((gits * 3)) ] || slow=1
done
exit $slow
