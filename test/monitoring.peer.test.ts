/**
 * The alerts, the dashboard and the guide against a running server: Prometheus scrapes it, and promtool tests the rules.
 */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse, stringify } from 'yaml'
import { LIMITS } from '../server/about/limits.ts'
import { ALERT_SERIES } from './alert-series.ts'
import { startServer, type ServerProcess } from './database-server.ts'
import { eventually } from './eventually.ts'
import { newHttpClient } from './http-client.ts'
import {
  listMetrics,
  listPanelExpressions,
  PROMETHEUS_FOLDER,
  readAlerts,
  readDashboard,
  readDocumentedMetrics,
  readScrape,
  type ScrapedMetric,
} from './monitoring-files.ts'
import { createUnattendedStart, startProduct, type ProductProcess } from './process.ts'
import { newStorePlace, type StorePlace } from './stores.ts'

const TOKEN = 'metrics-token-of-the-tests'
const SCRAPED_MS_MAX = 30_000
/** Panels that are empty while all is well. */
const EMPTY = new Set(['Failures', 'Free disk'])
const isInstalled = spawnSync('promtool', ['--version']).status === 0
const missing = 'Prometheus is not installed: `apt-get install prometheus`'

if (!isInstalled && process.env.CI === 'true') {
  test('Prometheus is installed', () => {
    throw new Error(missing)
  })
}

describe('monitoring', { skip: isInstalled ? false : missing }, () => {
  let place: StorePlace
  let product: ProductProcess
  let prometheus: ServerProcess
  let folder = ''
  let scrape: ScrapedMetric[] = []
  let text = ''

  before(async () => {
    place = await newStorePlace()
    const start = createUnattendedStart(place)
    product = await startProduct({ ...start.environment, PORTBOOK_METRICS_TOKEN: TOKEN })
    folder = mkdtempSync(join(tmpdir(), 'portbook-monitoring-'))
    cpSync(PROMETHEUS_FOLDER, folder, { recursive: true })
    prometheus = await startPrometheus(folder, new URL(product.url).host)
    const client = newHttpClient(product.url, start.key())
    await client.ok('PUT', '/api/teams/sales', { body: { name: 'Sales' } })
    await client.ok('GET', '/api/teams')
    client.close()
    const isRead = async (): Promise<boolean> => {
      text = await readMetrics()
      return /^portbook_table_bytes/m.test(text)
    }
    await eventually(SCRAPED_MS_MAX, isRead, 'the state of the installation is read')
    scrape = readScrape(text)
  })
  after(async () => {
    await prometheus.stop()
    await product.stop()
    await place.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  async function readMetrics(): Promise<string> {
    const headers = { authorization: `Bearer ${TOKEN}` }
    return await (await fetch(`${product.url}/metrics`, { headers })).text()
  }

  test('a scrape › has names that follow the conventions of Prometheus', () => {
    const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    })
    assert.equal(stdout + stderr, '')
  })

  test('a scrape › has every metric of the alerts and the dashboard', () => {
    const names = new Set(scrape.map(({ name }) => name))
    const expressions = [...readAlerts(), ...listPanelExpressions()].map(({ expr }) => expr)
    const unknown = expressions.flatMap(listMetrics).filter((name) => !names.has(name))
    assert.deepEqual(
      unknown.filter((name) => !name.startsWith('portbook_store_disk_')),
      [],
    )
  })

  test('docs/guides/monitoring.md › has every metric of a scrape with its type and its description', () => {
    assert.deepEqual(
      readDocumentedMetrics()
        .filter((one) => !isOptional(one))
        .map(toRow)
        .toSorted(),
      scrape
        .filter((one) => !isOptional(one))
        .map(toRow)
        .toSorted(),
    )
  })

  test('a scrape › has no label for an organization, a person, a key, an id or an address', () => {
    const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
    const allowed =
      'channel code follower job kind lane le major method minor name patch pool result role route schema state status table version'
    assert.deepEqual(
      [...labels].filter((label) => !allowed.split(' ').includes(label ?? '')),
      [],
    )
    assert.ok(!labels.has('job'), 'Prometheus sets the label job')
    assert.ok(!text.includes('sales') && !text.includes('owner@'))
  })

  test('portbook.json › Prometheus answers every expression of every panel, with the labels of its legend', async () => {
    const failing: string[] = []
    for (const { title, expr, labels } of listPanelExpressions()) {
      const query = expr
        .replaceAll('$job', 'portbook')
        .replaceAll('$instance', '.*')
        .replaceAll('$__rate_interval', '1m')
      let problem = ''
      // oxlint-disable-next-line no-await-in-loop
      await eventually(
        SCRAPED_MS_MAX,
        async () => {
          const { status, error, data } = await ask(`query?query=${encodeURIComponent(query)}`)
          const isEmpty = data?.result.length === 0 && !EMPTY.has(title)
          const lacking = data?.result.some(({ metric }) => labels.some((label) => !metric[label]))
          problem = lacking === true ? `no ${labels.join(' or ')}` : isEmpty ? 'no result' : ''
          if (status !== 'success') problem = error ?? status
          return problem !== 'no result'
        },
        `${title}: ${query} has a result`,
      )
      if (problem !== '') failing.push(`${title}: ${query}: ${problem}`)
    }
    assert.deepEqual(failing, [])
  })

  test('portbook.json › its variables have values', async () => {
    const { data } = await ask('query?query=portbook_build_info')
    const [one] = data?.result ?? []
    for (const { name, type } of readDashboard().templating.list) {
      if (type === 'query') assert.ok(one?.metric[name] !== undefined, name)
    }
  })

  test('alerts.yml › Prometheus evaluates every alert, and none fires on a server that is well', async () => {
    type Rule = { name: string; health: string; state: string; lastError?: string }
    let rules: Rule[] = []
    const areEvaluated = async (): Promise<boolean> => {
      const { data } = await ask('rules')
      rules = (data?.groups ?? []).flatMap((group) => group.rules)
      return rules.every(({ health }) => health !== 'unknown')
    }
    await eventually(SCRAPED_MS_MAX, areEvaluated, 'the rules are evaluated')
    assert.equal(rules.length, Object.keys(LIMITS).length)
    assert.deepEqual(
      rules.filter(({ health, state }) => health !== 'ok' || state === 'firing'),
      [],
    )
  })

  test('prometheus.yml and alerts.yml › promtool accepts them', () => {
    const { status, stdout, stderr } = spawnSync(
      'promtool',
      ['check', 'config', join(PROMETHEUS_FOLDER, 'prometheus.yml')],
      { encoding: 'utf8' },
    )
    assert.equal(status, 0, stdout + stderr)
  })

  test('alerts.yml › every alert fires for its firing series, and not for its quiet ones', () => {
    const file = join(folder, 'tests.yml')
    writeFileSync(file, stringify(newRuleTests()))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout + stderr)
  })

  /** Sends a request to the API of Prometheus. */
  async function ask(path: string): Promise<PrometheusAnswer> {
    const answer = await fetch(`http://127.0.0.1:${prometheus.port}/api/v1/${path}`)
    return (await answer.json()) as PrometheusAnswer
  }
})

