#!/bin/sh
# Runs the built analytics as it runs everywhere: by hand, in images, by npm start, in tests and in the bench. Arguments are passed on to Node.
# Node and malloc take these settings only at the start of a process; apps/bench/README.md has what they cost and save.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
exec node --max-semi-space-size=16 --single-threaded-gc --import "$here/dist/tracing.mjs" "$@" "$here/dist/main.mjs"
