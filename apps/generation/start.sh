#!/bin/sh
# Runs the built generation as it runs everywhere: by hand, in images, by npm start, in tests and in the bench. Arguments are passed on to Node.
# Node and malloc take these settings only at the start of a process; apps/bench/README.md has what they cost and save.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
# V8 collects the bytes of pages sooner with --optimize-for-size: at most 290 MB instead of 480 while ten jobs render, and no slower.
# Pixels are large and short-lived: without fixed thresholds malloc keeps their memory for the next ones instead of giving it back.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-262144}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-262144}"
exec node --max-semi-space-size=4 --optimize-for-size --single-threaded-gc --import "$here/dist/tracing.mjs" "$@" "$here/dist/main.mjs"
