#!/usr/bin/env bash
# Builds fanfare/build-base, fanfare/base and fanfare/test-caddy of Debian's packages, for machines that can reach package registries but no image registry, such as CI.
# All begin with the base of the test images. Needs an engine, npm, and the repository's packages (npm ci). Images that exist are kept;
# remove them to get newer packages.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
debian=fanfare/test-base:bookworm
npm=npm@11.19.1

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

log() { echo "debian-bases: $*" >&2; }
exists() { docker image inspect "$1" >/dev/null 2>&1; }

exists "$debian" || "$here/../test-images/build.sh"

mkdir "$work/context"
cp "$here/Dockerfile" "$work/context"
cp "$root/node_modules/node/bin/node" "$work/context/node"
cp /etc/ssl/certs/ca-certificates.crt "$work/context"
(cd "$work" && npm pack --silent "$npm" >/dev/null && tar -xzf npm-*.tgz && mv package context/npm)

for target in build:fanfare/build-base:bookworm runtime:fanfare/base:bookworm caddy:fanfare/test-caddy:bookworm; do
  image=${target#*:}
  exists "$image" && continue
  log "building $image"
  # The legacy builder: Debian's engine does not include BuildKit.
  DOCKER_BUILDKIT=0 docker build --build-arg "DEBIAN=$debian" --target "${target%%:*}" --tag "$image" "$work/context" >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    exit 1
  }
done
