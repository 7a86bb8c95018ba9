{{- define "lectern.fullname" -}}
{{- if contains "lectern" .Release.Name -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-lectern" (.Release.Name | trunc 42 | trimSuffix "-") }}
{{- end -}}
{{- end -}}

{{- /* By which pods are selected, as an inline map: of a component, or of all. */ -}}
{{- define "lectern.selector" -}}
app.kubernetes.io/name: lectern, app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}, app.kubernetes.io/component: {{ . }}{{ end -}}
{{- end -}}

{{- define "lectern.secretName" -}}
{{- if .Values.secrets.existing -}}
{{ .Values.secrets.existing }}
{{- else if .Values.secrets.values -}}
{{ include "lectern.fullname" . }}
{{- end -}}
{{- end -}}
