/** An integration with a platform's scripted server, whose runs are published to a real store. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Connector } from '../../server/connectors/connector.ts'
import { upsertSecrets } from '../../server/ingestion/integrations/credential-store.ts'
import { toSecretContext } from '../../server/ingestion/integrations/service.ts'
import { storeClock } from '../../server/platform/kit/clock.ts'
import type { Store } from '../../server/store.ts'
import { getCounts, newIngestionWorld, type IngestionWorld } from '../ingestion.ts'
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts'
import type { Platform, PlatformServer } from './platform.ts'

/** An integration with its source. */
export interface RunWorld {
  world: IngestionWorld
  platform: Platform
  server: PlatformServer
  proxy: FaultProxy
  /** Adds to the configuration of the integration. */
  configure(more: Record<string, unknown>): Promise<void>
  /** Runs the integration to its end; returns its status and its counts. */
  run(): Promise<[status: string, ...counts: number[]]>
  /** Runs the integration to its end; returns its status and the states of its scopes by their paths as JSON. */
  runWithScopes(): Promise<{ status: string; scopes: Map<string, ScopeState> }>
  /** Everything that a run may write: the assets with their versions, and the numbers of revisions and events. */
  snapshot(): Promise<unknown>
}

/** The state of a scope in a run. */
export interface ScopeState {
  state: string
  message: string | null
}

/** Creates an integration. Waits before retries end at once. */
export async function newRunWorld(
  t: TestContext,
  store: Store,
  platform: Platform,
): Promise<RunWorld> {
  const server = await platform.startServer()
  const proxy = await startFaultProxy(server.url, { paging: platform.paging })
  server.acceptProxy(proxy.url, false)
  t.after(async () => {
    await proxy.close()
    await server.close()
  })
  const world = await newIngestionWorld(store)
  const connector: Connector = {
    ...platform.connector,
    open: async (setup) => await platform.open(setup, async () => undefined),
  }
  world.engine.connectors = new Map([['scripted', connector]])
  await configure(world, platform, proxy.url)
  return {
    world,
    platform,
    server,
    proxy,
    configure: async (more) => await configure(world, platform, proxy.url, more),
    async run() {
      const run = await world.run()
      return [run.status, ...getCounts(run)]
    },
    async runWithScopes() {
      const { id, status } = await world.run()
      const { rows } = await sql<ScopeState & { scope: string }>`
        select scope, state, message from ingestion_scope
        where organization_id = ${world.organizationId} and run_id = ${id}
      `.execute(world.engine.db)
      return { status, scopes: new Map(rows.map(({ scope, ...state }) => [scope, state])) }
    },
    async snapshot() {
      const { organizationId, engine } = world
      const { rows } = await sql<{ revisions: number }>`
        select count(*) as revisions from revision where organization_id = ${organizationId}
      `.execute(engine.db)
      return [await world.assets(), rows, await world.eventCount()]
    },
  }
}

async function configure(
  world: IngestionWorld,
  platform: Platform,
  url: string,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { engine, organizationId, integrationId } = world
  const { configuration, secrets } = platform.configure(url)
  const box = engine.secretBox
  for (const [field, secret] of Object.entries(secrets)) {
    const place = { organizationId, integrationId, field }
    const sealed = box.seal(secret, toSecretContext(place))
    const credentials = { organizationId, integrationId, keyId: box.keyId }
    await upsertSecrets(engine.db, storeClock, credentials, [{ field, sealed }])
  }
  await sql`
    update integration set configuration = ${JSON.stringify({ ...configuration, ...more })}::jsonb
    where id = ${integrationId}
  `.execute(engine.db)
}

/** Finds the reader that has this text in its environment. The shell next to it has the same environment. */
export function findReader(environment: string): number | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const isNode = readlinkSync(`/proc/${pid}/exe`).endsWith('/node')
        return isNode && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(environment)
      } catch {
        // The process has ended, or belongs to another user.
        return false
      }
    })
}
