# shellcheck shell=bash
# Of backup.sh and of the scripts that restore: which archives can be restored, and how MongoDB is reached without showing the password in MONGODB_URL.

# Fails unless a file can be restored. Argument: the file
check_archive() {
  [[ $(basename "$1") =~ ^fanfare-[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}Z\.archive\.gz$ ]] ||
    fail "$1 is not called fanfare-<time>.archive.gz: give it the name that backup.sh gave it, because the name has the time of the backup."
  is_time "$(time_of_archive "$1")" || fail "$1 has a time in its name that does not exist: give it the name that backup.sh gave it."
  [[ -r $1 ]] || fail "$1 cannot be read."
  gzip --test "$1" || fail "$1 is damaged. Nothing was changed: use another backup."
  # Archives of mongodump begin with these bytes.
  [[ $(gzip -dc "$1" 2>/dev/null | head -c 4 | od -An -tx1 | tr -d ' \n') == 6de29981 ]] ||
    fail "$1 is no archive of mongodump. Nothing was changed: use another backup."
}

# Whether a time exists, which the pattern of one does not say: not 2030-02-30T09:00:00Z. Argument: the time, ISO 8601
is_time() {
  [[ $(date -u -d "$1" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null) == "$1" ]]
}

# The time of an archive, ISO 8601. Argument: the file
time_of_archive() {
  basename "$1" .archive.gz | sed -E 's/^fanfare-(.*T..)-(..)-(..Z)$/\1:\2:\3/'
}

# Writes the configuration file of a MongoDB Database Tool. Argument: the file, in a folder that only this user can read.
write_connection() {
  # YAML would fold it, and the password would no longer be found in what the tools print.
  [[ $MONGODB_URL != *$'\n'* ]] || fail 'MONGODB_URL has a line break: write it in one line.'
  # YAML, in which a quote is written twice.
  printf "uri: '%s'\n" "${MONGODB_URL//\'/\'\'}" >"$1"
}

# The tools show the whole connection string when they cannot connect. Its secrets are replaced as they stand in MONGODB_URL, because the tools accept characters that would have to be
# escaped, such as spaces; the patterns are for other forms of it.
without_passwords() {
  local after=${MONGODB_URL#*//} pair pairs=() shown hidden=() line at
  if [[ $after == *@* ]]; then
    # Of two @, which the services reject, nobody knows which one is a part of the password.
    hidden+=("//${after%@*}@" '//…@' "//${after%%@*}@" '//…@')
  fi
  IFS='&' read -ra pairs <<<"${MONGODB_URL#*\?}"
  for pair in "${pairs[@]}"; do
    case ${pair,,} in *password=* | authmechanismproperties=*) hidden+=("$pair" "${pair%%=*}=…") ;; esac
  done
  while IFS= read -r line || [[ -n $line ]]; do
    for ((at = 0; at < ${#hidden[@]}; at += 2)); do
      shown=${hidden[at + 1]}
      line=${line//"${hidden[at]}"/"$shown"}
    done
    printf '%s\n' "$line"
  done | sed -E 's#//[^[:space:]]*@#//…@#; s#(password=|authMechanismProperties=)[^&[:space:]]*#\1…#gi; s#(invalid URL escape ).*#\1…#'
}
