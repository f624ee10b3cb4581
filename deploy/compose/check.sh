#!/usr/bin/env bash
# Checks the images (deploy/docker/check-images.sh), and compose.yaml with them: tries what production must reject, starts everything, publishes the demo's
# post through the containers, makes a backup and restores it, starts each image as any other user, stops all and removes it.
#
#   deploy/compose/check.sh [--debian]
#
# --debian   replacements of the images of MongoDB, Kafka and Caddy, made of packages (deploy/docker/test-images and debian-bases). That of MongoDB has no mongodump and
#            no mongorestore: they must be on the PATH, linked statically
# Needs the images (npm run images), openssl and curl. Takes about four minutes.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
work=$scratch/compose
# Ports that nothing else uses.
export HTTP_PORT=34480 HTTPS_PORT=34443 SANDBOX_PORT=34460 COMPOSE_PROJECT_NAME=fanfare-check-$$
tools=()
if [[ ${1:-} == --debian ]]; then
  for program in mongodump mongorestore; do tools+=(-v "$(command -v "$program"):/usr/local/bin/$program:ro"); done
  export MONGO_IMAGE=fanfare/test-mongo:6.0 KAFKA_IMAGE=fanfare/test-kafka:4.1 CADDY_IMAGE=fanfare/test-caddy:bookworm
fi

mkdir "$work"
cp -r "$here/../backup" "$scratch"
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
  rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

step 'Images'
"$here/../docker/check-images.sh"

step 'Setup'
./setup.sh localhost
! ./setup.sh localhost 2>/dev/null || fail 'setup.sh has overwritten .env'
"${compose[@]}" config --quiet
# Compose prints $$ for $.
printf '%s\n' "SMTP_URL='smtps://user:a\$b #c@mail.example.com'" >quoted.env
quoted=$(cat .env quoted.env >all.env && "${compose[@]}" --env-file all.env config)
[[ $quoted == *'smtps://user:a$$b #c@mail.example.com'* ]] || fail 'a value of .env in quotes is not read as it stands'
rm quoted.env all.env
"${all[@]}" --profile tools config --quiet

step 'What production rejects'
# Each service gets all of these, and must name those that it reads.
unfit=(
  MONGODB_URL='mongodb://mongodb:27017/?replicaSet=rs0' KAFKA_BROKERS=kafka:9092
  GRPC_ADDRESS=0.0.0.0:9000 ADMIN_GRPC_ADDRESS=0.0.0.0:9000
  KEYRING=k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= MEDIA_URL_SECRET=k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
  PLATFORM_BASE_URL=http://sandbox:4460 FETCH_ALLOWED_ORIGINS=http://sandbox:4460 DEV_MAIL_URL=http://sandbox:4460/_dev/mail
  'PLATFORM_APPS={"x": {"client_id": "sandbox-x", "client_secret": "sandbox-x-secret"}}' LANGUAGE_MODEL_KEY=sandbox-key
  BASE_URL=http://api.example.com PUBLIC_BASE_URL=http://api.example.com
  # Required, and right.
  INTERNAL_BASE_URL=http://127.0.0.1:8080 LIBRARY_HTTP_URL=http://127.0.0.1:8080
)
rejects() { # service setting…
  local service=$1 message setting
  message=$(docker run --rm --network none --read-only --tmpfs /tmp "${unfit[@]/#/--env=}" "${IMAGE_PREFIX:-fanfare}/$service:${VERSION:-0.1.0}" 2>&1) &&
    fail "$service starts in production with settings of development"
  for setting in MONGODB_URL KAFKA_BROKERS "${@:2}"; do
    [[ $message == *"$setting: "* ]] || fail "$service accepts $setting in production: $message"
  done
  echo "$service: MONGODB_URL KAFKA_BROKERS ${*:2}"
}
rejects gateway ADMIN_GRPC_ADDRESS BASE_URL KEYRING DEV_MAIL_URL
rejects content GRPC_ADDRESS
rejects library GRPC_ADDRESS PUBLIC_BASE_URL MEDIA_URL_SECRET FETCH_ALLOWED_ORIGINS
rejects publisher GRPC_ADDRESS KEYRING PLATFORM_BASE_URL PLATFORM_APPS
rejects webhooks GRPC_ADDRESS BASE_URL KEYRING FETCH_ALLOWED_ORIGINS
rejects analytics GRPC_ADDRESS PLATFORM_BASE_URL
rejects generation GRPC_ADDRESS FETCH_ALLOWED_ORIGINS LANGUAGE_MODEL_KEY

