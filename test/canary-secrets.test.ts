/**
 * Secrets of integrations appear nowhere, for any request, any response of a source, and any form in which
 * a source repeats them. Portbook does not even connect to a source at a forbidden address.
 */

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { IngestionRun } from '../server/integrations/run.ts'
import {
  newCanary,
  startEchoingPostgres,
  startGate,
  startListener,
  type Canary,
  type ListeningPort,
} from './canaries.ts'
import { eventually } from './eventually.ts'
import { newHttpClient, type HttpAnswer } from './http-client.ts'
import { findMissing, startMariadb, type TestMariadb } from './mariadb.ts'
import { onPlace } from './operator.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'
import { runProduct, startProduct } from './process.ts'
import { startScriptedSource, type ScriptedSource } from './scripted-source.ts'
import { newOwner, onDatabase, type Owner } from './sources.ts'
import { onServer, type StorePlace } from './stores.ts'
import { uniqueId, withSession } from './world.ts'

const ENDED_MS_MAX = 60_000
const CHARACTERS_SHOWN = 500
// With more concurrent requests, a busy machine would answer 503.
const AT_ONCE = 4
// These headers would make every response look new.
const CHANGING = ['x-request-id', 'date', 'ratelimit']

/** All output of the product, by location. */
class Seen {
  readonly texts = new Map<string, string>()

  /** Repeated output counts once. */
  note(where: string, text: string): void {
    if (!this.texts.has(text)) this.texts.set(text, where)
  }

  /** Lists the locations of a secret. */
  find({ isIn }: Canary): string[] {
    return [...this.texts]
      .filter(([text]) => isIn(text))
      .map(([text, where]) => `${where}: ${text.slice(0, CHARACTERS_SHOWN)}`)
  }
}

/** An integration with one or more canaries. */
interface Flow {
  name: string
  canaries: Canary[]
  body: Record<string, unknown>
  /** The expected status of its run. */
  status: IngestionRun['status']
}

/** Sources of all kinds; some repeat what they receive. */
interface Sources {
  postgres: TestPostgres
  mariadb: TestMariadb | undefined
  echoing: ListeningPort
  breaking: ListeningPort
  byToken: ScriptedSource
  byClient: ScriptedSource
}

type Ask = (method: string, path: string, body?: unknown) => Promise<HttpAnswer>

let sources: Sources

before(async () => {
  const isHere = findMissing() === undefined
  const [postgres, mariadb, echoing, breaking, byToken, byClient] = await Promise.all([
    startPostgres(),
    isHere ? startMariadb() : undefined,
    startEchoingPostgres('28P01'),
    startEchoingPostgres('XX000'),
    startScriptedSource(),
    startScriptedSource(),
  ])
  sources = { postgres, mariadb, echoing, breaking, byToken, byClient }
})
after(async () => {
  const { postgres, mariadb, ...others } = sources
  await Promise.all([postgres.stop(), mariadb?.stop()])
  for (const source of Object.values(others)) await source.close()
})

test('MariaDB is installed', { skip: process.env['CI'] !== 'true' }, () => {
  assert.equal(findMissing(), undefined)
})

test('finds a canary in every encoding', () => {
  for (const { secret, isIn } of [newCanary(), newCanary({ isPlain: true })]) {
    const encoded = [
      secret,
      secret.toUpperCase(),
      encodeURIComponent(secret),
      new URLSearchParams({ secret }).toString(),
      JSON.stringify(JSON.stringify(secret)),
      Buffer.from(secret).toString('hex'),
      ...['', 'u', 'us'].map((user) => Buffer.from(`${user}:${secret}`).toString('base64')),
      secret.slice(22),
      secret.slice(0, -10),
    ]
    for (const text of encoded) assert.ok(isIn(`before ${text} after`), text)
    assert.ok(!isIn(encodeURIComponent(newCanary().secret)))
  }
})

