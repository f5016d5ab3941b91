/**
 * Secrets of integrations appear nowhere, for any request, any response of a source, and any form in which
 * a source repeats them.
 */

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { api } from '../server/api.ts'
import type { IngestionRun } from '../server/integrations/run.ts'
import { countSealedOtherwise } from '../server/sealed-secrets.ts'
import { ui } from '../server/ui.ts'
import { newCanary, type Canary } from './canaries.ts'
import { createCatalogFlows, createDatabaseFlows, startSources, type Flow } from './canary-flows.ts'
import { eventually } from './eventually.ts'
import { newHttpClient, type HttpAnswer } from './http-client.ts'
import { findMissing } from './mariadb.ts'
import { onPlace } from './operator.ts'
import { runProduct, startProduct } from './process.ts'
import { newOwner, onDatabase, type Owner } from './sources.ts'
import type { StorePlace } from './stores.ts'
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

type Ask = (method: string, path: string, body?: unknown) => Promise<HttpAnswer>

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

test('secrets of integrations appear only sealed', async (t) => {
  await onPlace(async (place) => {
    const owner = await newOwner(place)
    const seen = new Seen()
    const sources = await startSources()
    t.after(sources.close)
    const flows = [...(await createDatabaseFlows(sources)), ...createCatalogFlows(sources)]
    await useEverything(place, owner, flows, seen)
    await lookBehind(place, seen)
    assert.ok(seen.texts.size > flows.length * 10, 'not everything was checked')
    const texts = [...seen.texts.keys()].join('\n')
    assert.ok(texts.includes('•••'), 'the repeated secret of a source was not hidden')
    for (const { name, canary } of flows) {
      assert.ok(texts.includes(`reader-${name}`), `the public part of ${name} was not found`)
      assert.deepEqual(seen.find(canary), [], name)
    }
  })
})

/** A kind of secret that people enter or get once, and that is then stored only sealed or as a hash. */
interface SecretKind {
  name: string
  /** Enters a new secret, or gets one; the answers of these requests may contain it. */
  plant(client: SecretClient): Promise<Canary>
}

/** Requests whose answers are not recorded. */
interface SecretClient {
  send(method: string, path: string, body?: unknown): Promise<{ text: string; cookies: string }>
}

const CHANNEL = '/api/teams/platform/notification-channels/secrets'

