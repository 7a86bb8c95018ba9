{{- /* What the pods of servers and workers have alike. */ -}}
{{- define "lectern.podSettings" -}}
{{- with .root.Values.serviceAccount.name -}}
serviceAccountName: {{ . }}
{{ end -}}
automountServiceAccountToken: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with get .root.Values .component }}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "lectern.image" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.env }}
env: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Resources, with the disk of the node where the volumes are on it. */ -}}
{{- define "lectern.resources" -}}
{{- $gibibytes := add .tmpVolume.gibibytes (ternary 0 .cacheVolume.gibibytes (ne .cacheVolume.storageClass "")) -}}
{{- $requests := merge (dict "ephemeral-storage" (printf "%dGi" $gibibytes)) (.resources.requests | default dict) -}}
resources: {{- toYaml (merge (dict "requests" $requests) .resources) | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "lectern.mounts" -}}
volumeMounts:
  - { name: settings, mountPath: /etc/lectern, readOnly: true }
  {{- if include "lectern.secretName" . }}
  - { name: secrets, mountPath: /etc/lectern-secrets, readOnly: true }
  {{- end }}
  {{- range .Values.volumes }}
  - { name: {{ .name }}, mountPath: {{ .mountPath }}, readOnly: {{ .readOnly | default false }} }
  {{- end }}
  - { name: cache, mountPath: /var/cache/lectern }
  - { name: tmp, mountPath: /tmp }
{{- end -}}

{{- define "lectern.volumes" -}}
{{- $part := get .root.Values .component -}}
volumes:
  - name: settings
    configMap: { name: {{ include "lectern.fullname" .root }} }
  {{- with include "lectern.secretName" .root }}
  - name: secrets
    secret: { secretName: {{ . }}, defaultMode: 0440 }
  {{- end }}
  {{- range .root.Values.volumes }}
  - name: {{ .name }}
    persistentVolumeClaim: { claimName: {{ .claimName }}, readOnly: {{ .readOnly | default false }} }
  {{- end }}
  # More than the caches may take together.
  - name: cache
  {{- if $part.cacheVolume.storageClass }}
    ephemeral:
      volumeClaimTemplate:
        spec:
          accessModes: [ReadWriteOnce]
          storageClassName: {{ $part.cacheVolume.storageClass }}
          resources: { requests: { storage: {{ $part.cacheVolume.gibibytes }}Gi } }
  {{- else }}
    emptyDir: { sizeLimit: {{ $part.cacheVolume.gibibytes }}Gi }
  {{- end }}
  - name: tmp
    emptyDir: { sizeLimit: {{ $part.tmpVolume.gibibytes }}Gi }
{{- end -}}