// Only Portbook's own PostgreSQL has a disk.
function isOptional({ name }: ScrapedMetric): boolean {
  return name.startsWith('portbook_store_disk_')
}

function toRow({ name, type, help }: ScrapedMetric): string {
  return `| \`${name}\` | ${type} | ${help} |`
}

interface PrometheusAnswer {
  status: string
  error?: string
  data?: {
    result: { metric: Record<string, string> }[]
    groups: { rules: { name: string; health: string; state: string }[] }[]
  }
}

/** Starts Prometheus with the example of the repository, which scrapes the server at an address. */
async function startPrometheus(folder: string, address: string): Promise<ServerProcess> {
  const example = readFileSync(join(PROMETHEUS_FOLDER, 'prometheus.yml'), 'utf8')
  const config = parse(example) as {
    global: object
    scrape_configs: { job_name: string }[]
  }
  const [job] = config.scrape_configs
  const fast = {
    ...config,
    global: { ...config.global, scrape_interval: '1s', evaluation_interval: '1s' },
    scrape_configs: [
      { ...job, authorization: { credentials: TOKEN }, static_configs: [{ targets: [address] }] },
    ],
  }
  const file = join(folder, 'prometheus.yml')
  writeFileSync(file, stringify(fast))
  return await startServer({
    name: 'Prometheus',
    folder: 'portbook-prometheus-',
    user: undefined,
    stopSignal: 'KILL',
    prepare: () => Promise.resolve(),
    command: (directory, port) => [
      'prometheus',
      `--config.file=${file}`,
      `--storage.tsdb.path=${directory}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    ready: /ready to receive web requests/,
    portTaken: /address already in use/,
  })
}

const END = '180m'

function newRuleTests(): object {
  const tests = readAlerts().flatMap(({ alert, labels: { severity } }) => {
    const found = Object.entries(ALERT_SERIES).find(([name]) => name === alert)?.[1]
    const { firing, quiet, labels } = found ?? { firing: [], quiet: [], labels: {} }
    const fired = { alertname: alert, alertstate: 'firing', severity, ...labels }
    const sample = {
      labels: `ALERTS{${Object.entries(fired)
        .map(([name, value]) => `${name}="${value}"`)
        .join(', ')}}`,
      value: 1,
    }
    const cases = [
      ...firing.map((series) => ({ series, samples: [sample] })),
      ...quiet.map((series) => ({ series, samples: [] })),
    ]
    return cases.map(({ series, samples }, at) => ({
      name: `${alert} ${samples.length === 0 ? 'is quiet' : 'fires'} (${at + 1})`,
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: `ALERTS{alertname="${alert}", alertstate="firing"}`,
          eval_time: END,
          exp_samples: samples,
        },
      ],
    }))
  })
  return { rule_files: ['alerts.yml'], evaluation_interval: '1m', tests: [...tests, newTextTest()] }
}

/** The texts of an alert: its value, and the link to the guide of the installation. */
function newTextTest(): object {
  const rule = readAlerts().find(({ alert }) => alert === 'PortbookFollowerLag')
  const { annotations } = rule ?? {}
  return {
    name: 'annotations',
    interval: '1m',
    external_labels: { portbook_url: 'https://catalog.example.com' },
    input_series: [
      {
        series: 'portbook_follower_lag_seconds{job="portbook", follower="webhooks"}',
        values: '90+0x200',
      },
    ],
    alert_rule_test: [
      {
        eval_time: END,
        alertname: 'PortbookFollowerLag',
        exp_alerts: [
          {
            exp_labels: { job: 'portbook', follower: 'webhooks', severity: 'warning' },
            exp_annotations: {
              ...annotations,
              summary: 'The follower webhooks is 1m 30s behind',
              runbook_url: 'https://catalog.example.com/guides/alerts#portbookfollowerlag',
            },
          },
        ],
      },
    ],
  }
}
