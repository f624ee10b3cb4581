#!/usr/bin/env bash
# Builds the images, and writes what each contains (CycloneDX) to dist/images/<image>.cdx.json.
#
#   deploy/docker/build-images.sh [--debian-bases] [image …]
#
# --debian-bases   builds on bases made of Debian's packages (debian-bases/), where no image registry can be reached
# IMAGE_PREFIX     default: fanfare; images are IMAGE_PREFIX/gateway:VERSION and so on
# VERSION          default: that of package.json
# BASE, BUILD_IMAGE   other bases; deploy/docker/Dockerfile has the defaults
set -euo pipefail
cd "$(dirname "$0")/../.."

arguments=()
if [[ ${1:-} == --debian-bases ]]; then
  shift
  deploy/docker/debian-bases/build.sh
  # The legacy builder: Debian's engine does not include BuildKit.
  export BASE=fanfare/base:bookworm BUILD_IMAGE=fanfare/build-base:bookworm DOCKER_BUILDKIT=0
fi
for name in BASE BUILD_IMAGE; do
  [[ -z ${!name:-} ]] || arguments+=(--build-arg "$name=${!name}")
done
images=("$@")
((${#images[@]})) || images=(gateway content publisher webhooks analytics sandbox admin library generation)
prefix=${IMAGE_PREFIX:-fanfare}
version=${VERSION:-$(node -p 'require("./package.json").version')}
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

mkdir -p dist/images
for image in "${images[@]}"; do
  name=$prefix/$image:$version
  docker build -f deploy/docker/Dockerfile --target "$image" --tag "$name" "${arguments[@]}" \
    --build-arg "VERSION=$version" --build-arg "REVISION=$revision" . >"$log" 2>&1 || {
    tail -n 40 "$log" >&2
    exit 1
  }
  container=$(docker create "$name")
  docker cp "$container:/app/sbom.cdx.json" "dist/images/$image.cdx.json" >/dev/null
  docker rm "$container" >/dev/null
  echo "$name: $(docker image inspect --format '{{.Size}}' "$name" | awk '{printf "%.0f MB", $1 / 1e6}')"
done