test('secrets of integrations appear only sealed', async () => {
  await onPlace(async (place) => {
    const owner = await newOwner(place)
    const seen = new Seen()
    const flows = [...(await databaseFlows()), ...catalogFlows()]
    await useEverything(place, owner, flows, seen)
    await lookBehind(place, seen)
    assert.ok(seen.texts.size > flows.length * 10, 'not everything was checked')
    const texts = [...seen.texts.keys()].join('\n')
    assert.ok(texts.includes('•••'), 'the repeated secret of a source was not hidden')
    for (const { name, canaries } of flows) {
      assert.ok(texts.includes(`reader-${name}`), `the public part of ${name} was not found`)
      for (const canary of canaries) assert.deepEqual(seen.find(canary), [], name)
    }
  })
})

/** Creates users with the right password and wrong ones, and servers that repeat it. */
async function databaseFlows(): Promise<Flow[]> {
  const { postgres, mariadb, echoing, breaking } = sources
  const right = newCanary()
  const suffix = uniqueId()
  await onServer(
    postgres.url,
    `create role "reader-right-${suffix}" login password '${right.secret}'`,
  )
  const port = Number(new URL(postgres.url).port)
  const flow = (name: string, at: number, status: Flow['status'], canary = newCanary()): Flow => ({
    name,
    canaries: [canary],
    status,
    body: {
      source: 'postgres',
      configuration: {
        host: '127.0.0.1',
        port: at,
        user: `reader-${name}`,
        database: ['postgres'],
        sslMode: 'disable',
      },
      secrets: { password: canary.secret },
    },
  })
  const flows = [
    flow(`right-${suffix}`, port, 'SUCCESS', right),
    flow('wrong', port, 'FAILED'),
    flow('echoed', echoing.port, 'FAILED'),
    flow('broken', breaking.port, 'FAILED'),
  ]
  if (mariadb === undefined) return flows
  const known = newCanary()
  const user = `reader-maria-${suffix}`
  const text = known.secret.replaceAll('\\', '\\\\')
  await mariadb.execute(
    `create user '${user}'@'127.0.0.1' identified by '${text}'; grant select on *.* to '${user}'@'127.0.0.1'`,
  )
  await mariadb.execute(
    'create database if not exists shop; create table if not exists shop.orders (id int)',
  )
  const body = (canary: Canary, name: string): Flow['body'] => ({
    source: 'mariadb',
    configuration: { host: '127.0.0.1', port: mariadb.port, user: name, ssl: 'off' },
    secrets: { password: canary.secret },
  })
  const wrong = newCanary()
  return [
    ...flows,
    { name: `maria-${suffix}`, canaries: [known], status: 'SUCCESS', body: body(known, user) },
    {
      name: 'maria-wrong',
      canaries: [wrong],
      status: 'FAILED',
      body: body(wrong, 'reader-maria-wrong'),
    },
  ]
}

/**
 * Creates catalogs that accept a token or a client's secret, and repeat it in errors, bodies and addresses.
 */
function catalogFlows(): Flow[] {
  const { byToken, byClient } = sources
  const [token, badToken, client, badClient] = [
    newCanary({ isPlain: true }),
    newCanary(),
    newCanary(),
    newCanary(),
  ]
  for (const source of [byToken, byClient]) {
    source.heal()
    source.state.clear()
    source.state.tables('sales', 5, 'tables')
  }
  byToken.access = { kind: 'token', token: token.secret }
  const header = `Bearer ${token.secret}`
  byToken.fail('table sales.table_0001', { status: 400, body: `no ${header}` })
  byToken.fail('table sales.table_0002', {
    status: 302,
    location: `/x?token=${encodeURIComponent(token.secret)}`,
  })
  byToken.fail('table sales.table_0003', { text: JSON.stringify({ metadata: header }) })
  byToken.fail('table sales.table_0004', { text: `{"broken ${header}` })
  byClient.access = { kind: 'oauth2', clientId: 'reader-client', clientSecret: client.secret }
  const echo = `client_secret=${encodeURIComponent(client.secret)} ${badClient.secret}`
  byClient.fail('token', { status: 400, body: JSON.stringify({ error: echo }) }, 1)
  byClient.fail('tables *', { status: 403, body: echo })
  const flow = (
    name: string,
    status: Flow['status'],
    canary: Canary,
    configuration: object,
    secret: 'token' | 'clientSecret',
  ): Flow => ({
    name,
    canaries: [canary],
    status,
    body: {
      name: `reader-${name}`,
      source: 'iceberg',
      configuration,
      secrets: { [secret]: canary.secret },
    },
  })
  const asToken = { uri: byToken.url, authentication: 'token' }
  const asClient = { uri: byClient.url, authentication: 'oauth2', clientId: 'reader-client' }
  return [
    flow('token', 'SUCCESS', token, asToken, 'token'),
    flow('token-wrong', 'FAILED', badToken, asToken, 'token'),
    flow('client', 'FAILED', client, asClient, 'clientSecret'),
    flow('client-wrong', 'FAILED', badClient, asClient, 'clientSecret'),
  ]
}

