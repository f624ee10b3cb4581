{{- define "fanfare.fullname" -}}
{{- if contains "fanfare" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-fanfare" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Labels that never change: selectors have them. A release may be called 123 or true, which as YAML are no strings. Argument: (list root name) */}}
{{- define "fanfare.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: fanfare
app.kubernetes.io/instance: {{ $root.Release.Name | toYaml }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* Argument: (list root name) */}}
{{- define "fanfare.labels" -}}
{{- $root := index . 0 -}}
{{ include "fanfare.selector" . }}
app.kubernetes.io/version: {{ $root.Values.image.tag | default $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- end }}

{{/* The name of a service in the cluster's DNS, which is also in its certificate. Argument: (list root name) */}}
{{- define "fanfare.host" -}}
{{- $root := index . 0 -}}
{{ include "fanfare.fullname" $root }}-{{ index . 1 }}.{{ $root.Release.Namespace }}.svc
{{- end }}

{{/* The key of values.yaml that a kind of pod has its settings under. Argument: (list name service) */}}
{{- define "fanfare.owner" -}}
{{- (index . 1).of | default (index . 0) }}
{{- end }}

{{/* Argument: (list root service) */}}
{{- define "fanfare.image" -}}
{{- $root := index . 0 -}}
{{ $root.Values.image.repository }}/{{ index . 1 }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}{{ with get $root.Values.image.digests (index . 1) }}@{{ . }}{{ end }}
{{- end }}

{{/* The image of what an upgrade should not restart: the world outside of dev. Argument: (list root service) */}}
{{- define "fanfare.devImage" -}}
{{- $root := index . 0 -}}
{{- if not $root.Values.dev.tag }}{{ include "fanfare.image" . }}{{ else -}}
{{ $root.Values.image.repository }}/{{ index . 1 }}:{{ $root.Values.dev.tag }}{{ end }}
{{- end }}

{{/* How long a pod may take to stop: out of routing, 75 s of its own (a commit call may take 60 s), and a rest. */}}
{{- define "fanfare.gracePeriod" -}}
{{ add .Values.drainSeconds 80 }}
{{- end }}
