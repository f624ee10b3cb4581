{{/* What values.schema.json cannot tell: combinations of values that do not work, or are dangerous. All are reported at once. */}}
{{- define "fanfare.checks" -}}
{{- $values := .Values }}{{ $policy := .Values.networkPolicy }}
{{- $isPublic := or $values.ingress.enabled $values.gatewayApi.enabled }}
{{- $wrong := list }}
{{- if not (regexMatch "^[a-z][a-z0-9-]*$" .Release.Name) }}
{{- $wrong = append $wrong (printf "release name: %s must begin with a letter and have no dots, because Services are named after it." .Release.Name) }}
{{- end }}
{{- $forms := include "fanfare.forms" . }}
{{- $wrong = concat $wrong ($forms | splitList "\n" | compact) }}
{{- $need := dict "baseUrl" $values.baseUrl "image.repository" $values.image.repository "secret.name" $values.secret.name }}
{{- range $name, $value := $need }}
{{- if not $value }}{{ $wrong = append $wrong (printf "%s: is required." $name) }}{{ end }}
{{- end }}
{{- if not $values.dev.enabled }}
  {{- range $name := list "baseUrl" "consoleUrl" }}
  {{- if regexMatch "^https?://(localhost|[^/:]*\\.localhost|127\\.|0\\.)" (index $values $name) }}
  {{- $wrong = append $wrong (printf "%s: %s is each caller's own machine. Use the address under which callers and platforms reach this installation." $name (index $values $name)) }}
  {{- end }}
  {{- end }}
  {{- if not $values.kafka.brokers }}{{ $wrong = append $wrong "kafka.brokers: is required: host:port of each broker, or dev.enabled." }}{{ end }}
  {{- if and $values.kafka.sasl.mechanism (not $values.kafka.tls.enabled) }}
  {{- $wrong = append $wrong "kafka.sasl: requires kafka.tls.enabled, because the password would be sent in clear text." }}
  {{- end }}
  {{- if not (or $values.kafka.tls.enabled $values.unencryptedNetwork) }}
  {{- $wrong = append $wrong "kafka.tls.enabled: services do not start with unencrypted connections. If the network itself encrypts, set unencryptedNetwork." }}
  {{- end }}
  {{- if $policy.enabled }}
    {{- if not $policy.mongodb.to }}{{ $wrong = append $wrong "networkPolicy.mongodb.to: is required: the addresses or pods of MongoDB. Empty would mean anywhere." }}{{ end }}
    {{- if not $policy.kafka.to }}{{ $wrong = append $wrong "networkPolicy.kafka.to: is required: the addresses or pods of the brokers. Empty would mean anywhere." }}{{ end }}
  {{- end }}
{{- end }}
{{- $encrypted := dict "library" (list "S3_ENDPOINT" "SPEECH_TO_TEXT_URL") "generation" (list "LANGUAGE_MODEL_URL" "IMAGE_MODEL_URL" "VIDEO_MODEL_URL" "STOCK_PHOTOS_URL") }}
{{- range $service, $names := ternary dict $encrypted (or $values.dev.enabled $values.unencryptedNetwork) }}
{{- range $names }}
{{- if hasPrefix "http:" (get (index $values $service).settings . | default "" | lower) }}
{{- $wrong = append $wrong (printf "%s.settings.%s: must be https. If the network itself encrypts, set unencryptedNetwork." $service .) }}
{{- end }}
{{- end }}
{{- end }}
{{- with $values.kafka }}
{{- if and $values.dev.enabled (or .sasl.mechanism .tls.caSecret .tls.clientSecret) }}{{ $wrong = append $wrong "dev.enabled: its broker has neither TLS nor passwords. Leave out kafka.sasl.mechanism, kafka.tls.caSecret and kafka.tls.clientSecret." }}{{ end }}
{{- end }}
{{- if and (or $values.kafka.tls.caSecret $values.kafka.tls.clientSecret) (not $values.kafka.tls.enabled) }}
{{- $wrong = append $wrong "kafka.tls: caSecret and clientSecret require kafka.tls.enabled." }}
{{- end }}
{{- if and $values.privateCa.configMap $values.privateCa.secret }}{{ $wrong = append $wrong "privateCa: has both configMap and secret. Leave out one of them." }}{{ end }}
{{- if and $values.ingress.enabled $values.gatewayApi.enabled }}
{{- $wrong = append $wrong "ingress and gatewayApi: enable one of them. Two doors have two lists of trusted proxies." }}
{{- end }}
{{- if and $values.ingress.enabled (not $values.ingress.host) }}{{ $wrong = append $wrong "ingress.host: is required. Without it the Ingress would respond for every host." }}{{ end }}
{{- if and $values.gatewayApi.enabled (not $values.gatewayApi.parentRefs) }}{{ $wrong = append $wrong "gatewayApi.parentRefs: is required: the Gateway that the route belongs to." }}{{ end }}
{{- if and $values.gatewayApi.enabled (not $values.gatewayApi.hostnames) }}{{ $wrong = append $wrong "gatewayApi.hostnames: is required. Without it the route would respond for every host." }}{{ end }}
{{- $host := lower (urlParse $values.baseUrl).hostname }}
{{- if and $values.ingress.enabled $values.ingress.host $host (ne $host $values.ingress.host) }}
{{- $wrong = append $wrong (printf "ingress.host: %s is not the host of baseUrl, %s: callers and platforms would not reach the gateway." $values.ingress.host $host) }}
{{- end }}
{{- if and $values.gatewayApi.enabled $values.gatewayApi.hostnames $host }}
{{- $isRouted := false }}
{{- range $values.gatewayApi.hostnames }}{{ if or (eq . $host) (and (hasPrefix "*." .) (hasSuffix (trimPrefix "*" .) $host)) }}{{ $isRouted = true }}{{ end }}{{ end }}
{{- if not $isRouted }}{{ $wrong = append $wrong (printf "gatewayApi.hostnames: none is the host of baseUrl, %s: callers and platforms would not reach the gateway." $host) }}{{ end }}
{{- end }}
{{- if and $isPublic (not $values.gateway.trustedProxies) }}
{{- $wrong = append $wrong "gateway.trustedProxies: is required behind a proxy. Otherwise all callers without a credential share one limit." }}
{{- end }}
{{- range $values.gateway.trustedProxies }}
{{- if include "fanfare.isEverything" . }}{{ $wrong = append $wrong (printf "gateway.trustedProxies: %s trusts every address, or much of them, so that callers choose the address that limits count. List your proxies." .) }}{{ end }}
{{- end }}
{{- if and $isPublic $policy.enabled (not $policy.proxy.from) }}
{{- $wrong = append $wrong "networkPolicy.proxy.from: is required: the pods or addresses of the proxies in front of the gateway." }}
{{- end }}
{{- if $policy.enabled }}
  {{- if and (has "SMTP_URL" $values.gateway.fromSecret) (not $policy.mail.to) }}{{ $wrong = append $wrong "networkPolicy.mail.to: is required with SMTP_URL: the address of the mail server." }}{{ end }}
  {{- if and (hasKey $values.gateway.settings "OIDC_ISSUER") (not $policy.openid.to) }}{{ $wrong = append $wrong "networkPolicy.openid.to: is required with OIDC_ISSUER: the address of the provider." }}{{ end }}
  {{- if and $values.tracing.endpoint (not $policy.tracing.to) }}{{ $wrong = append $wrong "networkPolicy.tracing.to: is required with tracing.endpoint: the pods or addresses of the collector." }}{{ end }}
{{- end }}
{{- if and $policy.enabled (not $values.dev.enabled) }}
{{- /* A port that no policy opens: connections would wait and fail, without a word of why. MongoDB's and the mail server's are in the Secret. */}}
{{- $used := list }}
{{- range $values.kafka.brokers }}{{ $used = append $used (list "kafka.brokers" . "networkPolicy.kafka.ports" $policy.kafka.ports) }}{{ end }}
{{- with $values.tracing.endpoint }}{{ $used = append $used (list "tracing.endpoint" . "networkPolicy.tracing.ports" $policy.tracing.ports) }}{{ end }}
{{- range list "OIDC_ISSUER" "OIDC_ALLOWED_ORIGINS" }}
{{- range get $values.gateway.settings . | default "" | nospace | splitList "," | compact }}{{ $used = append $used (list "gateway.settings: the OpenID Connect provider" . "networkPolicy.openid.ports" $policy.openid.ports) }}{{ end }}
{{- end }}
{{- $services := include "fanfare.services" . | fromYaml }}
{{- range $service, $names := $encrypted }}
{{- $further := list }}
{{- range $policy.further }}{{ if eq .service $service }}{{ $further = concat $further .ports }}{{ end }}{{ end }}
{{- range $setting := $names }}
{{- with get (index $values $service).settings $setting }}
{{- $where := printf "networkPolicy.further for %s" $service }}{{ $open := concat (index $services $service).internet $further }}
{{- /* The ports of the internet are open to public addresses alone. */}}
{{- if include "fanfare.isInternal" (list $policy.privateNetworks .) }}{{ $where = printf "%s, the only way to a private address," $where }}{{ $open = $further }}{{ end }}
{{- $used = append $used (list (printf "%s.settings.%s" $service $setting) . $where $open) }}
{{- end }}
{{- end }}
{{- end }}
{{- range $used }}
{{- $port := regexFind ":[0-9]+$" (regexFind "^([a-z]+://)?[^/]*" (index . 1)) | trimPrefix ":" | default (ternary "80" "443" (hasPrefix "http:" (index . 1))) }}
{{- if not (has $port (index . 3 | join "," | splitList ",")) }}{{ $wrong = append $wrong (printf "%s: %s has port %s, which %s lacks. Add it there." (index . 0) (index . 1) $port (index . 2)) }}{{ end }}
{{- end }}
{{- end }}
{{- with $values.secret.externalSecret }}
{{- if and .enabled (not (and .store.name .key)) }}{{ $wrong = append $wrong "secret.externalSecret: requires store.name and key." }}{{ end }}
{{- end }}
{{- range list "gateway" "content" "library" "publisher" "webhooks" "analytics" "generation" }}
{{- $service := . }}{{ $one := index $values . }}
{{- $resources := ternary dict $one.resources (contains (printf "%s.resources." .) $forms) }}
{{- range $at, $amounts := $resources }}
{{- range $kind, $amount := $amounts }}
{{- $number := include "fanfare.quantity" $amount | float64 }}
{{- if and (eq $kind "cpu") (gt $number 256.0) }}{{ $wrong = append $wrong (printf "%s.resources.%s.cpu: %v is as many cores. Did you mean %vm?" $service $at $amount $amount) }}{{ end }}
{{- if and (ne $kind "cpu") (lt $number 16777216.0) }}{{ $wrong = append $wrong (printf "%s.resources.%s.%s: %v is less than 16Mi, in which no service runs. Did you mean %sMi?" $service $at $kind $amount (regexFind "^[0-9.]+" (include "fanfare.text" $amount))) }}{{ end }}
{{- end }}
{{- end }}
{{- range $kind, $request := $resources.requests }}
{{- $limit := get $one.resources.limits $kind }}
{{- if and $limit (gt (include "fanfare.quantity" $request | float64) (include "fanfare.quantity" ($limit | default "0") | float64)) }}
{{- $wrong = append $wrong (printf "%s.resources: requests.%s is %v, more than limits.%s, %v. Raise the limit or lower the request." $service $kind $request $kind $limit) }}
{{- end }}
{{- end }}
{{- range $at, $replicas := dict . $one.replicas (printf "%s.workers" .) ($one.workers | default dict).replicas }}
{{- if $replicas }}{{ if gt (int $replicas.min) (int $replicas.max) }}{{ $wrong = append $wrong (printf "%s.replicas: min is greater than max." $at) }}{{ end }}{{ end }}
{{- end }}
{{- end }}
{{- $images := list }}
{{- range $name, $service := include "fanfare.services" . | fromYaml }}{{ $images = append $images (include "fanfare.owner" (list $name $service)) }}{{ end }}
{{- range $name := ternary (uniq $images) list (gt (len $values.image.digests) 0) }}
{{- if not (get $values.image.digests $name) }}{{ $wrong = append $wrong (printf "image.digests.%s: is required when other images have digests. Otherwise an upgrade could run two versions." $name) }}{{ end }}
{{- end }}
{{- if regexMatch "^(latest|main|master|trunk|head|edge|stable|nightly|snapshot)$" (lower $values.image.tag) }}
{{- $wrong = append $wrong (printf "image.tag: %s moves: pods of one installation would run different versions, and a rollback would change nothing. Use a version." $values.image.tag) }}
{{- end }}
{{- range $name := list "gateway" "content" "library" "publisher" "webhooks" "analytics" "generation" }}
{{- range $setting, $value := (index $values $name).settings }}
{{- if regexMatch "://[^/@]*:[^/@]*@" (toString $value) }}{{ $wrong = append $wrong (printf "%s.settings.%s: has a password in it. Secrets belong in the Secret." $name $setting) }}{{ end }}
{{- end }}
{{- end }}
{{- $guarded := dict }}
{{- range list "dns" "mongodb" "kafka" "mail" "openid" "tracing" }}{{ $_ := set $guarded (printf "%s.to" .) (index $policy .).to }}{{ end }}
{{- range list "proxy" "prometheus" "keda" }}{{ $_ := set $guarded (printf "%s.from" .) (index $policy .).from }}{{ end }}
{{- range $at, $one := $policy.further }}{{ $_ := set $guarded (printf "further[%d].to" $at) $one.to }}{{ end }}
{{- range $at, $peers := $guarded }}
{{- range $peers }}
{{- $cidr := (.ipBlock | default (dict "cidr" "")).cidr }}
{{- if and $cidr (include "fanfare.isEverything" $cidr) }}{{ $wrong = append $wrong (printf "networkPolicy.%s: %s is everything, or much of it. List the addresses that are needed." $at $cidr) }}{{ end }}
{{- range (.ipBlock | default dict).except }}{{ if not (include "fanfare.isInside" (list . $cidr)) }}{{ $wrong = append $wrong (printf "networkPolicy.%s: the exception %s is not a part of %s. Leave it out." $at . $cidr) }}{{ end }}{{ end }}
{{- range list .namespaceSelector .podSelector }}
{{- range (. | default dict).matchExpressions }}
{{- if ne (has .operator (list "In" "NotIn")) (gt (len (.values | default list)) 0) }}{{ $wrong = append $wrong (printf "networkPolicy.%s: the operator %s of %s has %s." $at .operator .key (ternary "no values. List them" "values. Leave them out, or use In or NotIn" (has .operator (list "In" "NotIn")))) }}{{ end }}
{{- end }}
{{- end }}
{{- if and $cidr (or (hasKey . "namespaceSelector") (hasKey . "podSelector")) }}{{ $wrong = append $wrong (printf "networkPolicy.%s: a peer has either an ipBlock or selectors." $at) }}{{ end }}
{{- /* An empty selector of namespaces is all of them; an empty selector of pods alone is all of this namespace. */}}
{{- $labels := list }}{{ $others := list }}
{{- range list .namespaceSelector .podSelector }}
{{- $labels = concat $labels (values ((. | default dict).matchLabels | default dict)) }}
{{- range (. | default dict).matchExpressions }}
{{- if and (has .operator (list "In" "Exists")) (ne "Exists kubernetes.io/metadata.name" (printf "%s %s" .operator .key)) }}{{ $labels = append $labels .key }}{{ else }}{{ $others = append $others .key }}{{ end }}
{{- end }}
{{- end }}
{{- if not (or $cidr $labels) }}{{ $wrong = append $wrong (printf "networkPolicy.%s: %s. Name the namespace or the pods by labels." $at (ternary "the selector only excludes, so it selects nearly every pod" "an empty selector selects every pod" (gt (len $others) 0))) }}{{ end }}
{{- end }}
{{- end }}
{{- range $at, $networks := dict "privateNetworks" $policy.privateNetworks "privateNetworks6" $policy.privateNetworks6 }}
{{- range $networks }}{{ if hasSuffix "/0" . }}{{ $wrong = append $wrong (printf "networkPolicy.%s: %s is everything: no service would reach the internet. Leave it out." $at .) }}{{ end }}{{ end }}
{{- end }}
{{- range $index, $one := $values.tolerations }}
{{- if and .value (eq (.operator | default "Equal") "Exists") }}{{ $wrong = append $wrong (printf "tolerations[%d]: the operator Exists has a value. Leave it out, or use Equal." $index) }}{{ end }}
{{- if and (not .key) (ne (.operator | default "Equal") "Exists") }}{{ $wrong = append $wrong (printf "tolerations[%d]: lacks its key. Only the operator Exists tolerates everything." $index) }}{{ end }}
{{- if and (hasKey . "tolerationSeconds") (ne (.effect | default "") "NoExecute") }}{{ $wrong = append $wrong (printf "tolerations[%d]: tolerationSeconds requires the effect NoExecute. Set it, or leave out the seconds." $index) }}{{ end }}
{{- end }}
{{- $private := concat $policy.privateNetworks $policy.privateNetworks6 }}
{{- range list "0.0.0.0/8" "10.0.0.0/8" "100.64.0.0/10" "127.0.0.0/8" "168.63.129.16/32" "169.254.0.0/16" "172.16.0.0/12" "192.0.0.0/24" "192.168.0.0/16" "::/3" "8000::/1" "2001::/23" "2002::/16" }}
{{- if not (has . $private) }}{{ $wrong = append $wrong (printf "networkPolicy.privateNetworks%s: lacks %s. Services that fetch URLs of callers would reach it; allow single servers of it by networkPolicy.further." (ternary "6" "" (contains ":" .)) .) }}{{ end }}
{{- end }}
{{- $oidc := list (get $values.gateway.settings "OIDC_ISSUER") (get $values.gateway.settings "OIDC_CLIENT_ID") (ternary "set" "" (has "OIDC_CLIENT_SECRET" $values.gateway.fromSecret)) | compact }}
{{- if has (len $oidc) (list 1 2) }}{{ $wrong = append $wrong "gateway: OIDC_ISSUER and OIDC_CLIENT_ID of settings, and OIDC_CLIENT_SECRET of fromSecret, belong together. Set all three or none." }}{{ end }}
{{- if ne (has "S3_ACCESS_KEY_ID" $values.library.fromSecret) (has "S3_SECRET_ACCESS_KEY" $values.library.fromSecret) }}
{{- $wrong = append $wrong "library.fromSecret: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together. List both, or neither for the role of the machine." }}
{{- end }}
{{- with $values.library.settings }}
{{- if and (or .S3_ENDPOINT .BLOBS_FALLBACK (eq (toString .S3_PRESIGN) "true")) (not .S3_BUCKET) }}{{ $wrong = append $wrong "library.settings.S3_BUCKET: is required by S3_ENDPOINT, S3_PRESIGN and BLOBS_FALLBACK." }}{{ end }}
{{- end }}
{{- with $values.tls.certManager }}
{{- $duration := include "fanfare.seconds" .duration | int }}{{ $renewBefore := include "fanfare.seconds" .renewBefore | int }}
{{- if and (not (contains "tls.certManager." $forms)) (or (lt $duration 3600) (lt $renewBefore 300) (ge $renewBefore $duration)) }}{{ $wrong = append $wrong "tls.certManager: duration must be at least 1h, and renewBefore at least 5m and shorter than duration; cert-manager rejects others." }}{{ end }}
{{- if and .issuer.kind (not .issuer.name) }}{{ $wrong = append $wrong "tls.certManager.issuer: kind requires name." }}{{ end }}
{{- end }}
{{- if hasKey $values.podAnnotations "checksum/settings" }}{{ $wrong = append $wrong "podAnnotations: checksum/settings is the chart's own." }}{{ end }}
{{- if $wrong }}{{ fail (printf "\n\nThese values are wrong:\n- %s\n" (join "\n- " $wrong)) }}{{ end }}
{{- end }}