/** Calls every endpoint of integrations and runs with every flow, and records every response. */
async function useEverything(
  place: StorePlace,
  owner: Owner,
  flows: readonly Flow[],
  seen: Seen,
): Promise<void> {
  const product = await startProduct({
    ...place.environment,
    PORTBOOK_LOG_LEVEL: 'debug',
    PORTBOOK_WORKERS: '8',
  })
  const client = newHttpClient(product.url, owner.key, { connectionsMax: AT_ONCE })
  const asks: Ask = async (method, path, body) => {
    const asPerson = { ...withSession(owner.session), 'content-type': 'application/json' }
    const more = path.startsWith('/ui') ? { key: null, headers: asPerson } : {}
    const answer = await client.send(method, path, { body, timeoutMs: ENDED_MS_MAX, ...more })
    const headers = Object.entries(answer.headers).filter(([header]) => !CHANGING.includes(header))
    seen.note(`${method} ${path}`, `${answer.text} ${JSON.stringify(headers)}`)
    return answer
  }
  try {
    await Promise.all(flows.map((flow) => useOne(asks, flow)))
    for (const path of [
      '/api/integrations',
      '/api/integrations/ingest',
      '/api/events',
      '/api/assets',
      '/ui/sources',
      '/openapi.json',
      '/metrics',
    ]) {
      await asks('GET', path)
    }
  } finally {
    client.close()
  }
  const ended = await product.stop()
  seen.note('standard output of the server', ended.stdout)
  seen.note('log of the server', ended.stderr)
}

async function useOne(ask: Ask, { name, body, canaries, status }: Flow): Promise<void> {
  const draft = { name: `reader-${name}`, ...body }
  await ask('POST', '/ui/integrations/test', draft)
  await ask('POST', '/ui/integrations/scopes', draft)
  await misplace(ask, '/ui/integrations', 'POST', draft, canaries)
  const created = await ask('POST', '/ui/integrations', draft)
  assert.equal(created.status, 201, created.text)
  const { externalId } = JSON.parse(created.text) as { externalId: string }
  const page = `/ui/integrations/${externalId}`
  await misplace(ask, page, 'PUT', draft, canaries)
  for (const verb of ['test', 'scopes', 'enable', 'disable']) await ask('POST', `${page}/${verb}`)
  await ask('POST', `${page}/test`, draft)
  await ask('PUT', page, draft)
  for (const path of [
    page,
    `/api/integrations/${externalId}`,
    `/api/integrations/ingest/${externalId}`,
  ]) {
    await ask('GET', path)
  }
  for (const begin of [
    () => ask('POST', `${page}/run`, { kind: 'preview' }),
    () => ask('POST', `/api/integrations/ingest/${externalId}/run`),
  ]) {
    const begun = await begin()
    assert.equal(begun.status, 202, begun.text)
    const { ingestionRunId } = JSON.parse(begun.text) as IngestionRun
    const run = await endedRun(ask, externalId, ingestionRunId)
    assert.equal(run.status, status, `${name}: ${run.message}`)
    await lookAtRun(ask, externalId, run)
  }
  await ask('POST', `/api/integrations/ingest/${externalId}/cancel`)
  await ask('DELETE', `${page}?assets=${name.length % 2 === 0 ? 'keep' : 'no'}`)
}

