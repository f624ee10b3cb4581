{{/* Security of every pod: Kubernetes' restricted standard. */}}
{{- define "fanfare.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "fanfare.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* What all pods have. Argument: root */}}
{{- define "fanfare.podCommon" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- include "fanfare.podSecurity" . | nindent 2 }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The CA of servers outside, which Node adds to the public ones. Argument: root */}}
{{- define "fanfare.hasPrivateCa" -}}
{{- if or .Values.privateCa.configMap .Values.privateCa.secret }}true{{ end }}
{{- end }}

{{- define "fanfare.privateCaFile" -}}
/etc/fanfare/private-ca/ca.crt
{{- end }}

{{/* Files of other systems' certificates. Argument: root */}}
{{- define "fanfare.tlsVolumes" -}}
{{- with .Values.privateCa }}
{{- if .configMap }}
- { name: private-ca, configMap: { name: {{ .configMap }}, items: [{ key: {{ .key }}, path: ca.crt }] } }
{{- else if .secret }}
- { name: private-ca, secret: { secretName: {{ .secret }}, defaultMode: 0440, items: [{ key: {{ .key }}, path: ca.crt }] } }
{{- end }}
{{- end }}
{{- with .Values.mongodb.tlsSecret }}
- { name: mongodb-tls, secret: { secretName: {{ . }}, defaultMode: 0440 } }
{{- end }}
{{- with .Values.kafka.tls.caSecret }}
- { name: kafka-ca, secret: { secretName: {{ . }}, defaultMode: 0440, items: [{ key: ca.crt, path: ca.crt }] } }
{{- end }}
{{- with .Values.kafka.tls.clientSecret }}
- { name: kafka-client, secret: { secretName: {{ . }}, defaultMode: 0440, items: [{ key: {{ $.Values.kafka.tls.clientKeys.cert }}, path: tls.crt }, { key: {{ $.Values.kafka.tls.clientKeys.key }}, path: tls.key }] } }
{{- end }}
{{- end }}

{{- define "fanfare.tlsMounts" -}}
{{- if include "fanfare.hasPrivateCa" . }}
- { name: private-ca, mountPath: {{ include "fanfare.privateCaFile" . | dir }}, readOnly: true }
{{- end }}
{{- if .Values.mongodb.tlsSecret }}
- { name: mongodb-tls, mountPath: /etc/fanfare/mongodb, readOnly: true }
{{- end }}
{{- if .Values.kafka.tls.caSecret }}
- { name: kafka-ca, mountPath: /etc/fanfare/kafka-ca, readOnly: true }
{{- end }}
{{- if .Values.kafka.tls.clientSecret }}
- { name: kafka-client, mountPath: /etc/fanfare/kafka-client, readOnly: true }
{{- end }}
{{- end }}