{{/* Whether a network is a part of another one, and not all of it. Those of IPv6 are not compared. Argument: (list network other) */}}
{{- define "fanfare.isInside" -}}
{{- $networks := list }}
{{- range . }}
{{- if regexMatch "^[0-9]+([.][0-9]+){3}/[0-9]+$" . }}
{{- $number := 0 }}{{ range regexFind "^[^/]+" . | splitList "." }}{{ $number = add (mul $number 256) (int .) }}{{ end }}
{{- $networks = append $networks (dict "number" $number "prefix" (regexFind "[0-9]+$" . | int)) }}
{{- end }}
{{- end }}
{{- if eq (len $networks) 2 }}
{{- $one := first $networks }}{{ $other := last $networks }}
{{- $size := 1 }}{{ range until (sub 32 $other.prefix | int) }}{{ $size = mul $size 2 }}{{ end }}
{{- if and (gt $one.prefix $other.prefix) (eq (div $one.number $size) (div $other.number $size)) }}true{{ end }}
{{- else if not $networks }}true{{ end }}
{{- end }}

{{/*
Whether a URL surely leads to another server inside: its host is an address of a private network, or a name of the cluster or of the local network.
Argument: (list networks url), the networks of IPv4
*/}}
{{- define "fanfare.isInternal" -}}
{{- $host := regexReplaceAll "^[a-z]+://(\\[[^]]*\\]|[^/:]*).*$" (index . 1) "${1}" | lower }}
{{- if regexMatch "^(localhost|127[.].*|\\[::1\\])$" $host }}
{{- else if regexMatch "^[0-9]+([.][0-9]+){3}$" $host }}
{{- range index . 0 }}{{ if include "fanfare.isInside" (list (printf "%s/32" $host) .) }}true{{ end }}{{ end }}
{{- else if hasPrefix "[" $host }}{{ if not (regexMatch "^\\[[23][0-9a-f]{3}:" $host) }}true{{ end }}
{{- else if regexMatch "^[^.]+$|[.](svc|local)$|[.]svc[.]" $host }}true{{ end }}
{{- end }}

