#!/bin/sh
# Generates what an installation needs before its first start: .env with its settings and secrets, and secrets/ with the certificates by which its
# processes authenticate each other. Never overwrites an existing .env. Needs openssl.
#
#   ./setup.sh api.example.com        the name under which the API is reached
#   ./setup.sh --renew-certificates   new certificates from the same CA, before the old ones expire; running processes load them within ten seconds
set -eu
cd "$(dirname "$0")"
umask 077

YEARS=10
CERTIFICATE_DAYS=825
SERVICES='gateway content library publisher webhooks analytics generation operator mongodb kafka'

fail() {
  echo "setup: $*" >&2
  exit 1
}
command -v openssl >/dev/null || fail 'openssl is missing: install it with the package manager of this machine.'

key() { echo "k1:$(openssl rand -base64 32)"; }

make_ca() {
  openssl req -x509 -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days $((YEARS * 365)) -subj '/CN=Fanfare services' \
    -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' \
    -keyout secrets/ca.key -out secrets/ca.crt 2>/dev/null
}

# Each process sees only its own folder. The folder above can be read by its owner alone, so its files may be readable for the user in the container.
make_certificate() {
  mkdir -p "secrets/$1"
  folder=secrets/$1
  printf 'basicConstraints=CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth,clientAuth\nsubjectAltName=DNS:%s,DNS:localhost\n' "$1" >"$folder/new.cnf"
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" -keyout "$folder/new.key" -out "$folder/new.csr" 2>/dev/null
  openssl x509 -req -in "$folder/new.csr" -CA secrets/ca.crt -CAkey secrets/ca.key -CAcreateserial -days $CERTIFICATE_DAYS -extfile "$folder/new.cnf" \
    -out "$folder/new.crt" 2>/dev/null
  cat "$folder/new.key" "$folder/new.crt" >"$folder/new.pem"
  cp secrets/ca.crt "$folder/new.ca"
  chmod 0755 "$folder"
  chmod 0644 "$folder"/new.*
  mv "$folder/new.ca" "$folder/ca.crt"
  mv "$folder/new.key" "$folder/tls.key"
  mv "$folder/new.crt" "$folder/tls.crt"
  # Certificate and key in one file, as MongoDB and Kafka read them.
  mv "$folder/new.pem" "$folder/tls.pem"
  rm "$folder/new.cnf" "$folder/new.csr"
}

if [ "${1:-}" = --renew-certificates ]; then
  [ -f secrets/ca.key ] || fail 'there is no secrets/ca.key here: run ./setup.sh <name> first.'
  for service in $SERVICES; do make_certificate "$service"; done
  echo 'The services load the new certificates within ten seconds. Restart MongoDB and Kafka: docker compose restart mongodb kafka'
  exit 0
fi

domain=${1:-}
case $domain in
  '' | -* | *[!A-Za-z0-9.-]*) fail 'usage: ./setup.sh <name of the API, such as api.example.com or localhost> | --renew-certificates' ;;
esac
[ ! -e .env ] || fail '.env exists: its secrets decrypt what is stored, so they are never replaced. Move it away to set up another installation.'
[ ! -e secrets ] || fail 'secrets/ exists: it belongs to an installation. Move it away to set up another one.'

mkdir secrets
make_ca
for service in $SERVICES; do make_certificate "$service"; done

# Written last, and at once: a setup that was interrupted leaves no .env.
cat >.env.new <<EOF
# Settings of this installation; compose.yaml reads them. Keep a copy of this file in a safe place: without KEYRING, stored tokens cannot be decrypted.
# Values stand in single quotes: without them, Compose cuts a value off at " #", and replaces "\$". Write \\' for a quote in a value.

# The name under which the API is reached; Caddy gets a certificate for it. Ports 80 and 443 must be reachable from the internet, unless it is localhost.
DOMAIN='$domain'
HTTP_PORT='80'
HTTPS_PORT='443'
# The address of the API, as links in mails and responses contain it. With another HTTPS_PORT, add it: https://$domain:8443
BASE_URL='https://$domain'

# Your app on each platform: {"facebook": {"client_id": "...", "client_secret": "..."}}
PLATFORM_APPS='{}'

# The server that mail is sent by: smtps://user:password@mail.example.com. Without one, invitations and reports of failures stay queued.
SMTP_URL=''
MAIL_FROM='Fanfare <no-reply@$domain>'

# invited, or open: anyone can sign up.
SIGN_UP='invited'

# Generated. deploy/docs/keyring.md explains how to rotate KEYRING.
KEYRING='$(key)'
GATEWAY_KEYRING='$(key)'
MEDIA_URL_SECRET='$(key)'

# Of its containers, networks and volumes.
COMPOSE_PROJECT_NAME='fanfare'

# Images: IMAGE_PREFIX/gateway:VERSION and so on. PULL_POLICY=missing pulls them, when IMAGE_PREFIX is your registry.
IMAGE_PREFIX='fanfare'
PULL_POLICY='never'
VERSION='0.1.0'
MONGO_IMAGE='mongo:8.0'
KAFKA_IMAGE='apache/kafka:4.1.0'
CADDY_IMAGE='caddy:2'
EOF
mv .env.new .env
echo 'Wrote .env and secrets/. Next: set PLATFORM_APPS and SMTP_URL in .env, in single quotes, then run docker compose up -d'
