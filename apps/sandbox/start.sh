#!/bin/sh
# Starts the built sandbox: by hand, in images, and from npm start, tests and the bench. Arguments are passed on to Node.
# Node and malloc read these settings only at the start of a process; their effects are in apps/bench/FIGURES.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
exec node --max-semi-space-size=16 --import "$here/dist/tracing.mjs" "$@" "$here/dist/main.mjs"
