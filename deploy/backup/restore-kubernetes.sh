#!/usr/bin/env bash
# Restores a backup that backup.sh has made into an installation of the chart, so that no post is published twice: stops everything, restores the databases, starts what
# restore-fence needs with everything paused, reads from the platforms what they have, and starts the rest.
#
#   MONGODB_URL=mongodb://… ./restore-kubernetes.sh --namespace fanfare --release fanfare [--until TIME] ARCHIVE
#
# --until       when the last publisher stopped that worked on the lost databases, ISO 8601 in UTC; default: now. Posts that were due later are published without asking
# MONGODB_URL   that of the services, as it is reached from this machine
#
# It may be interrupted, and continues where it was when it is run again. What it has done, and how many replicas there were, is in the ConfigMap <release>-restore until it ends.
# Needs kubectl, mongorestore and gzip, and the image `admin` beside those of the services.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=mongodb.sh
source "$here/mongodb.sh"

# What it waits for at most: a pod may take 90 s to stop, and an image has to be pulled.
LIMIT_SECONDS=900

fail() {
  echo "restore: $*" >&2
  exit 1
}
step() { echo "→ $*"; }

namespace='' release='' until='' archive=''
while (($#)); do
  case $1 in
    --namespace | --release | --until)
      [[ -n ${2:-} ]] || fail "$1 lacks its value."
      printf -v "${1#--}" %s "$2"
      shift 2
      ;;
    -*) fail "$1 is no option: there are --namespace, --release and --until." ;;
    *)
      [[ -z $archive ]] || fail "$1 is too much: give one archive."
      archive=$1
      shift
      ;;
  esac
done
[[ -n $namespace && -n $release && -n $archive ]] || fail 'usage: MONGODB_URL=mongodb://… restore-kubernetes.sh --namespace NAMESPACE --release RELEASE [--until TIME] ARCHIVE'
[[ -z $until || $until =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z$ ]] || fail "$until is no time: write it as 2030-01-31T09:00:00Z."
[[ -z $until ]] || is_time "${until%%[.Z]*}Z" || fail "$until does not exist: write a time such as 2030-01-31T09:00:00Z."
[[ -n ${MONGODB_URL:-} ]] || fail 'MONGODB_URL is not set: set it to the connection string of the services.'
for program in kubectl mongorestore; do
  command -v "$program" >/dev/null || fail "$program is missing: install it."
done
# Before anything is stopped.
check_archive "$archive"

k() { kubectl --namespace "$namespace" "$@"; }
ours=app.kubernetes.io/name=fanfare,app.kubernetes.io/instance=$release
# The sandbox stands for platforms, and is none of the processes that use the databases.
services="$ours,app.kubernetes.io/component notin (sandbox,mongodb,kafka,operator,migrate)"

publisher=$(k get deployments --selector "$ours,app.kubernetes.io/component=publisher" --output 'jsonpath={.items[*].metadata.name}')
[[ -n $publisher ]] || fail "There is no publisher of the release $release in the namespace $namespace."
name=${publisher%-publisher}
of_publisher() { k get deployment "$publisher" --output "jsonpath={.spec.template.spec.$1}"; }

state=$name-restore
saved() { k get configmap "$state" --ignore-not-found --output "jsonpath={.data.$1}"; }
save() { k patch configmap "$state" --type merge --patch "{\"data\":{\"$1\":\"$2\"}}" >/dev/null; }

# Waits until a command succeeds and prints nothing. Arguments: what it says when the limit has passed, the command.
until_empty() {
  local message=$1 end=$((SECONDS + LIMIT_SECONDS)) left
  shift
  # While the API server cannot be reached, nobody knows what is left.
  until left=$("$@") && [[ -z $left ]]; do
    ((SECONDS < end)) || fail "$message ${left:-kubectl fails, as shown above.}"
    sleep 2
  done
}

begin() {
  local begun replicas
  begun=$(saved archive)
  if [[ -n $begun ]]; then
    [[ $begun == "$(basename "$archive")" ]] || fail "The restoration of $begun has begun and not ended. Run this with it, or delete the ConfigMap $state to begin with another one."
    step "Continuing the restoration of $begun."
    return
  fi
  replicas=$(k get deployments --selector "$services" --output 'jsonpath={range .items[*]}{.metadata.name}={.spec.replicas} {end}')
  k create configmap "$state" "--from-literal=archive=$(basename "$archive")" "--from-literal=replicas=$replicas" --from-literal=reached=nothing >/dev/null
}

scaled_objects=()
find_scaled_objects() {
  local found definition
  definition=$(kubectl get customresourcedefinition scaledobjects.keda.sh --ignore-not-found --output name)
  [[ -n $definition ]] || return 0
  found=$(k get scaledobjects.keda.sh --selector "$ours" --output 'jsonpath={range .items[*]}scaledobject/{.metadata.name} {end}')
  read -ra scaled_objects <<<"$found"
}

