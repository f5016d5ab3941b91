/**
 * Counts the statements that still run at a platform after a run or a check has ended early: none. The limits of
 * the readers are long, so that no load on this machine ends one before it has cancelled its statement.
 */

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Connector, Setup } from '../../server/connectors/connector.ts'
import { isolateConnectors } from '../../server/connectors/source-process/isolated-connectors.ts'
import type { ActiveRun } from '../../server/ingestion/runs/attempt-service.ts'
import { cancelRun } from '../../server/ingestion/runs/run-store.ts'
import { storeClock } from '../../server/platform/kit/clock.ts'
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

/** A way to end a run or a check early, while the statement of a step runs. */
interface End {
  step: keyof LongStatements['steps']
  /** `held` is a part of the statement. */
  run(world: LongWorld, held: string): Promise<void>
}

const ENDS: Readonly<Record<string, End>> = {
  'a cancel during the listing': {
    step: 'listing',
    run: async (world, held) => await endEarly(world, held, 'ingest', () => cancel(world.source)),
  },

  'a cancel during a reading': {
    step: 'reading',
    async run(world, held) {
      const { source } = world
      await endEarly(world, held, 'ingest', async ({ id, working }) => {
        await cancel(source)
        await working.done
        assert.equal((await source.world.find(id)).status, 'CANCELLED')
      })
    },
  },

  'a cancel of a preview': {
    step: 'reading',
    run: async (world, held) => await endEarly(world, held, 'preview', () => cancel(world.source)),
  },

  'the stop of the server': {
    step: 'reading',
    run: async (world, held) =>
      await endEarly(world, held, 'ingest', ({ working }) => working.handBack()),
  },

  'the loss of the lease': {
    step: 'reading',
    async run(world, held) {
      const { db } = world.source.world.engine
      await endEarly(world, held, 'ingest', async ({ id, working }) => {
        await sql`update ingestion_run set fence = fence + 1 where id = ${id}`.execute(db)
        working.look()
      })
    },
  },

  'the failure of another scope': {
    step: 'reading',
    async run({ source, statements, long }, held) {
      statements.hold(held)
      source.proxy.fail(long.failure, { status: 503 })
      await source.world.run()
      await untilCancelled(statements)
    },
  },

  'the end of a check': {
    step: 'check',
    async run(world, held) {
      const { connector, statements } = world
      statements.hold(held)
      const ending = new AbortController()
      const checking = connector.check(newLongSetup(world, ending.signal))
      await untilRunning(statements)
      ending.abort()
      await checking.catch(() => undefined)
      await untilCancelled(statements)
    },
  },
}

function newLongSetup({ source, connector, long }: LongWorld, signal: AbortSignal): Setup {
  const { configuration, secrets } = source.platform.configure(source.proxy.url)
  const settings = { ...configuration, ...long.configuration }
  return newSetup({
    configuration: connector.description.configuration.parse(settings),
    secrets,
    signal,
  })
}

/** The steps in which some platforms run no statement; each ends although every statement is held. */
const STEPS: Readonly<Record<string, (world: LongWorld, signal: AbortSignal) => Promise<unknown>>> =
  {
    async listing(world, signal) {
      const session = await world.connector.open(newLongSetup(world, signal))
      const scopes = await Array.fromAsync(session.scopes())
      await session.close()
      assert.ok(scopes.length > 0)
    },
    check: async (world, signal) => await world.connector.check(newLongSetup(world, signal)),
  }

onStore((store) => {
  for (const platform of PLATFORMS.filter(({ longStatements }) => longStatements !== undefined)) {
    const { source } = platform.connector
    for (const [name, { step, run }] of Object.entries(ENDS)) {
      const held = platform.longStatements?.steps[step]
      if (held === undefined) continue
      test(`${source} › ${name} leaves no statement running`, async (t) => {
        await run(await startLong(t, store(), platform), held)
      })
    }

    for (const [step, run] of Object.entries(STEPS)) {
      if (platform.longStatements?.steps[step as End['step']] !== undefined) continue
      test(`${source} › needs no statement for the step ${step}, so none can be left running`, async (t) => {
        const world = await startLong(t, store(), platform)
        world.statements.hold('')
        await run(world, AbortSignal.timeout(LIMIT_MS))
        assert.equal(world.statements.countRunning(), 0)
      })
    }
  }
})
