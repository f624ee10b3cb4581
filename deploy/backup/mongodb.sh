# shellcheck shell=bash
# Of backup.sh and of the scripts that restore: which archives can be restored, and how MongoDB is reached without showing the password in MONGODB_URL.

# Fails unless a file can be restored. Argument: the file
check_archive() {
  [[ $(basename "$1") =~ ^fanfare-[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}Z\.archive\.gz$ ]] ||
    fail "$1 is not called fanfare-<time>.archive.gz: give it the name that backup.sh gave it, because the name has the time of the backup."
  [[ -r $1 ]] || fail "$1 cannot be read."
  gzip --test "$1" || fail "$1 is damaged. Nothing was changed: use another backup."
  # Archives of mongodump begin with these bytes.
  [[ $(gzip -dc "$1" 2>/dev/null | head -c 4 | od -An -tx1 | tr -d ' \n') == 6de29981 ]] ||
    fail "$1 is no archive of mongodump. Nothing was changed: use another backup."
}

# The time of an archive, ISO 8601. Argument: the file
time_of_archive() {
  basename "$1" .archive.gz | sed -E 's/^fanfare-(.*T..)-(..)-(..Z)$/\1:\2:\3/'
}

# Writes the configuration file of a MongoDB Database Tool. Argument: the file, in a folder that only this user can read.
write_connection() {
  # YAML, in which a quote is written twice.
  printf "uri: '%s'\n" "${MONGODB_URL//\'/\'\'}" >"$1"
}

# The tools show the whole connection string when they cannot connect.
without_passwords() {
  sed -E 's#//[^[:space:]]*@#//…@#; s#(password=)[^&[:space:]]*#\1…#gi'
}
