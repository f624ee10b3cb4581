#!/bin/sh
# Starts the built service the same way everywhere: by hand, in images, with npm start, in tests and in benchmarks. Passes arguments on to Node.
# Node and malloc read these settings only when a process starts; apps/bench/README.md describes their effect.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
# With --optimize-for-size V8 collects garbage sooner. Unlike the other services this one collects it in several threads, which shortens the pauses in which no
# call gets its response. While ten jobs render it uses at most 250 MB, instead of 310 MB with one such thread, and 430 MB without --optimize-for-size.
# Image buffers are large and short-lived. Without fixed thresholds malloc keeps their memory instead of returning it to the system.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-262144}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-262144}"
exec node --max-semi-space-size=4 --optimize-for-size --import "$here/dist/tracing.mjs" "$@" "$here/dist/main.mjs"
