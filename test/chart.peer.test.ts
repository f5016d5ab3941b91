/** The Helm chart, rendered by Helm, checked by the schemas of Kubernetes and by what its objects mean together. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { z } from 'zod'
import { listSettings } from '../scripts/settings-table.ts'
import { CHART_CASES, REJECTED_VALUES } from './chart-cases.ts'
import {
  lintChart,
  readManifests,
  renderChart,
  validateManifests,
  type Manifest,
} from './peers/manifests.ts'
import { onPeers } from './peers/peers.ts'

const ROOT = resolve(import.meta.dirname, '..')
const CHART = join(ROOT, 'deploy/chart')
const KUBERNETES = '1.37'
/** The kinds of operators, whose schemas are not those of Kubernetes. */
const OF_OPERATORS = ['HTTPRoute', 'ServiceMonitor', 'PrometheusRule']

type CaseName = keyof typeof CHART_CASES
const NAMES = Object.keys(CHART_CASES) as CaseName[]

const secretKeyRef = z.strictObject({ name: z.string(), key: z.string() })
const variable = z.strictObject({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.strictObject({ secretKeyRef }).optional(),
})
const probe = z.looseObject({ httpGet: z.looseObject({ port: z.string(), path: z.string() }) })
const container = z.looseObject({
  image: z.string(),
  env: z.array(variable).default([]),
  ports: z.array(z.looseObject({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  securityContext: z.unknown(),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })).default([]),
})
const pod = z.looseObject({
  securityContext: z.looseObject({ runAsNonRoot: z.literal(true) }),
  automountServiceAccountToken: z.literal(false),
  terminationGracePeriodSeconds: z.number().optional(),
  containers: z.array(container).length(1),
  volumes: z.array(z.looseObject({ name: z.string() })).default([]),
})
const labels = z.record(z.string(), z.string())
const deployment = z.looseObject({
  replicas: z.number(),
  selector: z.strictObject({ matchLabels: labels }),
  template: z.looseObject({ metadata: z.looseObject({ labels }), spec: pod }),
})

/** Whether a selector finds labels. */
function selects(
  selector: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
) {
  return Object.entries(selector).every(([name, value]) => found[name] === value)
}

function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((each) => each.kind === kind)
}

/** Lists the deployments with their component. */
function listDeployments(manifests: readonly Manifest[]) {
  return ofKind(manifests, 'Deployment').map(({ metadata, spec }) => ({
    component: metadata.labels['app.kubernetes.io/component'] ?? '',
    ...deployment.parse(spec),
  }))
}

function findContainer(manifests: readonly Manifest[], component: string) {
  const found = listDeployments(manifests).find((each) => each.component === component)
  const [first] = found?.template.spec.containers ?? []
  assert.ok(first !== undefined, component)
  return first
}

/** Finds the value of a variable of a container. */
function findValue(manifests: readonly Manifest[], component: string, name: string) {
  return findContainer(manifests, component).env.find((each) => each.name === name)?.value
}

/** Lists the components that have a disruption budget. */
function listBudgets(manifests: readonly Manifest[]) {
  return ofKind(manifests, 'PodDisruptionBudget').map(
    ({ metadata }) => metadata.labels['app.kubernetes.io/component'],
  )
}

