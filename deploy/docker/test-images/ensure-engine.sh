#!/usr/bin/env bash
# Ensures that a Docker engine runs, for tests on a Debian machine (as root).
# If one runs already, this does nothing. Otherwise it installs Debian's docker.io and starts dockerd in the background.
# Prints one line on standard output: the pid of the dockerd that it started, or nothing. The caller has to stop it afterwards.
set -euo pipefail

log() { echo "ensure-engine: $*" >&2; }

missing=()
command -v debootstrap >/dev/null || missing+=(debootstrap)
if ! timeout 10 docker info >/dev/null 2>&1; then
  command -v dockerd >/dev/null || missing+=(docker.io iptables)
fi
if ((${#missing[@]})); then
  log "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  # Installing docker.io must not start a service of its own: this script starts the engine and prints its pid for the caller.
  policy=/usr/sbin/policy-rc.d
  if [[ ! -e $policy ]]; then
    printf '#!/bin/sh\nexit 101\n' >$policy
    chmod +x $policy
    trap 'rm -f $policy' EXIT
  fi
  { apt-get update -q && apt-get install -y -q --no-install-recommends "${missing[@]}"; } >&2
fi

if timeout 10 docker info >/dev/null 2>&1; then
  log 'an engine is running'
  exit 0
fi

logFile=${DOCKERD_LOG:-/var/log/fanfare-dockerd.log}
log "starting dockerd, log in $logFile"
# Without a userland proxy, because tests send hundreds of megabytes; with one if the kernel does not let the engine route loopback addresses.
for options in --userland-proxy=false ''; do
  setsid dockerd $options >"$logFile" 2>&1 </dev/null &
  pid=$!
  for _ in $(seq 150); do
    if timeout 10 docker info >/dev/null 2>&1; then
      log 'the engine is running'
      echo "$pid"
      exit 0
    fi
    if ! kill -0 "$pid" 2>/dev/null; then break; fi
    sleep 0.2
  done
  kill "$pid" 2>/dev/null && wait "$pid" || true
done
log "dockerd does not respond. The end of $logFile:"
tail -n 20 "$logFile" >&2
exit 1
