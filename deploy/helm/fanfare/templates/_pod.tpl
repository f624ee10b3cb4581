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

{{/* Files of other systems' certificates. Argument: root */}}
{{- define "fanfare.tlsVolumes" -}}
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
