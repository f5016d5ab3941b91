/**
 * The promises that every connector keeps on a real peer: an unchanged source is read identically, a change is
 * shown exactly, a cancelled run ends, a second run writes nothing, and a killed reader leaves no trace.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Connector, SourceAsset } from '../../server/connectors/connector.ts'
import { NO_FILTERS, type Filters } from '../../server/connectors/filter.ts'
import { isolateConnectors } from '../../server/connectors/source-process/isolated-connectors.ts'
import { getCounts, newIngestionWorld } from '../ingestion.ts'
import {
  catchFailure,
  newSetup,
  readSource,
  readWithAnotherSession,
  type SourceReading,
} from '../source-reading.ts'
import { openTestStore } from '../stores.ts'

/** Paths of assets, joined by dots. */
export interface AssetChanges {
  created: string[]
  updated: string[]
  deleted: string[]
}

/** A source on a peer with some contents. */
export interface PeerScene {
  configuration: Record<string, unknown>
  secrets: Record<string, string>
  /** Includes only this scene, because tests share the peer. */
  include?: Filters['include'] | undefined
  /** The number of deleted tables of which the peer does not prove that they are gone. */
  unprovenCount?: number
  /** Changes the contents: some assets are created, updated and deleted. */
  change(): Promise<AssetChanges>
  /** Stalls the answers in the middle of the next reading. */
  stall(): { reached: Promise<unknown>; release(): void }
}

/** Creates the setup of a scene. */
export function toSetup(
  connector: Connector,
  { configuration, secrets, include }: Omit<PeerScene, 'change' | 'stall'>,
  signal?: AbortSignal,
): ReturnType<typeof newSetup> {
  return newSetup({
    configuration: connector.description.configuration.parse(configuration),
    secrets,
    filters: { ...NO_FILTERS, ...(include === undefined ? {} : { include }) },
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Compares two readings without statistics. */
export function compareReadings(before: SourceReading, after: SourceReading): AssetChanges {
  const [old, current] = [before, after].map(indexAssets)
  assert.ok(old !== undefined && current !== undefined)
  return {
    created: [...current.keys()].filter((path) => !old.has(path)).toSorted(),
    updated: [...current]
      .filter(([path, asset]) => old.has(path) && !isDeepStrictEqual(asset, old.get(path)))
      .map(([path]) => path)
      .toSorted(),
    deleted: [...old.keys()].filter((path) => !current.has(path)).toSorted(),
  }
}

function indexAssets({ assets, outcomes, unreadable }: SourceReading): Map<string, SourceAsset> {
  assert.deepEqual(unreadable, [])
  assert.deepEqual(
    outcomes.flatMap(({ failure }) => failure?.message ?? []),
    [],
  )
  return new Map(
    assets.map((asset) => {
      const compared = { ...asset }
      delete compared.statistic
      return [asset.path.join('.'), compared]
    }),
  )
}

/** Defines the tests of the promises; `create` sets up a new scene for each. */
export function definePeerPromises(connector: Connector, create: () => Promise<PeerScene>): void {
  const read = (scene: PeerScene): Promise<SourceReading> =>
    readSource(connector, toSetup(connector, scene))

  test(`${connector.source} › reads an unchanged source identically, and shows exactly a change`, async () => {
    const scene = await create()
    const [first, second] = [await read(scene), await read(scene)]
    assert.ok(first.assets.length > 0)
    assert.deepEqual(compareReadings(first, second), { created: [], updated: [], deleted: [] })
    const changes = await scene.change()
    assert.deepEqual(compareReadings(second, await read(scene)), changes)
  })

  test(`${connector.source} › another session than the listing's reads the same`, async () => {
    const scene = await create()
    const assets = await readWithAnotherSession(connector, toSetup(connector, scene))
    const again = { ...(await read(scene)), assets }
    const changes = { created: [], updated: [], deleted: [] }
    assert.deepEqual(compareReadings(await read(scene), again), changes)
  })

  test(`${connector.source} › the check of a readable source finds no error`, async () => {
    const findings = await connector.check(toSetup(connector, await create()))
    assert.deepEqual(
      findings.filter(({ state }) => state === 'error'),
      [],
    )
    assert.ok(findings.some(({ state }) => state === 'ok'))
  })

  test(`${connector.source} › ends at once when the run is cancelled`, async () => {
    const scene = await create()
    const abort = new AbortController()
    const stalled = scene.stall()
    const reading = readSource(connector, toSetup(connector, scene, abort.signal))
    await stalled.reached
    abort.abort()
    assert.equal((await catchFailure(reading)).kind, 'cancelled')
    stalled.release()
  })

  test(`${connector.source} › a second run writes nothing, and a reader killed in mid-run changes nothing`, async (t) => {
    const scene = await create()
    const store = await openTestStore()
    t.after(() => store.close())
    const mark = randomUUID()
    const isolated = isolateConnectors(new Map([[connector.source, connector]]), {
      environment: { PORTBOOK_READER: mark },
    }).get(connector.source)
    assert.ok(isolated !== undefined)
    const { configuration, secrets, include = {} } = scene
    const filters = { ...NO_FILTERS, include }
    const real = { connector: isolated, configuration: { ...configuration, filters }, secrets }
    const world = await newIngestionWorld(store, { real })
    const first = await world.run()
    assert.equal(first.status, 'SUCCESS', String(first.message))
    const [created = 0, ...others] = getCounts(first)
    assert.ok(created > 0)
    assert.deepEqual(others, [0, 0, 0])
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 0])
    const before = { assets: await world.assets(), events: await world.eventCount() }

    await scene.change()
    const stalled = scene.stall()
    const id = await world.trigger()
    const { working } = await world.start()
    await stalled.reached
    process.kill(findReader(mark), 'SIGKILL')
    await working.done
    stalled.release()
    assert.ok(id !== undefined)
    assert.equal((await world.find(id)).status, 'FAILED')
    assert.deepEqual({ assets: await world.assets(), events: await world.eventCount() }, before)

    const next = await world.run()
    assert.equal(next.status, 'SUCCESS', String(next.message))
    assert.notDeepEqual(getCounts(next), [0, 0, 0, 0])
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, scene.unprovenCount ?? 0])
  })
}

/** Finds the process of a reader by a value in its environment. */
function findReader(mark: string): number {
  const pids = globSync('/proc/[0-9]*').map((path) => path.slice('/proc/'.length))
  const pid = pids.find((each) => {
    try {
      const read = (file: string): string => readFileSync(`/proc/${each}/${file}`, 'utf8')
      return read('cmdline').startsWith(process.execPath) && read('environ').includes(mark)
    } catch {
      // It ended, or belongs to another user.
      return false
    }
  })
  return Number(pid ?? assert.fail('no reader is running'))
}
