#!/usr/bin/env bash
# Backs up a MongoDB replica set with all its databases, at one moment and while they are in use.
#
#   MONGODB_URL=mongodb://… ./backup.sh FOLDER
#
# Writes FOLDER/fanfare-<time>.archive.gz. The file appears when it is complete. Restoring it needs the time, which is in the name alone: keep the name.
#
# MONGODB_URL   that of the services. Not an argument: every user of a machine sees the arguments of its processes
# Needs mongodump and gzip.
set -euo pipefail
# shellcheck source=mongodb.sh
source "$(dirname "${BASH_SOURCE[0]}")/mongodb.sh"
# It contains the data of all customers.
umask 077

fail() {
  echo "backup: $*" >&2
  exit 1
}

[[ $# -eq 1 ]] || fail 'usage: MONGODB_URL=mongodb://… backup.sh FOLDER'
folder=$1
[[ -d $folder && -w $folder ]] || fail "$folder is no folder that this user can write to: create it."
[[ -n ${MONGODB_URL:-} ]] || fail 'MONGODB_URL is not set: set it to the connection string of the services.'
command -v mongodump >/dev/null || fail 'mongodump is missing: install the MongoDB Database Tools.'

work=$(mktemp -d)
partial=$(mktemp "$folder/.incomplete-XXXXXX")
trap 'rm -rf "$work" "$partial"' EXIT

write_connection "$work/mongodb.yaml"

echo 'Backing up …'
# The dump has what was written until its end: --oplog records that. With -vv, mongodump says from which entry of the oplog on.
mongodump --config "$work/mongodb.yaml" --oplog --gzip --archive="$partial" -vv 2>"$work/log" || {
  tail -n 20 "$work/log" | without_passwords >&2
  fail 'mongodump has failed, as shown above. There is no new backup.'
}
gzip --test "$partial" || fail 'The archive is damaged: is the disk full? There is no new backup.'
sync "$partial"

# The time of that entry, by the clock of the primary: the dump has everything that was written before, also if it was made from a secondary that is behind.
seconds=$(sed -n 's/.*checking if oplog entry {\([0-9]*\) [0-9]*} still exists.*/\1/p' "$work/log")
[[ $seconds =~ ^[0-9]+$ ]] || fail 'mongodump did not say when the backup began: use version 100.5 or newer of the MongoDB Database Tools. There is no new backup.'
TZ=UTC printf -v time '%(%Y-%m-%dT%H-%M-%SZ)T' "$seconds"

archive=$folder/fanfare-$time.archive.gz
if [[ -e $archive ]]; then
  echo "Nothing had been written since $archive: it has everything."
  exit
fi
mv "$partial" "$archive"
echo "Wrote $archive, $(du -h "$archive" | cut -f1)."
