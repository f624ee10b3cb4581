{{/* Values that have not the form of files/forms.yaml: a sentence in each line. Argument: root */}}
{{- define "fanfare.forms" -}}
{{- $table := .Files.Get "files/forms.yaml" | fromYaml }}
{{- $forms := dict }}
{{- range $name, $form := $table.forms }}
{{- $pattern := $form.pattern }}
{{- /* Parts have parts. */}}
{{- range until 4 }}{{ range $part, $text := $table.parts }}{{ $pattern = replace (printf "<%s>" $part) $text $pattern }}{{ end }}{{ end }}
{{- if $.Values.dev.enabled }}{{ $pattern = replace "https://" "https?://" $pattern }}{{ end }}
{{- $_ := set $forms $name (dict "pattern" (printf "^(%s)$" $pattern) "words" $form.words "kinds" (ternary (list "string" "float64" "int64") (list "string") ($form.numbers | default false))) }}
{{- end }}
{{- range $path, $name := $table.values }}
{{- include "fanfare.formsAt" (dict "value" $.Values "at" "" "rest" (splitList "." $path) "form" (get $forms $name)) }}
{{- end }}
{{- range $service, $settings := $table.settings }}
{{- range $setting, $form := $settings }}
{{- $least := dict "pattern" "^(0|[1-9][0-9]{0,17})$" "least" $form "words" (printf "be a whole number of at least %v" $form) }}
{{- $one := ternary (get $forms (toString $form)) $least (kindIs "string" $form) | merge (dict "kinds" (list "string" "float64" "int64" "bool")) }}
{{- include "fanfare.formsAt" (dict "value" $.Values "at" "" "rest" (list $service "settings" $setting) "form" $one) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Argument: (dict value at rest form): a value, its path, the rest of the path to what is checked, and the form of that */}}
{{- define "fanfare.formsAt" -}}
{{- $of := . }}
{{- /* What is printed lands in logs: nothing with an @, which may be behind a password. */}}
{{- if not .rest }}
{{- $text := include "fanfare.text" .value }}
{{- $isRight := or (eq "" $text) (and (has (kindOf .value) .form.kinds) (regexMatch .form.pattern $text)) }}
{{- if and $isRight $text .form.least }}{{ $isRight = ge (int64 $text) (int64 .form.least) }}{{ end }}
{{- if not $isRight }}{{ printf "%s: must %s%s.\n" (trimPrefix "." .at) .form.words (ternary "" (printf ", not %s" $text) (contains "@" $text)) }}{{ end }}
{{- else if and (kindIs "map" .value) (eq (first .rest) "(key)") }}
{{- range $key, $_ := .value }}{{ include "fanfare.formsAt" (dict "value" $key "at" (printf "%s: a key" $of.at) "rest" list "form" $of.form) }}{{ end }}
{{- else if kindIs "map" .value }}
{{- range $key, $value := .value }}
{{- if has (first $of.rest) (list "*" $key) }}{{ include "fanfare.formsAt" (dict "value" $value "at" (printf "%s.%s" $of.at $key) "rest" (rest $of.rest) "form" $of.form) }}{{ end }}
{{- end }}
{{- else if and (kindIs "slice" .value) (eq (first .rest) "*") }}
{{- range $index, $value := .value }}
{{- include "fanfare.formsAt" (dict "value" $value "at" (printf "%s[%d]" $of.at $index) "rest" (rest $of.rest) "form" $of.form) }}
{{- end }}
{{- end }}
{{- end }}

{{/* A value as the text that pods get. YAML and Helm read whole numbers as floating-point ones, which would be printed as 5.36870912e+09. */}}
{{- define "fanfare.text" -}}
{{- if kindIs "float64" . }}{{ ternary (printf "%.0f" .) (toString .) (eq (floor .) .) }}{{ else if not (kindIs "invalid" .) }}{{ toString . }}{{ end }}
{{- end }}
