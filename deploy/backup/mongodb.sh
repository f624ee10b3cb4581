# shellcheck shell=bash
# Of backup.sh and restore-database.sh: how they reach MongoDB without showing the password in MONGODB_URL.

# Writes the configuration file of a MongoDB Database Tool. Argument: the file, in a folder that only this user can read.
write_connection() {
  # YAML, in which a quote is written twice.
  printf "uri: '%s'\n" "${MONGODB_URL//\'/\'\'}" >"$1"
}

# The tools show the whole connection string when they cannot connect.
without_passwords() {
  sed -E 's#//[^[:space:]]*@#//…@#; s#(password=)[^&[:space:]]*#\1…#gi'
}
