{{/* Environment variables of a kind of pod that are not secret. Argument: (list root name service) */}}
{{- define "fanfare.settings" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}{{ $service := index . 2 }}
{{- $owner := include "fanfare.owner" (list $name $service) }}
{{- $values := $root.Values }}
{{- $ports := include "fanfare.ports" $root | fromYaml }}
{{- $mine := dict "root" $root "name" $owner }}
NODE_ENV: {{ ternary "development" "production" $values.dev.enabled }}
UNENCRYPTED_NETWORK: {{ $values.unencryptedNetwork | quote }}
LOG_LEVEL: {{ $values.logLevel }}
ADMIN_ADDRESS: {{ printf "%s:%v" $values.listenAddress $ports.admin | quote }}
TLS_CERT_FILE: /etc/fanfare/tls/tls.crt
TLS_KEY_FILE: /etc/fanfare/tls/tls.key
TLS_CA_FILE: /etc/fanfare/tls/ca.crt
TLS_PEERS: {{ include "fanfare.peers" (list $root $owner) }}
{{- if include "fanfare.hasPrivateCa" $root }}
NODE_EXTRA_CA_CERTS: {{ include "fanfare.privateCaFile" $root }}
{{- end }}
{{- if $values.dev.enabled }}
MONGODB_URL: mongodb://{{ include "fanfare.host" (list $root "mongodb") }}:27017/?replicaSet=rs0
{{- end }}
MONGODB_DATABASE: {{ $values.mongodb.databasePrefix }}_{{ $owner }}
KAFKA_BROKERS: {{ include "fanfare.brokers" $root | quote }}
KAFKA_TOPIC_PREFIX: {{ $values.kafka.topicPrefix | toYaml }}
KAFKA_PARTITIONS: {{ $values.kafka.partitions | quote }}
KAFKA_TLS: {{ and $values.kafka.tls.enabled (not $values.dev.enabled) | quote }}
{{- with $values.kafka.tls.caSecret }}
KAFKA_TLS_CA_FILE: /etc/fanfare/kafka-ca/ca.crt
{{- end }}
{{- with $values.kafka.tls.clientSecret }}
KAFKA_TLS_CERT_FILE: /etc/fanfare/kafka-client/tls.crt
KAFKA_TLS_KEY_FILE: /etc/fanfare/kafka-client/tls.key
{{- end }}
{{- with $values.kafka.sasl.mechanism }}
KAFKA_SASL_MECHANISM: {{ . }}
{{- end }}
{{- with $values.tracing.endpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ . }}
OTEL_SERVICE_NAME: {{ $owner }}
{{- end }}
{{- if eq $owner "gateway" }}
HTTP_ADDRESS: {{ printf "%s:%v" $values.listenAddress $ports.http | quote }}
ADMIN_GRPC_ADDRESS: {{ printf "%s:%v" $values.listenAddress $ports.grpc | quote }}
{{- else }}
GRPC_ADDRESS: {{ printf "%s:%v" $values.listenAddress $ports.grpc | quote }}
{{- end }}
{{- range $target, $called := $service.calls }}
{{- if has "grpc" $called }}
{{ upper $target }}_ADDRESS: {{ include "fanfare.host" (list $root $target) }}:{{ $ports.grpc }}
{{- end }}
{{- end }}
{{- if has $owner (list "gateway" "generation") }}
LIBRARY_HTTP_URL: {{ include "fanfare.libraryUrl" $root }}
{{- end }}
{{- if has $owner (list "gateway" "webhooks") }}
BASE_URL: {{ $values.baseUrl }}
CONSOLE_URL: {{ $values.consoleUrl | default $values.baseUrl }}
{{- end }}
{{- include (printf "fanfare.settings.%s" $owner) (list $root $name $ports) }}
{{- end }}

{{- define "fanfare.settings.gateway" }}
{{- $values := (index . 0).Values }}
{{- with $values.gateway.trustedProxies }}
TRUSTED_PROXIES: {{ join "," . }}
{{- end }}
{{- if $values.canary.enabled }}
CANARY_EVERY_MS: {{ $values.canary.everyMs | quote }}
{{- end }}
{{- if $values.dev.enabled }}
SIGN_UP: open
SMTP_URL: smtp://{{ include "fanfare.host" (list (index . 0) "sandbox") }}:1025
MAIL_FROM: Fanfare <no-reply@fanfare.test>
{{- end }}
{{- end }}

{{- define "fanfare.settings.content" }}{{ end }}

{{- define "fanfare.settings.library" }}
{{- $root := index . 0 }}
{{- /* The sandbox fetches media like the platforms, and is inside. */}}
PUBLIC_BASE_URL: {{ ternary (include "fanfare.gatewayUrl" $root) $root.Values.baseUrl $root.Values.dev.enabled }}
INTERNAL_BASE_URL: {{ include "fanfare.libraryUrl" $root }}
HTTP_ADDRESS: {{ printf "%s:%v" $root.Values.listenAddress (index . 2).http | quote }}
SPOOL_DIRECTORY: /spool
# The restricted pod security standard permits no user namespaces, by which the service would cut decoders off the network. The pod confines them
# instead: unprivileged, a read-only root file system, no token, a NetworkPolicy.
DECODERS_UNCONFINED: "true"
{{- if $root.Values.dev.enabled }}
FETCH_ALLOWED_ORIGINS: {{ include "fanfare.sandboxUrl" $root }}
{{- end }}
{{- end }}

{{- define "fanfare.settings.publisher" }}
{{- $root := index . 0 }}
ACCESS_PEERS: {{ include "fanfare.host" (list $root "analytics") }}
{{- if include "fanfare.hasSandbox" $root }}
CANARY_SANDBOX_URL: {{ include "fanfare.sandboxUrl" $root }}
{{- end }}
{{- if $root.Values.dev.enabled }}
PLATFORM_BASE_URL: {{ include "fanfare.sandboxUrl" $root }}
{{- /* All apps of the sandbox, whose secrets are public. */}}
PLATFORM_APPS: sandbox
{{- end }}
{{- end }}

{{- define "fanfare.settings.webhooks" }}
{{- $root := index . 0 }}
{{- if $root.Values.dev.enabled }}
FETCH_ALLOWED_ORIGINS: {{ include "fanfare.sandboxUrl" $root }}
{{- end }}
{{- end }}

{{- define "fanfare.settings.analytics" }}
{{- $root := index . 0 }}
{{- if and $root.Values.keda.enabled (eq (index . 1) "analytics") }}
SNAPSHOTS_AT_ONCE: "0"
{{- end }}
{{- if $root.Values.dev.enabled }}
PLATFORM_BASE_URL: {{ include "fanfare.sandboxUrl" $root }}
READS_OFF: none
{{- end }}
{{- end }}

{{- define "fanfare.settings.generation" }}
{{- $root := index . 0 }}
SPOOL_DIRECTORY: /spool
{{- if and $root.Values.keda.enabled (eq (index . 1) "generation") }}
JOBS_AT_ONCE: "0"
{{- end }}
{{- if $root.Values.dev.enabled }}
FETCH_ALLOWED_ORIGINS: {{ include "fanfare.sandboxUrl" $root }}
{{- end }}
{{- end }}

{{/* The names in the certificates of those that may call a service. Argument: (list root name) */}}
{{- define "fanfare.peers" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}
{{- $peers := list }}
{{- range $caller, $service := include "fanfare.services" $root | fromYaml }}
{{- $owner := include "fanfare.owner" (list $caller $service) }}
{{- /* Analytics may borrow access tokens and read accounts, and call no other method: ACCESS_PEERS. */}}
{{- if and (hasKey $service.calls $name) (not (and (eq $name "publisher") (eq $owner "analytics"))) }}
{{- $peers = append $peers (include "fanfare.host" (list $root $owner)) }}
{{- end }}
{{- end }}
{{- if hasKey (include "fanfare.operatorCalls" $root | fromYaml) $name }}
{{- $peers = append $peers (include "fanfare.host" (list $root "operator")) }}
{{- end }}
{{- join "," (uniq $peers) }}
{{- end }}

{{- define "fanfare.libraryUrl" -}}
https://{{ include "fanfare.host" (list . "library-http") }}:{{ (include "fanfare.ports" . | fromYaml).http }}
{{- end }}

{{/* The API inside the cluster, without TLS: for the sandbox of dev. */}}
{{- define "fanfare.gatewayUrl" -}}
http://{{ include "fanfare.host" (list . "gateway-http") }}:{{ (include "fanfare.ports" . | fromYaml).http }}
{{- end }}

{{- define "fanfare.sandboxUrl" -}}
http://{{ include "fanfare.host" (list . "sandbox") }}:{{ (include "fanfare.ports" . | fromYaml).http }}
{{- end }}

{{- define "fanfare.brokers" -}}
{{- if .Values.dev.enabled }}{{ include "fanfare.host" (list . "kafka") }}:9092{{ else }}{{ join "," .Values.kafka.brokers }}{{ end }}
{{- end }}

{{/* Environment variables of a kind of pod that are keys of the Secret: (list root owner). A key that is missing keeps the pod from starting. */}}
{{- define "fanfare.secretEnv" -}}
{{- $root := index . 0 }}{{ $owner := index . 1 }}
{{- $isDev := $root.Values.dev.enabled }}
{{- $keys := ternary dict (dict "MONGODB_URL" (include "fanfare.mongodbKey" .)) $isDev }}
{{- if eq $owner "gateway" }}{{ $_ := set $keys "KEYRING" "GATEWAY_KEYRING" }}{{ end }}
{{- if has $owner (list "publisher" "webhooks") }}{{ $_ := set $keys "KEYRING" "KEYRING" }}{{ end }}
{{- if and (eq $owner "publisher") (not $isDev) }}{{ $_ := set $keys "PLATFORM_APPS" "PLATFORM_APPS" }}{{ end }}
{{- if eq $owner "library" }}{{ $_ := set $keys "MEDIA_URL_SECRET" "MEDIA_URL_SECRET" }}{{ end }}
{{- if $root.Values.kafka.sasl.mechanism }}
{{- range list "KAFKA_SASL_USERNAME" "KAFKA_SASL_PASSWORD" }}{{ $_ := set $keys . . }}{{ end }}
{{- end }}
{{- range (index $root.Values $owner).fromSecret }}{{ $_ := set $keys . . }}{{ end }}
{{- range $setting, $key := $keys }}
- name: {{ $setting }}
  valueFrom: { secretKeyRef: { name: {{ $root.Values.secret.name }}, key: {{ $key }} } }
{{- end }}
{{- end }}

{{- define "fanfare.mongodbKey" -}}
{{- if (index . 0).Values.mongodb.urlPerService }}{{ upper (index . 1) }}_{{ end }}MONGODB_URL
{{- end }}
