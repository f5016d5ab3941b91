/** Portbook never connects to a source at a forbidden address, whichever way it is asked to. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IngestionRun } from '../server/ingestion/integrations/run.ts'
import { startGate, startListener } from './canaries.ts'
import { eventually } from './eventually.ts'
import { newHttpClient, type HttpAnswer } from './http-client.ts'
import { onPlace } from './operator.ts'
import { startProduct } from './process.ts'
import { newOwner, type Owner } from './sources.ts'
import { uniqueId, withSession } from './world.ts'

type Ask = (method: string, path: string, body?: unknown) => Promise<HttpAnswer>

const ENDED_MS_MAX = 60_000
// With more concurrent requests, a busy machine would answer 503.
const AT_ONCE = 4
// Each attempt starts a process. The tests of the dialer cover all spellings.
const SPELLINGS = ['127.0.0.1', 'localhost']

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

test("the catalog's own store › is refused as a source, without a connection to it", async () => {
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
