{{- /* lectern.json: the settings, and what follows from the Redis and the workers of the chart. */ -}}
{{- define "lectern.settings" -}}
{{- $settings := deepCopy .Values.settings -}}
{{- $redis := $settings.redis | default dict -}}
{{- if .Values.redis.enabled -}}
  {{- $redis = merge $redis (dict "address" (printf "redis://%s-redis:6379" (include "lectern.fullname" .))) -}}
  {{- with .Values.redis.passwordKey -}}
    {{- $redis = merge $redis (dict "passwordFile" (printf "/etc/lectern-secrets/%s" .)) -}}
  {{- end -}}
{{- end -}}
{{- if and .Values.worker.enabled (not (hasKey $redis "builds")) -}}
  {{- $redis = set $redis "builds" false -}}
{{- end -}}
{{- if $redis -}}
  {{- $settings = set $settings "redis" $redis -}}
{{- end -}}
{{- toPrettyJson $settings -}}
{{- end -}}

{{- /* The bytes that caches on a cache volume may take together; of workers only those that they have. */ -}}
{{- define "lectern.cacheBytes" -}}
{{- $settings := .settings -}}
{{- $isWorker := eq .component "worker" -}}
{{- $builds := ternary .jobs 1 $isWorker -}}
{{- $hasBucket := contains "\"s3://" (toJson $settings.library) -}}
{{- $folders := dict "cache" "directory" "index" "directory" "search" "directory" "pdf" "directory" "dataSets" "directory" "changes" "directory" -}}
{{- if $isWorker }}{{ $folders = dict }}{{ end -}}
{{- $folders = merge $folders (dict "pyramids" "directory" "objectStorage" "spoolDirectory") -}}
{{- $sum := int64 0 -}}
{{- range $name, $member := $folders -}}
  {{- $group := get $settings $name | default dict -}}
  {{- $limit := ternary "spoolMaxBytes" "maxBytes" (eq $name "objectStorage") -}}
  {{- $folder := toString (get $group $member | default "/var/cache/lectern") -}}
  {{- $isNone := or
        (eq "false" (toString (get $group $member)))
        (and (eq $name "objectStorage") (not $hasBucket))
        (and (eq $name "search") (or (hasKey $group "openSearch") (eq "false" (toString (get $group "enabled"))))) -}}
  {{- if and (not $isNone) (hasPrefix "/var/cache/lectern" $folder) -}}
    {{- $bytes := int64 (required (printf "settings.%s.%s has to be a number of bytes" $name $limit) (get $group $limit)) -}}
    {{- /* In front of a bucket it is for each build that runs. */ -}}
    {{- if and (eq $name "pyramids") (hasKey $group "shared") }}{{ $bytes = mul $bytes $builds }}{{ end -}}
    {{- $sum = add $sum $bytes -}}
  {{- end -}}
{{- end -}}
{{- $sum -}}
{{- end -}}

{{- /* Stops where the caches could take more than nine tenths of their volume: the rest is for files that are being written. */ -}}
{{- define "lectern.checkCaches" -}}
{{- $settings := include "lectern.settings" .root | fromJson -}}
{{- $part := get .root.Values .component -}}
{{- $bytes := include "lectern.cacheBytes" (dict "settings" $settings "component" .component "jobs" .root.Values.worker.jobs) | int64 -}}
{{- $volume := mul $part.cacheVolume.gibibytes 1073741824 -}}
{{- if gt (mul $bytes 10) (mul $volume 9) -}}
  {{- fail (printf "%s.cacheVolume has %d GiB, of which the caches in settings may take %d bytes; that has to be at most nine tenths, %d bytes" .component (int64 $part.cacheVolume.gibibytes) $bytes (div (mul $volume 9) 10)) -}}
{{- end -}}
{{- end -}}

{{- /* Stops where what was asked for can't work. */ -}}
{{- define "lectern.checkValues" -}}
{{- $settings := include "lectern.settings" . | fromJson -}}
{{- $redis := get $settings "redis" | default dict -}}
{{- $pyramids := get $settings "pyramids" | default dict -}}
{{- if and .Values.secrets.existing .Values.secrets.values }}{{ fail "secrets: existing or values, not both" }}{{ end -}}
{{- if and (contains "\"/etc/lectern-secrets/" (toJson $settings)) (not (include "lectern.secretName" .)) -}}
  {{- fail "settings name files in /etc/lectern-secrets: secrets.existing or secrets.values has to hold them" -}}
{{- end -}}
{{- if .Values.worker.enabled -}}
  {{- if not (hasKey $redis "address") }}{{ fail "worker.enabled needs redis.enabled, or settings.redis.address" }}{{ end -}}
  {{- $isOnVolume := false -}}
  {{- range .Values.volumes -}}
    {{- if hasPrefix (printf "%s/" .mountPath) (printf "%s/" (get $pyramids "directory")) }}{{ $isOnVolume = true }}{{ end -}}
  {{- end -}}
  {{- if not (or (hasKey $pyramids "shared") $isOnVolume) -}}
    {{- fail "worker.enabled needs pyramids that servers see: settings.pyramids.shared, or settings.pyramids.directory on one of volumes" -}}
  {{- end -}}
{{- end -}}
{{- if .Values.networkPolicy.enabled -}}
  {{- $needed := dict
        "store" (or (contains "\"s3://" (toJson $settings)) (get ($settings.objectStorage | default dict) "endpoint"))
        "redis" (and (not .Values.redis.enabled) (hasKey $redis "address"))
        "postgres" (get ($settings.catalogue | default dict) "postgres")
        "openSearch" (get ($settings.search | default dict) "openSearch")
        "collector" (get ($settings.tracing | default dict) "endpoint") -}}
  {{- range $name, $isNeeded := $needed -}}
    {{- if and $isNeeded (not (hasKey $.Values.networkPolicy.egress $name)) -}}
      {{- fail (printf "networkPolicy.egress.%s has to say where it is: settings name it" $name) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- end -}}
