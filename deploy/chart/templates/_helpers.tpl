{{/* The name of every object, and the prefix of the names of others. */}}
{{- define "portbook.name" -}}
{{- if contains "portbook" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-portbook" (.Release.Name | trunc 31 | trimSuffix "-") }}{{ end -}}
{{- end }}

{{/* The labels that select the pods of the release. */}}
{{- define "portbook.selector" -}}
app.kubernetes.io/name: portbook
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* The labels of every object. */}}
{{- define "portbook.labels" -}}
{{ include "portbook.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "portbook.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest }}{{ $image.repository }}@{{ $image.digest }}{{ else }}{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}{{ end -}}
{{- end }}

{{- define "portbook.serviceAccount" -}}
{{- $account := .Values.serviceAccount -}}
{{- if $account.create }}{{ $account.name | default (include "portbook.name" .) }}{{ else }}{{ $account.name | default "default" }}{{ end -}}
{{- end }}

{{/* The host of the public address. */}}
{{- define "portbook.host" -}}
{{- $url := required "Set settings.PORTBOOK_BASE_URL to the public address, such as https://portbook.example.com" .Values.settings.PORTBOOK_BASE_URL -}}
{{- (urlParse $url).hostname -}}
{{- end }}

{{/* A number without an exponent, with which YAML's large numbers would be written; other values as they are. */}}
{{- define "portbook.text" -}}
{{- if kindIs "float64" . }}{{ printf "%.0f" . }}{{ else }}{{ toString . }}{{ end -}}
{{- end }}

{{/* The environment of every container. `component` has its name, `runs` the number of its ingestion runs. */}}
{{- define "portbook.environment" -}}
{{- $root := .root -}}
- name: PORT
  value: "8080"
- name: PORTBOOK_DATA_DIR
  value: /data
- name: PORTBOOK_METRICS_PORT
  value: {{ include "portbook.text" $root.Values.monitoring.port | quote }}
- name: PORTBOOK_WORKERS
  value: {{ include "portbook.text" .runs | quote }}
{{- range $name, $value := $root.Values.settings }}
- name: {{ $name }}
  value: {{ include "portbook.text" $value | toJson }}
{{- end }}
{{- $cluster := $root.Values.database.cloudNativePg }}
{{- range $name, $secret := $root.Values.secrets }}
{{- if and $cluster (eq $name "DATABASE_URL") }}
{{- $secret = dict "name" (printf "%s-app" $cluster) "key" "uri" }}
{{- end }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret.name }}
      key: {{ $secret.key | toJson }}
{{- end }}
{{- with $root.Values.env }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* What the restricted Pod Security Standard requires of a container. */}}
{{- define "portbook.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop:
    - ALL
{{- end }}

{{/* What the restricted Pod Security Standard requires of a pod. */}}
{{- define "portbook.podSecurity" -}}
runAsNonRoot: true
{{- with .Values.pod.runAsUser }}
runAsUser: {{ include "portbook.text" . }}
runAsGroup: {{ include "portbook.text" . }}
fsGroup: {{ include "portbook.text" . }}
fsGroupChangePolicy: OnRootMismatch
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/*
A deployment. `component` is its name and the command of its container, `options` its values, `runs` the number of its
ingestion runs, `ports` its ports besides that of metrics, and `probes` its probes.
*/}}
{{- define "portbook.deployment" -}}
{{- $root := .root -}}
{{- $name := printf "%s-%s" (include "portbook.name" $root) .component -}}
{{- $_ := include "portbook.host" $root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "portbook.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  replicas: {{ include "portbook.text" .options.replicas }}
  revisionHistoryLimit: 3
  # A migration runs before a new pod is ready; without it, the deployment is not reported as stuck.
  progressDeadlineSeconds: {{ include "portbook.text" (add (int64 $root.Values.startupSecondsMax) 300) }}
  # A pod of the new version starts, migrates the database and is ready before one of the old version stops.
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      {{- include "portbook.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  template:
    metadata:
      labels:
        {{- with $root.Values.pod.labels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- include "portbook.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
      {{- with $root.Values.pod.annotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "portbook.serviceAccount" $root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with $root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      securityContext:
        {{- include "portbook.podSecurity" $root | nindent 8 }}
      # Portbook ends within 20 seconds of SIGTERM, which follows the 5 seconds of preStop.
      terminationGracePeriodSeconds: 30
      {{- with $root.Values.pod.priorityClassName }}
      priorityClassName: {{ . | toJson }}
      {{- end }}
      {{- with $root.Values.pod.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.pod.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.pod.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- else }}
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "portbook.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ $.component }}
          # Counts the pods of one version, so that an update spreads them too.
          matchLabelKeys:
            - pod-template-hash
        {{- end }}
      {{- end }}
      containers:
        - name: portbook
          image: {{ include "portbook.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args:
            - {{ .component }}
          env:
            {{- include "portbook.environment" (dict "root" $root "runs" .runs) | nindent 12 }}
          ports:
            {{- with .ports }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
            - name: metrics
              containerPort: {{ include "portbook.text" $root.Values.monitoring.port }}
          {{- toYaml .probes | nindent 10 }}
          lifecycle:
            preStop:
              # Requests still arrive until every proxy knows that the pod is stopping.
              sleep:
                seconds: 5
          securityContext:
            {{- include "portbook.containerSecurity" $root | nindent 12 }}
          resources:
            {{- toYaml .options.resources | nindent 12 }}
          volumeMounts:
            - name: data
              mountPath: /data
            - name: tmp
              mountPath: /tmp
            {{- with $root.Values.volumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        # Portbook keeps everything in the database; these folders are empty at every start.
        - name: data
          emptyDir:
            sizeLimit: 256Mi
        - name: tmp
          emptyDir:
            sizeLimit: 256Mi
        {{- with $root.Values.volumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end }}
