/** The source of the demo: its past runs, and which of its connections work. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { IngestionRun } from '../../server/ingestion/integrations/run.ts'
import { eventually } from '../eventually.ts'
import { query } from '../operator.ts'
import { startProduct, type ProductProcess } from '../process.ts'
import { newLocalPlace, onServer } from '../stores.ts'

const WAREHOUSE = 'operations-warehouse'
const INTEGRATIONS = [WAREHOUSE, 'wagon-register', 'train-messages', 'customer-portal']
const RUN_MS_MAX = 60_000
const BERLIN_HOUR = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Berlin',
  hour: '2-digit',
  minute: '2-digit',
})

type Ask = <T>(method: string, path: string, body?: unknown) => Promise<T>

async function signIn({ url }: ProductProcess, directory: string): Promise<Ask> {
  const text = readFileSync(join(directory, 'demo-sign-in'), 'utf8')
  const [email, password] = text.split(/\s+/)
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const body = JSON.stringify({ email, password })
  const session = await fetch(`${url}/ui/sign-in`, { method: 'POST', headers, body })
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
  return async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const message = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${message}`)
    return JSON.parse(message)
  }
}

async function listRuns(ask: Ask, integration: string): Promise<IngestionRun[]> {
  return await ask('GET', `/api/integrations/${integration}/runs`)
}

async function isReachable(ask: Ask, change?: Record<string, unknown>): Promise<boolean> {
  const path = `/ui/integrations/${WAREHOUSE}`
  const { configuration, name } = await ask<{ configuration: object; name: string }>('GET', path)
  const draft = { name, configuration: { ...configuration, ...change } }
  const body = change === undefined ? undefined : { ...draft, secrets: { password: 'guess' } }
  const { ok } = await ask<{ ok: boolean }>('POST', `${path}/test`, body)
  return ok
}

describe('--demo with its own server', () => {
  const place = newLocalPlace()
  const directory = place.environment['PORTBOOK_DATA_DIR'] ?? ''
  let product: ProductProcess
  let ask: Ask
  before(async () => {
    product = await startProduct(place.environment, ['--demo'])
    ask = await signIn(product, directory)
  })
  after(async () => {
    await product.stop()
    await place.remove()
  })

  async function restart(environment: object, options: readonly string[]): Promise<void> {
    await product.stop()
    await query(place, `update integration set next_due_at = now() - interval '1 hour'`)
    product = await startProduct({ ...place.environment, ...environment }, options)
    ask = await signIn(product, directory)
  }

  test('has ten runs, one on each of the last days: one failed, and the last has held deletes', async () => {
    const runs = await listRuns(ask, WAREHOUSE)
    const statuses = runs.map(({ status }) => status)
    const expected = Array.from({ length: 10 }, (_, at) => (at === 4 ? 'FAILED' : 'SUCCESS'))
    assert.deepEqual(statuses, expected)
    assert.match(runs[4]?.message ?? '', /password|log in|sign in/i)
    const [last] = runs
    assert.deepEqual([last?.heldState, last?.assetsHeld], ['pending', 24])
    for (const { startedAt, status, ...counts } of runs.slice(1)) {
      const changed = counts.assetsCreated + counts.assetsUpdated + counts.assetsDeleted
      assert.ok(changed > 0 || status === 'FAILED', `${startedAt} changed nothing`)
    }
    const times = runs.map(({ startedAt }) => new Date(startedAt))
    assert.ok(times.every((time) => /^05:0[0-5]$/.test(BERLIN_HOUR.format(time))))
    assert.equal(new Set(times.map((time) => time.toISOString().slice(0, 10))).size, 10)
  })

  test('dates the log of a run within the run', async () => {
    const [run] = await listRuns(ask, WAREHOUSE)
    const path = `/ui/integrations/${WAREHOUSE}/runs/${run?.ingestionRunId}/log`
    const lines = await ask<{ at: string }[]>('GET', path)
    assert.ok(lines.length > 0)
    for (const { at } of lines) {
      const sinceStartMs = Date.parse(at) - Date.parse(run?.startedAt ?? '')
      assert.ok(Math.abs(sinceStartMs) < 5 * 60_000, `${at} is not ${run?.startedAt}`)
    }
  })

  test('shows the next run of each integration', async () => {
    for (const integration of INTEGRATIONS) {
      const form = await ask<{ nextTimes: string[] }>('GET', `/ui/integrations/${integration}`)
      assert.ok(Date.parse(form.nextTimes[0] ?? '') > Date.now(), integration)
    }
  })

  test('connects to its source, but not with another user or database', async () => {
    assert.equal(await isReachable(ask), true)
    assert.equal(await isReachable(ask, { user: 'portbook', database: ['portbook'] }), false)
    assert.equal(await isReachable(ask, { database: [] }), false)
  })

  test('runs its schedules after a restart with private sources denied', async () => {
    const restartedAt = Date.now()
    await restart({ PORTBOOK_PRIVATE_SOURCES: 'deny' }, ['--demo'])
    for (const integration of INTEGRATIONS) {
      const isEnded = async (): Promise<boolean> => {
        const [{ startedAt, status } = assert.fail('there is no run')] = await listRuns(
          ask,
          integration,
        )
        return Date.parse(startedAt) > restartedAt && status !== 'RUNNING'
      }
      await eventually(RUN_MS_MAX, isEnded, `a scheduled run of ${integration} ended`)
      const [run] = await listRuns(ask, integration)
      assert.equal(run?.status, 'SUCCESS', run?.message ?? '')
    }
    const home = await ask<{ attention: { kind: string }[] }>('GET', '/ui/home')
    assert.ok(home.attention.some(({ kind }) => kind === 'deletes_held'))
  })

  test('cannot connect to its source when started without --demo', async () => {
    await restart({}, [])
    assert.equal(await isReachable(ask), false)
  })
})

describe('--demo on a configured server', () => {
  test('skips the source, and logs that, if the role must not create databases', async () => {
    const server = process.env.PORTBOOK_TEST_POSTGRES ?? ''
    const name = `limited_${randomBytes(6).toString('hex')}`
    await onServer(server, `create role ${name} login password '${name}'`)
    await onServer(server, `create database ${name} owner ${name}`)
    const url = new URL(server)
    Object.assign(url, { username: name, password: name, pathname: `/${name}` })
    const place = newLocalPlace()
    const product = await startProduct(
      {
        ...place.environment,
        DATABASE_URL: url.href,
        PORTBOOK_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
      ['--demo'],
    )
    try {
      await product.logged(({ msg }) => /demo source is skipped/.test(msg ?? ''))
      const ask = await signIn(product, place.environment['PORTBOOK_DATA_DIR'] ?? '')
      const { counts } = await ask<{ counts: Record<string, number> }>('GET', '/ui/home')
      assert.deepEqual([counts['assets'], counts['integrations']], [143, 0])
    } finally {
      await product.stop()
      await onServer(server, `drop database ${name} with (force)`)
      await onServer(server, `drop role ${name}`)
      await place.remove()
    }
  })
})