async function endedRun(ask: Ask, externalId: string, runId: string): Promise<IngestionRun> {
  let run: IngestionRun | undefined
  const hasEnded = async (): Promise<boolean> => {
    const { text } = await ask('GET', `/api/integrations/ingest/${externalId}/runs/${runId}`)
    run = JSON.parse(text) as IngestionRun
    return run.status !== 'RUNNING'
  }
  await eventually(ENDED_MS_MAX, hasEnded, 'the run ends')
  assert.ok(run !== undefined)
  return run
}

async function lookAtRun(ask: Ask, externalId: string, run: IngestionRun): Promise<void> {
  for (const base of ['/api/integrations', '/api/integrations/ingest']) {
    await ask('GET', `${base}/${externalId}/runs`)
    await ask('GET', `${base}/${externalId}/runs/${run.ingestionRunId}`)
  }
  const page = `/ui/integrations/${externalId}/runs/${run.ingestionRunId}`
  for (const part of ['scopes', 'changes', 'log']) await ask('GET', `${page}/${part}`)
  for (const verb of ['undo', 'confirm', 'reject']) await ask('POST', `${page}/${verb}`)
}

/** Enters a secret in the wrong field, as people do. */
async function misplace(
  ask: Ask,
  path: string,
  method: string,
  draft: Record<string, unknown>,
  canaries: readonly Canary[],
): Promise<void> {
  for (const { secret } of canaries) {
    const configuration = { ...(draft['configuration'] as object) }
    const url = `https://user:${secret}@db.example/x`
    const wrong: Record<string, unknown>[] = [
      { ...draft, configuration: { ...configuration, password: secret } },
      { ...draft, configuration: { ...configuration, host: url, uri: url } },
      { ...draft, configuration: secret },
      { ...draft, secrets: secret },
      { ...draft, secrets: { password: [secret], token: { secret } } },
      { ...draft, secrets: { passwort: secret } },
      { ...draft, scheduleExpression: secret },
      { ...draft, filters: { include: { schema: secret } } },
      { ...draft, externalId: `a/${secret}` },
      { ...draft, source: secret },
      { ...draft, enabled: secret, version: secret, timeZone: secret },
    ]
    for (const body of wrong) {
      const { status, text } = await ask(method, path, body)
      assert.ok(status === 422 || status === 400, text)
    }
    await ask('POST', '/ui/integrations/test', { ...draft, name: undefined, secrets: secret })
    await ask(method, path, `{"secrets":{"password":${JSON.stringify(secret)}`)
  }
}

/** Reads the database, the export, and the output of the operator's commands. */
async function lookBehind(place: StorePlace, seen: Seen): Promise<void> {
  await onDatabase(place, async (db) => {
    const { rows: tables } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by 1
    `.execute(db)
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(one)::text as row from ${sql.table(name)} as one
      `.execute(db)
      seen.note(`table ${name}`, rows.map(({ row }) => row).join('\n'))
    }
    const sealed = await db.selectFrom('credential').select('sealed').execute()
    assert.ok(sealed.length > 0, 'found no secrets')
  })
  const file = join(tmpdir(), `export-${uniqueId()}`)
  const environment = { ...place.environment, PORTBOOK_LOG_LEVEL: 'debug' }
  const { code, stdout, stderr } = await runProduct(environment, ['export', file])
  assert.equal(code, 0, stdout)
  seen.note('export', stdout + stderr)
  seen.note('export file', await readFile(file, 'utf8'))
}

