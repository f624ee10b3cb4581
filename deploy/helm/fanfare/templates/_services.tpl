{{/*
Every kind of pod: what it serves, whom it calls, what it uses. Deployments, Services, certificates and NetworkPolicies are made of this one table, and
deploy/test/network-policies.test.ts compares it with the clients in the code.

  of         the service whose image and settings a worker has; a worker serves no calls
  values     the key of values.yaml
  serves     ports that others of Fanfare call; http of the gateway is the public door
  calls      other services, with their ports
  internet   it may connect to public addresses, at these ports
  database, kafka   it has a database, it uses Kafka
*/}}
{{- define "fanfare.services" -}}
gateway:
  serves: [http, grpc]
  calls: { content: [grpc], library: [grpc, http], publisher: [grpc], analytics: [grpc], generation: [grpc], webhooks: [grpc] }
  database: true
  kafka: true
content:
  serves: [grpc]
  calls: { library: [grpc], generation: [grpc] }
  database: true
  kafka: true
library:
  serves: [grpc, http]
  calls: {}
  internet: [80, 443, 8080, 8443]
  database: true
  kafka: true
publisher:
  serves: [grpc]
  calls: { library: [grpc, http] }
  internet: [443]
  database: true
  kafka: true
webhooks:
  serves: [grpc]
  calls: {}
  internet: [80, 443, 8080, 8443]
  database: true
  kafka: true
analytics:
  serves: [grpc]
  calls: { publisher: [grpc] }
  internet: [443]
  database: true
  kafka: true
generation:
  serves: [grpc]
  calls: { content: [grpc], library: [grpc, http] }
  internet: [80, 443, 8080, 8443]
  database: true
  kafka: true
{{- if .Values.keda.enabled }}
analytics-snapshots:
  of: analytics
  serves: []
  calls: { publisher: [grpc] }
  internet: [443]
  database: true
  kafka: true
generation-jobs:
  of: generation
  serves: []
  calls: { content: [grpc], library: [grpc, http] }
  internet: [80, 443, 8080, 8443]
  database: true
  kafka: true
{{- end }}
{{- if include "fanfare.hasSandbox" . }}
sandbox:
  serves: [http]
  calls: {}
{{- end }}
{{- end }}

{{/* Pods of operators, which the chart does not create: `npm run admin` calls these. */}}
{{- define "fanfare.operatorCalls" -}}
gateway: [grpc]
content: [grpc]
publisher: [grpc]
webhooks: [grpc]
{{- end }}

{{- define "fanfare.hasSandbox" -}}
{{- if or .Values.dev.enabled .Values.canary.enabled }}true{{ end }}
{{- end }}

{{/* Who calls the sandbox: in production only the canary's posts. */}}
{{- define "fanfare.sandboxCallers" -}}
{{- if .Values.dev.enabled -}}
[gateway, library, publisher, analytics, analytics-snapshots, generation, generation-jobs, webhooks]
{{- else -}}
[publisher]
{{- end }}
{{- end }}

{{/* The port numbers, the same in every pod. */}}
{{- define "fanfare.ports" -}}
http: 8080
grpc: 9000
admin: 9100
{{- end }}