/** **Every kind of secret** that is no credential of a source. */
const SECRET_KINDS: readonly SecretKind[] = [
  {
    name: 'address of a notification channel',
    async plant({ send }) {
      const canary = newCanary({ isPlain: true })
      const endpoint = `https://hooks.chat.example/${encodeURIComponent(canary.secret)}`
      await send('PUT', CHANNEL, { name: 'C', type: 'slack', endpoint, enabled: false })
      await send('GET', CHANNEL)
      return canary
    },
  },
  {
    name: 'signing secret of a webhook',
    plant: async ({ send }) => {
      const url = 'https://192.0.2.1/webhook'
      const { text } = await send('POST', '/api/webhooks', { name: 'W', url, eventTypes: [] })
      return findIn(text, /whsec_([\w+/=]+)/)
    },
  },
  {
    name: 'API key',
    plant: async ({ send }) => {
      const key = { scope: 'team_read', teamId: 'platform', displayName: 'K' }
      const { text } = await send('POST', '/api/api-keys', key)
      return findIn(text, /(pbk_\w{20,})/)
    },
  },
  {
    name: 'link of an invitation',
    plant: async ({ send }) => {
      const invitation = { email: 'invited@example.test', role: 'Member' }
      const { text } = await send('POST', '/ui/invitations', invitation)
      return findIn(text, /#([\w-]{20,})/)
    },
  },
  {
    name: 'password and session',
    async plant({ send }) {
      const { text } = await send('POST', '/ui/invitations', {
        email: 'person@example.test',
        role: 'Owner',
      })
      const token = /#([\w-]{20,})/.exec(text)?.[1]
      const canary = newCanary()
      await send('POST', '/ui/invitations/accept', { token, name: 'P', password: canary.secret })
      return canary
    },
  },
]

test('secrets of people and receivers are stored only sealed or as hashes', async () => {
  await onPlace(async (place) => {
    const owner = await newOwner(place)
    const seen = new Seen()
    const environment = { ...place.environment, PORTBOOK_LOG_LEVEL: 'debug' }
    const product = await startProduct(environment)
    const client = newHttpClient(product.url, owner.key, { connectionsMax: AT_ONCE })
    const send = async (method: string, path: string, body?: unknown): Promise<HttpAnswer> => {
      const asPerson = { ...withSession(owner.session), 'content-type': 'application/json' }
      const more = path.startsWith('/ui') ? { key: null, headers: asPerson } : {}
      return await client.send(method, path, { body, timeoutMs: ENDED_MS_MAX, ...more })
    }
    const secrets: { name: string; canary: Canary }[] = []
    const planting: SecretClient = {
      async send(method, path, body) {
        const answer = await send(method, path, body)
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`)
        return { text: answer.text, cookies: String(answer.headers['set-cookie'] ?? '') }
      },
    }
    try {
      await planting.send('PUT', '/api/teams/platform', { id: 'platform', name: 'Platform' })
      const reader = { scope: 'team_read', teamId: 'platform', displayName: 'Reader' }
      const { text } = await planting.send('POST', '/api/api-keys', reader)
      const readerKey = /pbk_\w{20,}/.exec(text)?.[0] ?? ''
      for (const { name, plant } of SECRET_KINDS) {
        secrets.push({ name, canary: await plant(planting) })
      }
      for (const path of [...listedPaths(), CHANNEL]) {
        const options = { key: readerKey, timeoutMs: ENDED_MS_MAX }
        seen.note(`GET ${path} by a reader`, (await client.send('GET', path, options)).text)
        if (path !== CHANNEL && !path.endsWith('/notification-channels')) {
          seen.note(`GET ${path} by the owner`, (await send('GET', path)).text)
        }
      }
    } finally {
      client.close()
    }
    const ended = await product.stop()
    seen.note('standard output of the server', ended.stdout)
    seen.note('log of the server', ended.stderr)
    await lookBehind(place, seen)
    const texts = [...seen.texts.keys()].join('\n')
    assert.ok(texts.includes('hooks.chat.example/***'), 'the channel was not checked')
    for (const { name, canary } of secrets) assert.deepEqual(seen.find(canary), [], name)
  })
})

/** Lists the addresses of the API without parameters, and those of the team with the secrets. */
function listedPaths(): string[] {
  return [...api, ...ui]
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replaceAll(/\{id\}/g, 'platform'))
    .filter((path) => !path.includes('{'))
}

function findIn(text: string, pattern: RegExp): Canary {
  const secret = pattern.exec(text)?.[1]
  assert.ok(secret !== undefined, text)
  return { secret, isIn: (one) => one.includes(secret) }
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

async function useOne(ask: Ask, { name, body, canary, status }: Flow): Promise<void> {
  const draft = { name: `reader-${name}`, ...body }
  await ask('POST', '/ui/integrations/test', draft)
  await ask('POST', '/ui/integrations/scopes', draft)
  await misplace(ask, '/ui/integrations', 'POST', draft, canary)
  const created = await ask('POST', '/ui/integrations', draft)
  assert.equal(created.status, 201, created.text)
  const { externalId } = JSON.parse(created.text) as { externalId: string }
  const page = `/ui/integrations/${externalId}`
  await misplace(ask, page, 'PUT', draft, canary)
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
  { secret }: Canary,
): Promise<void> {
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
    const count = await countSealedOtherwise(db, { keyId: 'no key has this ID' })
    assert.ok(count > 0, 'found no secrets')
  })
  const folder = join(tmpdir(), `backup-${uniqueId()}`)
  const file = join(tmpdir(), `export-${uniqueId()}`)
  const environment = { ...place.environment, PORTBOOK_LOG_LEVEL: 'debug' }
  const { code, stdout, stderr } = await runProduct(environment, ['export', file])
  assert.equal(code, 0, stdout)
  seen.note('export', stdout + stderr)
  seen.note('export file', await readFile(file, 'utf8'))
  const backup = await runProduct(environment, ['backup', folder])
  assert.equal(backup.code, 0, backup.stdout)
  seen.note('backup', backup.stdout + backup.stderr)
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name))
    seen.note(`backup file ${name}`, (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString())
  }
}
