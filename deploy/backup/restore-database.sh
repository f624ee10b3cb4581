#!/usr/bin/env bash
# Restores a backup that backup.sh has made. Stop every process of Fanfare first, and let none run until restore-fence has ended: README.md beside this file says how.
# restore-kubernetes.sh does all of it. It may be run again after an interruption.
#
#   MONGODB_URL=mongodb://… ./restore-database.sh ARCHIVE
#
# Replaces each collection that the backup has. The last line that it prints is the time of the backup, for restore-fence.
#
# MONGODB_URL   that of the services. Not an argument: every user of a machine sees the arguments of its processes
# Needs mongorestore and gzip.
set -euo pipefail
# shellcheck source=mongodb.sh
source "$(dirname "${BASH_SOURCE[0]}")/mongodb.sh"
umask 077

fail() {
  echo "restore: $*" >&2
  exit 1
}

[[ $# -eq 1 ]] || fail 'usage: MONGODB_URL=mongodb://… restore-database.sh ARCHIVE'
archive=$1
check_archive "$archive"
[[ -n ${MONGODB_URL:-} ]] || fail 'MONGODB_URL is not set: set it to the connection string of the services.'
command -v mongorestore >/dev/null || fail 'mongorestore is missing: install the MongoDB Database Tools.'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
write_connection "$work/mongodb.yaml"

time=$(time_of_archive "$archive")
echo "Restoring the backup of $time …"
# With --oplogReplay all collections are of the same moment.
mongorestore --config "$work/mongodb.yaml" --oplogReplay --drop --stopOnError --gzip --archive="$archive" 2>&1 |
  without_passwords >&2 ||
  fail 'mongorestore has failed, as shown above. The databases are incomplete: let no process of Fanfare run, and run this again.'
echo "$time"
