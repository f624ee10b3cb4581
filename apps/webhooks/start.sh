#!/bin/sh
# Starts the built service the same way everywhere: by hand, in images, with npm start, in tests and in benchmarks. Passes arguments on to Node.
# Node and malloc read these settings only when a process starts; apps/bench/README.md describes their effect.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
exec node --max-semi-space-size=16 --single-threaded-gc --import "$here/dist/tracing.mjs" "$@" "$here/dist/main.mjs"