step 'Start'
"${all[@]}" up -d >up.log 2>&1 || fail "docker compose up: $(cat up.log)"
node=/usr/local/bin/node
livez=http://127.0.0.1:9100/livez
services=(gateway content library publisher webhooks analytics generation)
responds() { # container url
  for _ in $(seq 150); do
    docker exec "$1" "$node" -e 'fetch(process.argv[1]).then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))' "$2" && return
    sleep 1
  done
  return 1
}
all_respond() {
  local service container
  for service in "${services[@]}"; do
    container=$("${all[@]}" ps -a -q "$service")
    [[ $(docker inspect --format '{{.HostConfig.ReadonlyRootfs}} {{.Config.User}}' "$container") == 'true 10001:10001' ]] || fail "$service is not confined"
    responds "$container" "$livez" || fail "$service does not start"
    echo "$service responds, at $(docker stats --no-stream --format '{{.MemUsage}}' "$container")"
  done
}
all_respond

step 'Demo'
"${all[@]}" run --rm -T admin demo --api http://gateway:8080 >demo.json || fail "the demo was not published: $(cat demo.json)"
grep -E '"(platform|status|post_url)"' demo.json

step 'The API through Caddy'
key=$(sed -n 's/.*"api_key": "\([^"]*\)".*/\1/p' demo.json)
calls_through_caddy() {
  curl --silent --show-error --fail --insecure --retry 60 --retry-all-errors --retry-delay 1 -o platforms.json -w 'HTTP/%{http_version} %{http_code}\n' \
    -H "Authorization: Bearer $key" "https://localhost:$HTTPS_PORT/api/platforms"
  grep -q '"google_business"' platforms.json || fail 'the API does not respond through Caddy'
}
calls_through_caddy

step 'Backup and restoration' # As deploy/backup/compose.md says it.
scripts() { "${all[@]}" run --rm -T "${tools[@]}" backup "$@"; }
admin() { "${all[@]}" run --rm -T admin "$@"; }
scripts ./backup.sh /backups
archive=$(cd backups && echo fanfare-*.archive.gz)
admin organizations create --name Later >/dev/null || fail 'no organization was created'
"${all[@]}" stop --timeout 90 "${services[@]}" >stop.log 2>&1 || fail "docker compose stop: $(cat stop.log)"
since=$(scripts ./restore-database.sh "/backups/$archive" | tail -n 1)
fence=(--since "$since" --until "$(date -u +%Y-%m-%dT%H:%M:%SZ)")
PAUSE_ON_START=true "${all[@]}" up -d publisher content library webhooks >up.log 2>&1 || fail "docker compose up: $(cat up.log)"
admin restore-fence "${fence[@]}" --keep
"${all[@]}" up -d publisher >up.log 2>&1 || fail "docker compose up: $(cat up.log)"
admin restore-fence "${fence[@]}"
"${all[@]}" up -d >up.log 2>&1 || fail "docker compose up: $(cat up.log)"
calls_through_caddy
listed=$(admin organizations list)
[[ $listed == *'"id"'* && $listed != *Later* ]] || fail "the restored organizations are not those of the backup: $listed"

step 'As any other user'
# A second replica of each, beside the first, whose spool it must not share.
for service in "${services[@]}" sandbox; do
  [[ $service == sandbox ]] && url=http://127.0.0.1:4460/livez || url=$livez
  container=$("${all[@]}" run -d --no-deps --user 54321:54321 -e SPOOL_DIRECTORY=/tmp "$service" | tail -1)
  responds "$container" "$url" || fail "$service does not start as another user: $(docker logs --tail 5 "$container" 2>&1)"
  echo "$service responds as user $(docker inspect --format '{{.Config.User}}' "$container")"
  docker stop --time 90 "$container" >/dev/null
  [[ $(docker inspect --format '{{.State.ExitCode}}' "$container") == 0 ]] || fail "$service as another user ended with an error"
  docker rm "$container" >/dev/null
done
"${all[@]}" run --rm -T --user 54321:54321 admin organizations list >/dev/null || fail 'admin does not work as another user'

step 'Stop'
"${all[@]}" stop --timeout 90 >stop.log 2>&1 || fail "docker compose stop: $(cat stop.log)"
for service in "${services[@]}"; do
  code=$(docker inspect --format '{{.State.ExitCode}}' "$("${all[@]}" ps -a -q "$service" | head -1)")
  [[ $code == 0 ]] || fail "$service ended with $code"
done

step 'In production mode, without the sandbox'
"${compose[@]}" up -d >up.log 2>&1 || fail "docker compose up: $(cat up.log)"
all_respond
calls_through_caddy

step 'All of it works'
