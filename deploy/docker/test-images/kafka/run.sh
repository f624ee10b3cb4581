#!/usr/bin/env bash
# Converts KAFKA_* to server.properties by the official image's rule (KAFKA_A_B → a.b, __ → _, ___ → -), formats the log once, runs the broker.
set -euo pipefail

properties=/etc/kafka/server.properties
env -0 | while IFS='=' read -r -d '' name value; do
  case $name in
    KAFKA_HEAP_OPTS | KAFKA_JVM_PERFORMANCE_OPTS | KAFKA_OPTS) ;;
    KAFKA_*) echo "$(tr '[:upper:]' '[:lower:]' <<<"${name#KAFKA_}" | sed -e 's/___/-/g' -e 's/__/%/g' -e 's/_/./g' -e 's/%/_/g')=$value" ;;
  esac
done >"$properties"

run() { java ${KAFKA_HEAP_OPTS:-} ${KAFKA_JVM_PERFORMANCE_OPTS:-} -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp '/opt/kafka/libs/*' "$@"; }
run kafka.tools.StorageTool format --ignore-formatted --cluster-id "${CLUSTER_ID:-5L6g3nShT-eMCtK--X86sw}" --config "$properties"
# exec: the broker must be the process that gets the engine's SIGTERM.
exec java ${KAFKA_HEAP_OPTS:-} ${KAFKA_JVM_PERFORMANCE_OPTS:-} -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp '/opt/kafka/libs/*' kafka.Kafka "$properties"