describe('a forbidden address', () => {
  // Each run starts a process; the tests of the dialer cover all spellings.
  const SPELLINGS = ['127.0.0.1', '2130706433', 'localhost', '[::ffff:7f00:1]', '0.0.0.0']

  test('PORTBOOK_PRIVATE_SOURCES=deny › tests, previews and runs make no connection', async () => {
    await onPlace(async (place) => {
      const owner = await newOwner(place)
      const listener = await startListener((socket) => socket.end())
      const environment = {
        ...place.environment,
        PORTBOOK_PRIVATE_SOURCES: 'deny',
        PORTBOOK_WORKERS: '8',
      }
      try {
        await withAsk(environment, owner, async (ask) => {
          await Promise.all(
            SPELLINGS.flatMap((host) => bodiesFor(host, listener.port)).map((body) =>
              assertRefusedEverywhere(ask, body),
            ),
          )
        })
        assert.equal(listener.count(), 0)
      } finally {
        await listener.close()
      }
    })
  })

  test("the catalog's own store › is no source, and is not connected to as one", async () => {
    await onPlace(async (place) => {
      const owner = await newOwner(place)
      const gate = await startGate(place.environment['DATABASE_URL'] ?? '', 'intruder')
      const throughGate = new URL(place.environment['DATABASE_URL'] ?? '')
      throughGate.host = `127.0.0.1:${gate.port}`
      const environment = {
        ...place.environment,
        DATABASE_URL: throughGate.href,
        PORTBOOK_PRIVATE_SOURCES: 'allow',
      }
      try {
        await withAsk(environment, owner, async (ask) => {
          const bodies = SPELLINGS.map((host) => postgresBody(host, gate.port))
          await Promise.all(bodies.map((body) => assertRefusedEverywhere(ask, body)))
        })
        assert.equal(gate.count(), 0)
      } finally {
        await gate.close()
      }
    })
  })
})

function postgresBody(host: string, port: number): Record<string, unknown> {
  return {
    name: 'Intruder',
    source: 'postgres',
    configuration: { host, port, user: 'intruder', database: ['postgres'], sslMode: 'disable' },
    secrets: { password: 'intruder' },
  }
}

function bodiesFor(host: string, port: number): Record<string, unknown>[] {
  const inUrl = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return [
    postgresBody(host, port),
    {
      ...postgresBody(host, port),
      source: 'mariadb',
      configuration: { host, port, user: 'intruder', ssl: 'off' },
    },
    {
      ...postgresBody(host, port),
      source: 'iceberg',
      configuration: { uri: `http://${inUrl}:${port}/catalog` },
      secrets: {},
    },
  ]
}

async function withAsk(
  environment: Record<string, string>,
  { session }: Owner,
  use: (ask: Ask) => Promise<void>,
): Promise<void> {
  const product = await startProduct(environment)
  const client = newHttpClient(product.url, undefined, { connectionsMax: AT_ONCE })
  const headers = { ...withSession(session), 'content-type': 'application/json' }
  try {
    await use((method, path, body) =>
      client.send(method, path, { body, headers, timeoutMs: ENDED_MS_MAX }),
    )
  } finally {
    client.close()
    await product.stop()
  }
}

/** Checks that no request reaches the source: tests and previews report it, and a run fails. */
async function assertRefusedEverywhere(ask: Ask, body: Record<string, unknown>): Promise<void> {
  const described = JSON.stringify(body['configuration'])
  const tried = await ask('POST', '/ui/integrations/test', body)
  if (tried.status === 422) return
  assert.equal(tried.status, 200, tried.text)
  assert.equal((JSON.parse(tried.text) as { ok: boolean }).ok, false, described)
  const { problem } = JSON.parse((await ask('POST', '/ui/integrations/scopes', body)).text) as {
    problem: string | null
  }
  assert.notEqual(problem, null, described)
  const created = await ask('POST', '/ui/integrations', { ...body, externalId: `i-${uniqueId()}` })
  assert.equal(created.status, 201, created.text)
  const { externalId } = JSON.parse(created.text) as { externalId: string }
  assert.equal((await ask('POST', `/ui/integrations/${externalId}/run`, {})).status, 202)
  let run: IngestionRun | undefined
  const hasEnded = async (): Promise<boolean> => {
    const form = await ask('GET', `/ui/integrations/${externalId}`)
    run = (JSON.parse(form.text) as { latestRun: IngestionRun }).latestRun
    return run.status !== 'RUNNING'
  }
  await eventually(ENDED_MS_MAX, hasEnded, `the run of ${described} ends`)
  assert.equal(run?.status, 'FAILED', `${described}: ${run?.message}`)
  const log = await ask('GET', `/ui/integrations/${externalId}/runs/${run.ingestionRunId}/log`)
  assert.match(log.text, /Attempt 1 began/)
  assert.doesNotMatch(log.text, /The run continues in/, `${described} was tried again`)
}
