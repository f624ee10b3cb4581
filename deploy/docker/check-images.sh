#!/usr/bin/env bash
# Checks what all images have in common (README.md), and prints their sizes. Needs the images: npm run images.
#
#   deploy/docker/check-images.sh [image …]
set -euo pipefail
cd "$(dirname "$0")/../.."

images=("$@")
((${#images[@]})) || images=(gateway content publisher webhooks analytics sandbox admin library generation)
prefix=${IMAGE_PREFIX:-fanfare}
version=${VERSION:-$(node -p 'require("./package.json").version')}
node=$(node -p 'require("./package.json").devDependencies.node')

fail() {
  echo "check-images: $*" >&2
  exit 1
}
inspect() { docker image inspect --format "$2" "$1"; }
# Base and Node, if the base is one layer, as that of --debian-bases. What an image adds comes after them.
first_layers() { inspect "$1" '{{range .RootFS.Layers}}{{println .}}{{end}}' | head -2; }

for image in "${images[@]}"; do
  name=$prefix/$image:$version
  inspect "$name" '{{.Id}}' >/dev/null || fail "$name is missing: npm run images"

  # Skia, libvips and fonts of eleven scripts are 75 MB of generation's.
  limit=220
  [[ $image == generation ]] && limit=260
  size=$(inspect "$name" '{{.Size}}' | awk '{printf "%.0f", $1 / 1e6}')
  ((size <= limit)) || fail "$name has $size MB, of at most $limit"
  shared=${shared:-$(first_layers "$name")}
  [[ $(first_layers "$name") == "$shared" ]] || fail "$name does not share the layers of the base and Node"
  [[ $(inspect "$name" '{{.Config.User}}') == 10001:10001 ]] || fail "$name runs as $(inspect "$name" '{{.Config.User}}')"
  [[ $(inspect "$name" '{{.Config.Healthcheck}}') == '<nil>' ]] || fail "$name has a HEALTHCHECK"
  for label in title description vendor licenses version revision; do
    [[ -n $(inspect "$name" "{{index .Config.Labels \"org.opencontainers.image.$label\"}}") ]] || fail "$name has no label $label"
  done

  # As another user, without a place to write to.
  found=$(docker run --rm --network none --read-only --cap-drop ALL --user 54321:54321 --entrypoint /usr/local/bin/node "$name" --version)
  [[ $found == "v$node" ]] || fail "$name has Node $found instead of $node"

  container=$(docker create "$name")
  files=$(docker export "$container" | tar -t)
  docker rm "$container" >/dev/null
  ! grep -E '(^|/)(sh|bash|dash|busybox|apt|dpkg|npm)$' <<<"$(grep -E '^(usr/)?(local/)?s?bin/' <<<"$files")" || fail "$name has a shell or a package manager"
  grep -qx app/sbom.cdx.json <<<"$files" || fail "$name has no SBOM"
  case $image in
    library | generation)
      docker run --rm --network none --read-only --cap-drop ALL --user 54321:54321 --volume /spool "$name" --eval \
        'fs.writeFileSync("/spool/file", ""); child_process.execFileSync("ffmpeg", ["-version"])' || fail "$name has no ffmpeg, or no spool that any user may write to"
      ;;
    *) ! grep -qE '/(ffmpeg|libavcodec[^/]*)$' <<<"$files" || fail "$name has an ffmpeg" ;;
  esac
  printf '%-12s %4d MB\n' "$image" "$size"
done
