/** Integrations whose secrets tests look for everywhere, and the sources that they connect to. */

import type { IngestionRun } from '../server/ingestion/integrations/run.ts'
import { newCanary, startEchoingPostgres, type Canary, type ListeningPort } from './canaries.ts'
import { findMissing, startMariadb, type TestMariadb } from './mariadb.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'
import { startScriptedSource, type ScriptedSource } from './scripted-source.ts'
import { onServer } from './stores.ts'
import { uniqueId } from './world.ts'

/** An integration with a secret that must not leak. */
export interface Flow {
  name: string
  canary: Canary
  body: Record<string, unknown>
  /** The expected status of its run. */
  status: IngestionRun['status']
}

/** Sources of all kinds; some repeat what they receive. */
export interface Sources {
  postgres: TestPostgres
  mariadb: TestMariadb | undefined
  echoing: ListeningPort
  breaking: ListeningPort
  byToken: ScriptedSource
  byClient: ScriptedSource
  close(): Promise<void>
}

/** Starts all sources. MariaDB is missing if it is not installed. */
export async function startSources(): Promise<Sources> {
  const isHere = findMissing() === undefined
  const [postgres, mariadb, echoing, breaking, byToken, byClient] = await Promise.all([
    startPostgres(),
    isHere ? startMariadb() : undefined,
    startEchoingPostgres('28P01'),
    startEchoingPostgres('XX000'),
    startScriptedSource(),
    startScriptedSource(),
  ])
  return {
    postgres,
    mariadb,
    echoing,
    breaking,
    byToken,
    byClient,
    async close() {
      await Promise.all([postgres.stop(), mariadb?.stop()])
      for (const source of [echoing, breaking, byToken, byClient]) await source.close()
    },
  }
}

/** Creates users with the right password and wrong ones, and servers that repeat it. */
export async function createDatabaseFlows({
  postgres,
  mariadb,
  echoing,
  breaking,
}: Sources): Promise<Flow[]> {
  const right = newCanary()
  const suffix = uniqueId()
  await onServer(
    postgres.url,
    `create role "reader-right-${suffix}" login password '${right.secret}'`,
  )
  const port = Number(new URL(postgres.url).port)
  const flow = (name: string, at: number, status: Flow['status'], canary = newCanary()): Flow => ({
    name,
    canary,
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
    { name: `maria-${suffix}`, canary: known, status: 'SUCCESS', body: body(known, user) },
    {
      name: 'maria-wrong',
      canary: wrong,
      status: 'FAILED',
      body: body(wrong, 'reader-maria-wrong'),
    },
  ]
}

/**
 * Creates catalogs that accept a token or a client's secret, and repeat it in errors, bodies and addresses.
 */
export function createCatalogFlows({ byToken, byClient }: Sources): Flow[] {
  const [token, badToken, client, badClient] = [
    newCanary({ isPlain: true }),
    newCanary(),
    newCanary(),
    newCanary(),
  ]
  for (const source of [byToken, byClient]) {
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
    canary,
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