{{/* A quantity of Kubernetes as a number. */}}
{{- define "fanfare.quantity" -}}
{{- $factors := dict "n" 1e-9 "u" 1e-6 "m" 1e-3 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "Pi" 1125899906842624.0 "Ei" 1152921504606846976.0 }}
{{- mulf (regexFind "^[0-9.]+([eE][+-]?[0-9]+)?" (toString .) | float64) (get $factors (regexFind "[a-zA-Z]+$" (toString .)) | default 1.0) }}
{{- end }}

{{/* A time such as 1h30m in seconds. */}}
{{- define "fanfare.seconds" -}}
{{- $seconds := 0 }}
{{- range $unit, $factor := dict "h" 3600 "m" 60 "s" 1 }}{{ $seconds = add $seconds (mul $factor (regexFind (printf "[0-9]+%s" $unit) $ | trimSuffix $unit | int)) }}{{ end }}
{{- $seconds }}
{{- end }}

{{/*
Networks of /0 to /7, which together are soon everything, also of IPv4 written as IPv6 (::ffff:0:0/96 to /103) and what contains these (::/8 to ::/95); private
ones of IPv6 (fc00::/7) are not meant. Argument: an address or network
*/}}
{{- define "fanfare.isEverything" -}}
{{- if and (regexMatch "/0*[0-7]$" .) (not (regexMatch "^[fF][cCdD]" .)) }}true
{{- else if regexMatch "^[0:]*:[fF]{4}:[0-9a-fA-F:]*/(8[0-9]|9[0-9]|10[0-3])$" . }}true
{{- else if regexMatch "^[0:]*:[0:]*/[0-9]{1,2}$" . }}true{{ end }}
{{- end }}
