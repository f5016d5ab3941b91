/** The values with which tests render the chart. */

import type { ChartValues } from './peers/manifests.ts'

const SETTINGS = { PORTBOOK_BASE_URL: 'https://catalog.example.com' }
const reference = (key: string) => ({ name: 'mine', key })
const peers = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'web' } } }]

/** Values that the chart accepts. */
export const CHART_CASES = {
  usual: { settings: SETTINGS },
  smallest: {
    settings: SETTINGS,
    serve: { replicas: 1 },
    work: { replicas: 0 },
    serviceAccount: { create: false },
    podDisruptionBudget: { enabled: false },
    networkPolicy: { enabled: false },
    pod: { runAsUser: null },
  },
  everything: {
    image: {
      repository: 'registry.example.com:5000/data/portbook',
      digest: `sha256:${'a'.repeat(64)}`,
      pullPolicy: 'Always',
      pullSecrets: ['registry'],
    },
    database: { cloudNativePg: 'portbook-db' },
    settings: {
      ...SETTINGS,
      HOST: '::',
      PORTBOOK_RATE_LIMIT: 1_000_000_000,
      PORTBOOK_ORGANIZATION: 'Velmora "North": {{ .Release }} # 1',
      PORTBOOK_OWNER_EMAIL: 'ada@velmora.example',
      PORTBOOK_MAIL_FROM: 'Portbook <portbook@example.com>',
      PORTBOOK_DPS_UNTIL: '2027-01-31',
      PORTBOOK_LOG_LEVEL: 'debug',
    },
    secrets: {
      PORTBOOK_ENCRYPTION_KEY: reference('key'),
      PORTBOOK_OWNER_PASSWORD: reference('owner'),
      PORTBOOK_METRICS_TOKEN: reference('metrics'),
      PORTBOOK_SMTP_URL: reference('smtp'),
      PORTBOOK_SMTP_PASSWORD: reference('smtp-password'),
    },
    env: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/authorities/ca.crt' }],
    volumes: [{ name: 'authorities', configMap: { name: 'authorities' } }],
    volumeMounts: [{ name: 'authorities', mountPath: '/authorities', readOnly: true }],
    serve: { replicas: 5 },
    work: { replicas: 3, runs: 20 },
    pod: {
      annotations: { 'example.com/owner': 'data' },
      labels: { 'example.com/team': 'data' },
      nodeSelector: { 'kubernetes.io/arch': 'amd64' },
      tolerations: [{ key: 'data', operator: 'Exists', effect: 'NoSchedule' }],
      affinity: { podAntiAffinity: {} },
      priorityClassName: 'high',
      runAsUser: 12_345,
    },
    service: { type: 'LoadBalancer', port: 8080, annotations: { 'example.com/internal': 'true' } },
    ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls' },
    httpRoute: { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateways' }] },
    networkPolicy: { from: peers, metricsFrom: peers },
    monitoring: {
      port: 9000,
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
      rules: { enabled: true },
      dashboard: { enabled: true },
    },
  },
} satisfies Record<string, ChartValues>

/** Values that the chart rejects, by what is wrong with them. */
export const REJECTED_VALUES: Readonly<Record<string, ChartValues>> = {
  'a setting that does not exist': { settings: { ...SETTINGS, PORTBOOK_COLOUR: 'red' } },
  'a secret as a setting': { settings: { ...SETTINGS, PORTBOOK_SMTP_PASSWORD: 'secret' } },
  'a secret by its value': { settings: SETTINGS, secrets: { DATABASE_URL: 'postgres://a:b@c/d' } },
  'a secret without its key': { settings: SETTINGS, secrets: { PORTBOOK_SMTP_URL: { name: 'a' } } },
  'a setting that the chart sets': { settings: { ...SETTINGS, PORTBOOK_WORKERS: 3 } },
  'an address with a password': { settings: { PORTBOOK_BASE_URL: 'https://a:b@example.com' } },
  'a rate that is not a number': { settings: { ...SETTINGS, PORTBOOK_RATE_LIMIT: 'fast' } },
  'a date that is none': { settings: { ...SETTINGS, PORTBOOK_DPS_UNTIL: 'tomorrow' } },
  'a number of pods below zero': { settings: SETTINGS, serve: { replicas: -1 } },
  'a repository with a line break': { settings: SETTINGS, image: { repository: 'a\nb: c' } },
  'a group that does not exist': { settings: SETTINGS, postgresql: { enabled: true } },
  'a label of the chart': {
    settings: SETTINGS,
    pod: { labels: { 'app.kubernetes.io/name': 'x' } },
  },
  'root as the user': { settings: SETTINGS, pod: { runAsUser: 0 } },
  'a route without a gateway': { settings: SETTINGS, httpRoute: { enabled: true } },
  'no public address': {},
}
