{{- define "tidewaiter.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "tidewaiter.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tidewaiter.labels" -}}
{{ include "tidewaiter.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
{{- with .Values.image.commit }}
tidewaiter/commit: {{ . | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "tidewaiter.image" -}}
{{- if .Values.image.digest }}
{{- if not (regexMatch "^sha256:[0-9a-f]{64}$" .Values.image.digest) }}{{ fail "image.digest must be sha256: and 64 hexadecimal digits" }}{{ end -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else if .Values.image.allowTag -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- else }}{{ fail "image.digest is required: a tag can name another image tomorrow. Set it to the digest of the pushed image, or image.allowTag=true to try the chart out" }}
{{- end }}
{{- end }}

{{- /* Whether the database is PostgreSQL; what several replicas need is checked here too. */}}
{{- define "tidewaiter.postgres" -}}
{{- if hasKey .Values.secret.settings "database-url" -}}
true
{{- else if or .Values.autoscaling.enabled (gt (int .Values.replicas) 1) }}{{ fail "More than one replica needs PostgreSQL. Add database-url to secret.settings, or set replicas=1 and autoscaling.enabled=false" }}
{{- else if .Values.migrate.enabled }}{{ fail "migrate.enabled needs PostgreSQL: set it to false, or add database-url to secret.settings" }}
{{- else if not .Values.data.existingClaim }}{{ fail "SQLite needs a volume that outlives the pod: set data.existingClaim, or add database-url to secret.settings" }}
{{- end }}
{{- end }}

{{- /* 90 % of the memory limit, in bytes, for Go's garbage collector. */}}
{{- define "tidewaiter.goMemoryLimit" -}}
{{- $limit := toString (required "resources.limits.memory is required: GOMEMLIMIT is derived from it" (dig "limits" "memory" "" .Values.resources)) -}}
{{- if not (regexMatch "^[0-9]+(\\.[0-9]+)?(Ki|Mi|Gi|k|M|G)?$" $limit) }}{{ fail (printf "resources.limits.memory: %s is not a number with Ki, Mi, Gi, k, M or G" $limit) }}{{ end -}}
{{- $unit := get (dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824) (regexFind "[A-Za-z]*$" $limit) -}}
{{ mulf (regexFind "^[0-9.]+" $limit | float64) $unit 0.9 | int64 }}B
{{- end }}

{{- define "tidewaiter.account" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "tidewaiter.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "tidewaiter.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "tidewaiter.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- /* The variable that names the file of a secret setting. */}}
{{- define "tidewaiter.fileVariable" -}}
TIDEWAITER_{{ . | upper | replace "-" "_" }}_FILE
{{- end }}