# KEDA starts publishers and webhooks while events wait, whatever `replicas` says. `paused-replicas` would set the number again, so the publisher could not be started: `paused` leaves it alone.
# Autoscalers of Kubernetes leave a Deployment with 0 replicas alone.
pause_keda() {
  ((${#scaled_objects[@]})) || return 0
  step 'Pausing KEDA.'
  k annotate --overwrite "${scaled_objects[@]}" autoscaling.keda.sh/paused=true >/dev/null
  k wait --for=condition=Paused "${scaled_objects[@]}" --timeout="${LIMIT_SECONDS}s" >/dev/null
}

running() {
  # KEDA may have decided just before it was paused.
  k scale deployments --selector "$services" --replicas=0 >/dev/null &&
    k get pods --selector "$services" --field-selector 'status.phase!=Failed,status.phase!=Succeeded' --output name
}
stop_services() {
  step 'Stopping all services, and waiting until their pods have ended.'
  until_empty 'Pods have not ended; delete those of a lost node by force when the node is off:' running
}

start() {
  local service
  for service in "$@"; do
    k scale "deployment/$name-$service" --replicas=1 >/dev/null
  done
  for service in "$@"; do
    k rollout status "deployment/$name-$service" --timeout="${LIMIT_SECONDS}s"
  done
}

# Runs `admin restore-fence`, which can be repeated at any point. Arguments: further options.
restore_fence() {
  local attempt
  for attempt in 1 2 3; do
    run_restore_fence "$@"
    [[ -z $(phase_is "$fence_pod" Succeeded) ]] || break
    # Names of services that have just started are not known everywhere yet.
    ((attempt < 3)) || fail 'restore-fence has failed, as shown above. Everything is paused: run this again.'
    step 'restore-fence has failed, and is tried again.'
  done
  k delete pod "$fence_pod" >/dev/null
}

fence_pod=$name-restore-fence
phase_is() { k get pods --field-selector "metadata.name=$1,status.phase=$2" --output name; }

# In a pod, so that no tool of Fanfare is needed on this machine.
run_restore_fence() {
  local image options
  # image.digests has none of admin.
  image=$(of_publisher 'containers[0].image')
  image=${image%@*}
  options=(--since "$(time_of_archive "$archive")")
  [[ -z $until ]] || options+=(--until "$until")
  options+=("$@")
  k delete pod "$fence_pod" --ignore-not-found >/dev/null
  k create --filename - >/dev/null <<POD
apiVersion: v1
kind: Pod
metadata:
  name: $fence_pod
  labels: { app.kubernetes.io/name: fanfare, app.kubernetes.io/instance: "$release", app.kubernetes.io/component: operator }
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  enableServiceLinks: false
  imagePullSecrets: $(of_publisher imagePullSecrets | grep . || echo '[]')
  nodeSelector: $(of_publisher nodeSelector | grep . || echo '{}')
  tolerations: $(of_publisher tolerations | grep . || echo '[]')
  securityContext: $(of_publisher securityContext)
  containers:
    - name: admin
      image: ${image%/publisher:*}/admin:${image##*:}
      imagePullPolicy: $(of_publisher 'containers[0].imagePullPolicy')
      args: [restore-fence$(printf ', "%s"' "${options[@]}")]
      env:
        - { name: GATEWAY_ADMIN_ADDRESS, value: "$name-gateway.$namespace.svc:9000" }
        - { name: CONTENT_ADDRESS, value: "$name-content.$namespace.svc:9000" }
        - { name: PUBLISHER_ADDRESS, value: "$name-publisher.$namespace.svc:9000" }
        - { name: WEBHOOKS_ADDRESS, value: "$name-webhooks.$namespace.svc:9000" }
        - { name: TLS_CERT_FILE, value: /etc/fanfare/tls/tls.crt }
        - { name: TLS_KEY_FILE, value: /etc/fanfare/tls/tls.key }
        - { name: TLS_CA_FILE, value: /etc/fanfare/tls/ca.crt }
      resources: { requests: { cpu: 50m, memory: 96Mi }, limits: { memory: 256Mi } }
      securityContext: $(of_publisher 'containers[0].securityContext')
      volumeMounts: [{ name: tls, mountPath: /etc/fanfare/tls, readOnly: true }]
  volumes: [{ name: tls, secret: { secretName: $name-operator-tls, defaultMode: 0440 } }]
POD
  until_empty "The pod $fence_pod does not start: kubectl -n $namespace describe pod $fence_pod says why." phase_is "$fence_pod" Pending
  # A connection that breaks does not end the pod.
  k logs --follow "pod/$fence_pod" || true
  until_empty "The pod $fence_pod does not end." phase_is "$fence_pod" Running
}

start_all() {
  local one count
  step 'Starting the other services.'
  for one in $(saved replicas); do
    count=${one#*=}
    # Somebody may have stopped it when the databases were lost.
    ((count)) || count=1
    k scale "deployment/${one%=*}" --replicas="$count" >/dev/null
  done
  k rollout status "deployment/$name-gateway" --timeout="${LIMIT_SECONDS}s"
  ((${#scaled_objects[@]})) || return 0
  step 'KEDA continues.'
  k annotate "${scaled_objects[@]}" autoscaling.keda.sh/paused- >/dev/null
}

begin
find_scaled_objects
if [[ $(saved reached) == nothing ]]; then
  pause_keda
  stop_services
  step 'Restoring the databases.'
  "$here/restore-database.sh" "$archive"
  save reached restored
fi
if [[ $(saved reached) == restored ]]; then
  step 'Starting the publisher with everything paused, then content, library and webhooks.'
  k set env "deployment/$publisher" PAUSE_ON_START=true >/dev/null
  start publisher
  start content library webhooks
  step 'Reading from the platforms what was published since the backup; everything stays paused.'
  restore_fence --keep
  save reached reconciled
fi
if [[ $(saved reached) == reconciled ]]; then
  # Before the fence is lifted: a publisher that starts later with this setting would pause everything again.
  step 'Removing PAUSE_ON_START.'
  k set env "deployment/$publisher" PAUSE_ON_START- >/dev/null
  k rollout status "deployment/$publisher" --timeout="${LIMIT_SECONDS}s"
  step 'Letting publishing continue.'
  restore_fence
  save reached lifted
fi
start_all
k delete configmap "$state" >/dev/null
echo 'Restored. deploy/docs/restoring.md says what no restored database can know: inform your customers.'