onPeers(['deployment'], () => {
  describe('the chart', () => {
    const rendered = new Map<CaseName, Manifest[]>()
    const notes = new Map<CaseName, string>()
    const get = (name: CaseName): Manifest[] => rendered.get(name) ?? []

    before(async () => {
      const results = await renderChart(CHART, Object.values(CHART_CASES))
      for (const [index, { output, error }] of results.entries()) {
        const name = NAMES[index]
        assert.ok(name !== undefined && output !== undefined, error ?? '')
        rendered.set(name, readManifests(output))
        notes.set(name, output['portbook/templates/NOTES.txt'] ?? '')
      }
    })

    test('has nothing that helm lint reports', async () => {
      for (const { output } of await lintChart(CHART, Object.values(CHART_CASES))) {
        const reported = output?.filter((message) => !message.includes('icon is recommended'))
        assert.deepEqual(reported, [])
      }
    })

    test('renders manifests that Kubernetes accepts', async () => {
      const manifests = NAMES.flatMap(get).filter(({ kind }) => !OF_OPERATORS.includes(kind))
      const problems = await validateManifests(KUBERNETES, manifests)
      const named = manifests.map(({ kind, metadata }, index) => [
        kind,
        metadata.name,
        problems[index],
      ])
      assert.deepEqual(
        named.filter(([, , problem]) => problem !== null),
        [],
      )
      const broken = { ...manifests[0], spec: { replicas: 'many' } } as Manifest
      assert.notDeepEqual(await validateManifests(KUBERNETES, [broken]), [null])
    })

    for (const [what, values] of Object.entries(REJECTED_VALUES)) {
      test(`rejects ${what}`, async () => {
        const [result] = await renderChart(CHART, [values])
        assert.match(result?.error ?? '', /schema|settings\.PORTBOOK_BASE_URL/)
      })
    }

    test('has a name for every object, once', () => {
      for (const name of NAMES) {
        const all = get(name).map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        assert.equal(new Set(all).size, all.length)
      }
      assert.deepEqual([...new Set(get('everything').map(({ kind }) => kind))].toSorted(), [
        'ConfigMap',
        'Deployment',
        'HTTPRoute',
        'Ingress',
        'NetworkPolicy',
        'Pod',
        'PodDisruptionBudget',
        'PrometheusRule',
        'Service',
        'ServiceAccount',
        'ServiceMonitor',
      ])
    })

    test('selects the pods that it means, and no others', () => {
      const selector = z.looseObject({
        selector: z.union([z.strictObject({ matchLabels: labels }), labels]).optional(),
        podSelector: z.strictObject({ matchLabels: labels }).optional(),
      })
      for (const name of NAMES) {
        const deployments = listDeployments(get(name))
        assert.deepEqual(
          deployments.map(({ component }) => component),
          ['serve', 'work'],
        )
        for (const kind of ['Service', 'PodDisruptionBudget', 'NetworkPolicy', 'Deployment']) {
          for (const { metadata, spec } of ofKind(get(name), kind)) {
            const given = selector.parse(spec)
            const target = given.podSelector ?? given.selector
            const matched = labels.parse(
              target !== undefined && typeof target['matchLabels'] === 'object'
                ? target['matchLabels']
                : target,
            )
            const pods = deployments.filter((each) =>
              selects(matched, each.template.metadata.labels),
            )
            const component = metadata.labels['app.kubernetes.io/component']
            const expected = component === 'metrics' ? ['serve', 'work'] : [component]
            assert.deepEqual(
              pods.map((each) => each.component),
              expected,
              `${kind} ${metadata.name}`,
            )
          }
        }
      }
    })

    test('uses ports that containers have', () => {
      const ports = z.looseObject({ ports: z.array(z.looseObject({ targetPort: z.string() })) })
      for (const name of NAMES) {
        for (const { component, template } of listDeployments(get(name))) {
          const [only] = template.spec.containers
          const own = new Set(only?.ports.map((port) => port.name))
          for (const used of [only?.startupProbe, only?.readinessProbe, only?.livenessProbe]) {
            assert.ok(used === undefined || own.has(used.httpGet.port), component)
          }
        }
        const serving = new Set(findContainer(get(name), 'serve').ports.map((port) => port.name))
        for (const { spec } of ofKind(get(name), 'Service')) {
          for (const { targetPort } of ports.parse(spec).ports) assert.ok(serving.has(targetPort))
        }
      }
    })

    test('asks /readyz for readiness and the start, and /healthz for liveness', () => {
      const serve = findContainer(get('usual'), 'serve')
      assert.equal(serve.startupProbe?.httpGet.path, '/readyz')
      assert.equal(serve.readinessProbe?.httpGet.path, '/readyz')
      assert.equal(serve.livenessProbe?.httpGet.path, '/healthz')
    })

    test('gives pods that serve no runs, and pods that work their number', () => {
      assert.deepEqual(
        [
          findValue(get('everything'), 'serve', 'PORTBOOK_WORKERS'),
          findValue(get('everything'), 'work', 'PORTBOOK_WORKERS'),
        ],
        ['0', '20'],
      )
    })

    test('sets only settings of README, each once, and numbers without an exponent', () => {
      const readme = new Set(
        listSettings(readFileSync(join(ROOT, 'README.md'), 'utf8')).map(({ name }) => name),
      )
      for (const name of NAMES) {
        for (const component of ['serve', 'work']) {
          const { env } = findContainer(get(name), component)
          const names = env.map((each) => each.name)
          assert.equal(new Set(names).size, names.length)
          const others = names.filter((each) => !readme.has(each) && each !== 'NODE_EXTRA_CA_CERTS')
          assert.deepEqual(others, [])
        }
      }
      const values = new Map(
        findContainer(get('everything'), 'serve').env.map((each) => [each.name, each.value]),
      )
      assert.equal(values.get('PORTBOOK_RATE_LIMIT'), '1000000000')
      assert.equal(values.get('PORTBOOK_METRICS_PORT'), '9000')
      assert.equal(values.get('PORTBOOK_ORGANIZATION'), 'Velmora "North": {{ .Release }} # 1')
    })

    test('names secrets, and contains none', () => {
      for (const name of NAMES) {
        assert.deepEqual(ofKind(get(name), 'Secret'), [])
        const { env } = findContainer(get(name), 'serve')
        const secret = env.filter((each) => each.valueFrom !== undefined).map((each) => each.name)
        for (const each of ['DATABASE_URL', 'PORTBOOK_ENCRYPTION_KEY']) {
          assert.ok(secret.includes(each), each)
        }
        const plain = env.filter((each) => each.valueFrom === undefined).map((each) => each.name)
        assert.deepEqual(
          plain.filter((each) => /PASSWORD|TOKEN|_KEY$|DATABASE_URL/.test(each)),
          [],
        )
      }
      const { env } = findContainer(get('everything'), 'work')
      const url = env.find((each) => each.name === 'DATABASE_URL')
      assert.deepEqual(url?.valueFrom?.secretKeyRef, { name: 'portbook-db-app', key: 'uri' })
    })

    test('meets the restricted Pod Security Standard, on a read-only root file system', () => {
      for (const name of NAMES) {
        const pods = [
          ...listDeployments(get(name)).map(({ template }) => template.spec),
          ...ofKind(get(name), 'Pod').map(({ spec }) => pod.parse(spec)),
        ]
        assert.equal(pods.length, 3)
        for (const { securityContext, containers, volumes } of pods) {
          assert.deepEqual(securityContext['seccompProfile'], { type: 'RuntimeDefault' })
          assert.notEqual(securityContext['runAsUser'], 0)
          assert.deepEqual(containers[0]?.securityContext, {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          })
          const hostPaths = volumes.filter((volume) => 'hostPath' in volume)
          assert.deepEqual(hostPaths, [])
          const own = new Set(volumes.map((volume) => volume.name))
          for (const mount of containers[0]?.volumeMounts ?? []) assert.ok(own.has(mount.name))
        }
      }
      const mounts = findContainer(get('usual'), 'work').volumeMounts.map((each) => each.mountPath)
      assert.deepEqual(mounts, ['/data', '/tmp'])
    })

    test('has disruption budgets only where another pod remains', () => {
      assert.deepEqual(listBudgets(get('usual')), ['serve'])
      assert.deepEqual(listBudgets(get('smallest')), [])
      assert.deepEqual(listBudgets(get('everything')), ['serve', 'work'])
    })

    test('gives a stopping pod the time that Portbook takes after its preStop', () => {
      const [serve] = listDeployments(get('usual'))
      const { lifecycle } = findContainer(get('usual'), 'serve')
      assert.deepEqual(lifecycle, { preStop: { sleep: { seconds: 5 } } })
      // STOP_MS_MAX of server/main.ts.
      assert.ok((serve?.template.spec.terminationGracePeriodSeconds ?? 0) >= 5 + 20)
    })

    test('routes the host of the public address to the service', () => {
      const [route] = ofKind(get('everything'), 'HTTPRoute')
      const [ingress] = ofKind(get('everything'), 'Ingress')
      for (const spec of [route?.spec, ingress?.spec]) {
        assert.match(JSON.stringify(spec), /"catalog\.example\.com"/)
        assert.match(JSON.stringify(spec), /"name":"catalog-portbook"/)
      }
      assert.match(JSON.stringify(route?.spec), /"port":8080/)
    })

    test('contains the alerts and the dashboard as they are', () => {
      const [rules] = ofKind(get('everything'), 'PrometheusRule')
      const groups = z.looseObject({ groups: z.array(z.looseObject({})).min(1) })
      assert.ok(groups.safeParse(rules?.spec).success)
      const [dashboard] = ofKind(get('everything'), 'ConfigMap')
      const file = join(ROOT, 'deploy/grafana/portbook.json')
      assert.deepEqual(dashboard?.['data'], { 'portbook.json': readFileSync(file, 'utf8') })
    })

    test('names what is missing after the installation', () => {
      assert.match(notes.get('usual') ?? '', /set ingress\.enabled or httpRoute\.enabled/)
      assert.match(notes.get('smallest') ?? '', /No pod works/)
      assert.match(notes.get('everything') ?? '', /PORTBOOK_TRUSTED_PROXIES/)
    })
  })
})
