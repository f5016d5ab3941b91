import { z } from 'zod'
import type { FairQueue } from '../../platform/kit/fair-queue.ts'
import type {
  AssetPlace,
  Batch,
  Connector,
  KnownVersions,
  Scope,
  Setup,
  SourceSession,
  TableProof,
} from '../connector.ts'
import type { GrantBatch } from '../grant.ts'
import type { MeasuredTable } from '../measure.ts'
import type { MeasureAnswer } from '../../../formats/reality/measure/measure.ts'
import {
  type assetPlaces,
  batch,
  findings,
  ITEMS_MAX,
  path,
  scope,
  tableProofs,
} from './asset-shapes.ts'
import { fromBatchData } from './batch-data.ts'
import { grantBatch } from './grant-shapes.ts'
import { READER } from './launch.ts'
import { measureAnswer } from './measure-shapes.ts'
import type { SetupData } from './messages.ts'
import { GRACE_MS, SourceProcess, type ReaderCall, type ReaderOptions } from './source-process.ts'
import { READER_LIMITS } from './watchdog.ts'

/** Options for reading sources in separate processes. */
export interface Isolation extends Partial<ReaderOptions> {
  /**
   * Limits the number of concurrent processes: further checks and sessions wait for their turn. Absent =
   * unlimited.
   */
  places?: FairQueue
  /** The flow of the processes in the queue, such as an organization. */
  flow?: readonly string[]
}

/**
 * Wraps connectors so that every check and every session runs in a separate process, which parses
 * what the source sends. If a source crashes, blocks or bloats its reader, the caller gets a
 * SourceFailure `crashed`, and the rest of this process is unaffected.
 */
export function isolateConnectors(
  connectors: ReadonlyMap<string, Connector>,
  { places, flow = [], ...more }: Isolation = {},
): ReadonlyMap<string, Connector> {
  const defaults = { program: READER, environment: {}, limits: READER_LIMITS, graceMs: GRACE_MS }
  const options = { ...defaults, ...more }
  const start = async (setup: Setup): Promise<SourceProcess> => {
    const place = await places?.acquire({ flow, signal: setup.signal })
    const startedAtMs = performance.now()
    const release = (): void => place?.release((performance.now() - startedAtMs) / 1000)
    try {
      const reader = new SourceProcess(setup, options)
      void reader.ended.then(release)
      return reader
    } catch (error) {
      release()
      throw error
    }
  }
  return new Map([...connectors].map(([source, connector]) => [source, isolate(connector, start)]))
}

type Start = (setup: Setup) => Promise<SourceProcess>

function isolate({ source, description }: Connector, start: Start): Connector {
  return {
    source,
    description,
    async check(setup) {
      const reader = await start(setup)
      try {
        return await reader.call({ call: 'check', source, setup: toSetupData(setup) }, findings)
      } finally {
        reader.kill()
      }
    },
    async open(setup) {
      const reader = await start(setup)
      try {
        await reader.call({ call: 'open', source, setup: toSetupData(setup) }, z.null())
        return new IsolatedSession(reader)
      } catch (error) {
        reader.kill()
        throw error
      }
    },
  }
}

function toSetupData({ configuration, filters, secrets, dialer }: Setup): SetupData {
  return { configuration, filters, secrets, dialRules: dialer.rules }
}

function toPlace({ path, scope, kind }: AssetPlace): z.infer<typeof assetPlaces>[number] {
  return { path: [...path], scope: [...scope], kind }
}

const scopes = z.array(scope).max(ITEMS_MAX)
const batches = z.array(batch).max(1)
const grantBatches = z.array(grantBatch).max(1)
/** As many as a run may list. */
const HIDDEN_PATHS_MAX = 100_000
const paths = z.array(path).max(HIDDEN_PATHS_MAX)

/** A session in another process. */
class IsolatedSession implements SourceSession {
  readonly #reader: SourceProcess
  #hiddenPaths: readonly (readonly string[])[] = []
  #streamCount = 0

  constructor(reader: SourceProcess) {
    this.#reader = reader
  }

  async *scopes(): AsyncGenerator<Scope> {
    yield* this.#stream((stream) => ({ call: 'scopes', stream }), scopes)
    this.#hiddenPaths = await this.#reader.call({ call: 'hiddenPaths' }, paths)
  }

  hiddenPaths(): readonly (readonly string[])[] {
    return this.#hiddenPaths
  }

  async *read(read: readonly Scope[], known: KnownVersions = new Map()): AsyncGenerator<Batch> {
    const versions = [...known]
    for (let at = 0; at < versions.length; at += ITEMS_MAX) {
      const part = versions.slice(at, at + ITEMS_MAX)
      await this.#reader.call({ call: 'know', versions: part }, z.null())
    }
    const begin = (stream: number): ReaderCall => ({ call: 'read', stream, scopes: [...read] })
    for await (const data of this.#stream(begin, batches)) yield fromBatchData(data)
  }

  async prove(tables: readonly AssetPlace[]): Promise<readonly TableProof[]> {
    const places = tables.map(toPlace)
    return await this.#reader.call({ call: 'prove', tables: places }, tableProofs)
  }

  async *grants(
    scopes: readonly Scope[],
    tables: readonly AssetPlace[],
  ): AsyncGenerator<GrantBatch> {
    const places = tables.map(toPlace)
    const begin = (stream: number): ReaderCall => ({
      call: 'grants',
      stream,
      scopes: [...scopes],
      tables: places,
    })
    yield* this.#stream(begin, grantBatches)
  }

  async measure(table: MeasuredTable): Promise<MeasureAnswer> {
    return await this.#reader.call({ call: 'measure', table }, measureAnswer)
  }

  /** Waits until the reader has cancelled what runs at the source, within its grace. */
  async close(): Promise<void> {
    this.#reader.killLate()
    try {
      await this.#reader.call({ call: 'close' }, z.null())
    } finally {
      this.#reader.kill()
    }
  }

  async *#stream<Item extends z.ZodType>(
    begin: (stream: number) => ReaderCall,
    items: z.ZodArray<Item>,
  ): AsyncGenerator<z.infer<Item>> {
    const stream = ++this.#streamCount
    let isDone = false
    try {
      await this.#reader.call(begin(stream), z.null())
      for (;;) {
        const taken = await this.#reader.call({ call: 'next', stream }, items)
        isDone = taken.length === 0
        if (isDone) return
        yield* taken
      }
    } catch (error) {
      isDone = true
      throw error
    } finally {
      if (!isDone) await this.#reader.call({ call: 'end', stream }, z.null())
    }
  }
}
