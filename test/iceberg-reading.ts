/** Reads a scripted source batch by batch, like a run, and keeps the results. */

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { startScriptedSource, type ScriptedSource } from './scripted-source.ts'
import { newDialer, type Dialer } from '../server/platform/kit/dialer.ts'
import { NO_FILTERS, type Filters } from '../server/connectors/filter.ts'
import {
  SourceFailure,
  type KnownVersions,
  type Scope,
  type ScopeOutcome,
  type Setup,
  type SourceAsset,
  type UnchangedAsset,
  type UnreadableAsset,
} from '../server/connectors/connector.ts'
import { iceberg } from '../server/connectors/iceberg/connector.ts'
import { openSession } from '../server/connectors/iceberg/session.ts'

/** Options that differ from a source without credentials and filters. */
export interface Given {
  configuration?: Record<string, unknown>
  filters?: Partial<Filters>
  secrets?: Record<string, string>
  dialer?: Dialer
  signal?: AbortSignal
}

/** The additional reports of a session. */
export interface Notes {
  log: string[]
  sent: string[]
}

const allowing = newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined })

/** Starts a source that stops after the test. */
export async function startSource(
  t: TestContext,
  options?: Parameters<typeof startScriptedSource>[0],
): Promise<ScriptedSource> {
  const started = await startScriptedSource(options)
  t.after(() => started.close())
  return started
}

/** Creates the setup of a connector for a source. */
export function createSetup({ url }: { url: string }, given: Given, notes: Notes): Setup {
  return {
    configuration: iceberg.description.configuration.parse({ uri: url, ...given.configuration }),
    filters: { ...NO_FILTERS, ...given.filters },
    secrets: given.secrets ?? {},
    dialer: given.dialer ?? allowing,
    signal: given.signal ?? new AbortController().signal,
    log: (_level, text) => notes.log.push(text),
    sent: (statement) => notes.sent.push(statement),
  }
}

/** Everything that a run would read. */
export interface Reading extends Notes {
  scopes: Scope[]
  assets: SourceAsset[]
  unreadable: UnreadableAsset[]
  unchanged: UnchangedAsset[]
  outcomes: ScopeOutcome[]
  /** Failures while reading, by the name of the scope. */
  thrown: Map<string, SourceFailure>
  batches: number
  /** The waits before requests, in milliseconds. */
  waitsMs: readonly number[]
}

/** Reads every scope that the filters include, one at a time. */
export async function read(
  from: { url: string },
  given: Given = {},
  known?: KnownVersions,
): Promise<Reading> {
  const notes: Notes = { log: [], sent: [] }
  const waitsMs: number[] = []
  // Waits are recorded and end at once.
  const session = await openSession(createSetup(from, given, notes), async (ms) => {
    waitsMs.push(ms)
  })
  const reading: Reading = {
    ...notes,
    waitsMs,
    scopes: [],
    assets: [],
    unreadable: [],
    unchanged: [],
    outcomes: [],
    thrown: new Map(),
    batches: 0,
  }
  try {
    for await (const scope of session.scopes()) reading.scopes.push(scope)
    for (const scope of reading.scopes) {
      if (scope.decision !== 'included') continue
      await readScope(reading, session.read([scope], known), scope)
    }
    return reading
  } finally {
    await session.close()
  }
}

async function readScope(
  reading: Reading,
  batches: ReturnType<Awaited<ReturnType<typeof iceberg.open>>['read']>,
  scope: Scope,
): Promise<void> {
  try {
    for await (const batch of batches) {
      reading.batches += 1
      assert.ok(batch.assets.length <= 1000)
      reading.assets.push(...batch.assets)
      reading.unreadable.push(...(batch.unreadable ?? []))
      reading.unchanged.push(...(batch.unchanged ?? []))
      reading.outcomes.push(...(batch.outcomes ?? []))
    }
  } catch (error) {
    assert.ok(error instanceof SourceFailure, String(error))
    reading.thrown.set(scope.path[0] ?? '', error)
  }
}

/** Returns paths as texts, their parts joined by bars. */
export function paths(things: readonly { path: readonly string[] }[]): string[] {
  return things.map(({ path }) => path.join('|'))
}

/** Returns the asset at a path. */
export function assetAt({ assets }: Reading, ...path: string[]): SourceAsset {
  return (
    assets.find((asset) => asset.path.join('|') === path.join('|')) ?? assert.fail(path.join('|'))
  )
}

/** Lists the completely read scopes. */
export function complete({ outcomes }: Reading): string[] {
  return paths(outcomes.filter(({ failure }) => failure === undefined))
}

/** Returns the reason why a scope was not read completely, from its outcome or a failure. */
export function getFailure({ outcomes, thrown }: Reading, scope: string): SourceFailure {
  const outcome = outcomes.find(({ path }) => path.join('|') === scope)
  return outcome?.failure ?? thrown.get(scope) ?? assert.fail(`${scope} did not fail`)
}

/** Checks that a promise rejects with a failure. */
export async function assertFails(
  reading: Promise<unknown>,
  kind: SourceFailure['kind'],
): Promise<SourceFailure> {
  try {
    await reading
  } catch (error) {
    assert.ok(error instanceof SourceFailure, String(error))
    assert.equal(error.kind, kind, error.message)
    return error
  }
  return assert.fail('expected a failure')
}
