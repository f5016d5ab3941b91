/**
 * Secrets of integrations appear nowhere, for any request, any response of a source, and any form in which
 * a source repeats them.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IngestionRun } from '../server/ingestion/integrations/run.ts'
import { newCanary, type Canary } from './canaries.ts'
import { createCatalogFlows, createDatabaseFlows, startSources, type Flow } from './canary-flows.ts'
import { eventually } from './eventually.ts'
import { newHttpClient, type HttpAnswer } from './http-client.ts'
import { findMissing } from './mariadb.ts'
import { onPlace } from './operator.ts'
import { startProduct } from './process.ts'
import { lookBehind, Seen } from './secret-places.ts'
import { newOwner, type Owner } from './sources.ts'
import type { StorePlace } from './stores.ts'
import { withSession } from './world.ts'

const ENDED_MS_MAX = 60_000
// With more concurrent requests, a busy machine would answer 503.
const AT_ONCE = 4
// These headers would make every response look new.
const CHANGING = ['x-request-id', 'date', 'ratelimit']

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
