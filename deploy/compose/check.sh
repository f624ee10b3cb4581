#!/usr/bin/env bash
# Checks compose.yaml with the images built here: starts everything, publishes the demo's post through the containers, and removes all of it.
#
#   deploy/compose/check.sh [--debian]
#
# --debian   replacements of the images of MongoDB, Kafka and Caddy, made of packages (deploy/docker/test-images and debian-bases)
# Needs the images (npm run images), openssl and curl. Takes about two minutes.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
# Ports that nothing else uses.
export HTTP_PORT=34480 HTTPS_PORT=34443 SANDBOX_PORT=34460 COMPOSE_PROJECT_NAME=fanfare-check-$$
if [[ ${1:-} == --debian ]]; then
  export MONGO_IMAGE=fanfare/test-mongo:6.0 KAFKA_IMAGE=fanfare/test-kafka:4.1 CADDY_IMAGE=fanfare/test-caddy:bookworm
fi

cp "$here"/{compose.yaml,compose.sandbox.yaml,Caddyfile,setup.sh} "$work"
cd "$work"
if docker compose version >/dev/null 2>&1; then compose=(docker compose); else compose=(docker-compose); fi
all=("${compose[@]}" -f compose.yaml -f compose.sandbox.yaml)
step() { printf '\n=== %s (after %d s)\n' "$1" "$SECONDS"; }
fail() {
  echo "check: $*" >&2
  exit 1
}
clean_up() {
  local code=$?
  ((code == 0)) || "${all[@]}" logs --no-color --tail 30 >&2 || true
  "${all[@]}" down --volumes --timeout 90 >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

step 'Setup'
./setup.sh localhost
! ./setup.sh localhost 2>/dev/null || fail 'setup.sh has overwritten .env'
"${compose[@]}" config --quiet
"${all[@]}" --profile tools config --quiet
# In production mode nothing starts with the sandbox's settings.
node=/usr/local/bin/node
image=${IMAGE_PREFIX:-fanfare}/publisher:${VERSION:-0.1.0}
refusal=$(docker run --rm --read-only -e PLATFORM_BASE_URL=http://sandbox:4460 -e KEYRING=k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= -e GRPC_ADDRESS=0.0.0.0:9000 "$image" 2>&1 || true)
for setting in PLATFORM_BASE_URL KEYRING GRPC_ADDRESS; do
  [[ $refusal == *"$setting: "* ]] || fail "the publisher accepts $setting in production: $refusal"
done

step 'Start'
"${all[@]}" up -d
for service in gateway content library publisher webhooks analytics generation; do
  container=$("${all[@]}" ps -a -q "$service")
  [[ $(docker inspect --format '{{.HostConfig.ReadonlyRootfs}} {{.Config.User}}' "$container") == 'true 10001:10001' ]] || fail "$service is not confined"
  alive=0
  for _ in $(seq 150); do
    if docker exec "$container" "$node" -e 'fetch("http://127.0.0.1:9100/livez").then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))'; then
      alive=1
      break
    fi
    sleep 1
  done
  ((alive)) || fail "$service does not start"
  echo "$service responds, at $(docker stats --no-stream --format '{{.MemUsage}}' "$container")"
done

step 'Demo'
"${all[@]}" run --rm -T admin demo --api http://gateway:8080 >demo.json || fail "the demo was not published: $(cat demo.json)"
grep -E '"(platform|status|post_url)"' demo.json

step 'The API through Caddy'
key=$(sed -n 's/.*"api_key": "\([^"]*\)".*/\1/p' demo.json)
curl --silent --show-error --fail --insecure --retry 30 --retry-connrefused --retry-delay 1 -o platforms.json \
  -H "Authorization: Bearer $key" "https://localhost:$HTTPS_PORT/api/platforms"
grep -q '"google_business"' platforms.json || fail 'the API does not respond through Caddy'

step 'Stop'
"${all[@]}" stop --timeout 90
for service in gateway content library publisher webhooks analytics generation; do
  code=$(docker inspect --format '{{.State.ExitCode}}' "$("${all[@]}" ps -a -q "$service" | head -1)")
  [[ $code == 0 ]] || fail "$service ended with $code"
done
step 'All of it works'
