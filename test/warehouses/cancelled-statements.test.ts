/**
 * Counts the statements that still run at a platform after a run or a check has ended early: none. The limits of
 * the readers are long, so that no load on this machine ends one before it has cancelled its statement.
 */

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Connector } from '../../server/connectors/connector.ts'
import { isolateConnectors } from '../../server/connectors/source-process/isolated-connectors.ts'
import type { ActiveRun } from '../../server/ingestion/attempt-service.ts'
import { cancelRun } from '../../server/ingestion/run-store.ts'
import { storeClock } from '../../server/kit/clock.ts'
import type { Store } from '../../server/store.ts'
import { eventually } from '../eventually.ts'
import { newSetup } from '../source-reading.ts'
import { onStore } from '../stores.ts'
import type { Platform, PlatformServer } from './platform.ts'
import { PLATFORMS } from './platforms.ts'
import { newRunWorld, type RunWorld } from './run-world.ts'

const LIMIT_MS = 30_000
const GRACE_MS = 60_000
// `other` is listed first: its failure ends the reading of `sales`.
const CONTENTS = { other: [{ name: 'notes' }], sales: [{ name: 'orders' }] }

type LongStatements = NonNullable<Platform['longStatements']>
type Statements = NonNullable<PlatformServer['statements']>

/** A world whose sources are read in processes. */
interface LongWorld {
  source: RunWorld
  connector: Connector
  statements: Statements
  long: LongStatements
}

async function startLong(t: TestContext, store: Store, platform: Platform): Promise<LongWorld> {
  const source = await newRunWorld(t, store, platform)
  const { statements } = source.server
  const long = platform.longStatements
  assert.ok(statements !== undefined && long !== undefined)
  await source.configure(long.configuration)
  source.server.setContents(CONTENTS)
  const { connector } = platform
  const connectors = new Map([[connector.source, connector]])
  const isolated = isolateConnectors(connectors, { graceMs: GRACE_MS }).get(connector.source)
  assert.ok(isolated !== undefined)
  source.world.engine.connectors = new Map([['scripted', isolated]])
  return { source, connector: isolated, statements, long }
}

/** Starts a run, ends it while a statement runs, and waits until no statement runs. */
async function endEarly(
  { source, statements }: LongWorld,
  held: string,
  kind: 'ingest' | 'preview',
  end: (run: { id: string; working: ActiveRun }) => unknown,
): Promise<void> {
  statements.hold(held)
  const id = (await source.world.trigger({ kind })) ?? ''
  const { working } = await source.world.start()
  await untilRunning(statements)
  await end({ id, working })
  await working.done
  await untilCancelled(statements)
  // The tests share a queue, in which a run without an end would be the next one.
  await sql`delete from ingestion_run where id = ${id}`.execute(source.world.engine.db)
}

async function untilRunning({ countRunning }: Statements): Promise<void> {
  await eventually(LIMIT_MS, async () => countRunning() > 0, 'a statement runs')
}

async function untilCancelled({ countRunning, countCancelled }: Statements): Promise<void> {
  await eventually(LIMIT_MS, async () => countRunning() === 0, 'no statement runs')
  assert.ok(countCancelled() > 0)
}

async function cancel({ world }: RunWorld): Promise<void> {
  await cancelRun(world.engine.db, storeClock, world.organizationId, world.integrationId)
}

/** The ways to end a run early. */
const ENDS: Readonly<Record<string, (world: LongWorld) => Promise<void>>> = {
  async 'a cancel during the listing'(world) {
    const { listing } = world.long.steps
    if (listing === undefined) return
    await endEarly(world, listing, 'ingest', () => cancel(world.source))
  },

  async 'a cancel during a reading'(world) {
    const { source, long } = world
    await endEarly(world, long.steps.reading, 'ingest', async ({ id, working }) => {
      await cancel(source)
      await working.done
      assert.equal((await source.world.find(id)).status, 'CANCELLED')
    })
  },

  async 'a cancel of a preview'(world) {
    await endEarly(world, world.long.steps.reading, 'preview', () => cancel(world.source))
  },

  async 'the stop of the server'(world) {
    const { reading } = world.long.steps
    await endEarly(world, reading, 'ingest', ({ working }) => working.handBack())
  },

  async 'the loss of the lease'(world) {
    const { db } = world.source.world.engine
    await endEarly(world, world.long.steps.reading, 'ingest', async ({ id, working }) => {
      await sql`update ingestion_run set fence = fence + 1 where id = ${id}`.execute(db)
      working.look()
    })
  },

  async 'the failure of another scope'(world) {
    const { source, statements, long } = world
    statements.hold(long.steps.reading)
    source.proxy.fail(long.failure, { status: 503 })
    await source.world.run()
    await untilCancelled(statements)
  },

  async 'the end of a check'({ source, connector, statements, long }) {
    const { check } = long.steps
    if (check === undefined) return
    statements.hold(check)
    const ending = new AbortController()
    const { configuration, secrets } = source.platform.configure(source.proxy.url)
    const checking = connector.check(
      newSetup({
        configuration: connector.description.configuration.parse({
          ...configuration,
          ...long.configuration,
        }),
        secrets,
        signal: ending.signal,
      }),
    )
    await untilRunning(statements)
    ending.abort()
    await checking.catch(() => undefined)
    await untilCancelled(statements)
  },
}

onStore((store) => {
  for (const platform of PLATFORMS.filter(({ longStatements }) => longStatements !== undefined)) {
    for (const [name, run] of Object.entries(ENDS)) {
      test(`${platform.connector.source} › ${name} leaves no statement running`, async (t) => {
        await run(await startLong(t, store(), platform))
      })
    }
  }
})
