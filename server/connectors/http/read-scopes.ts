import {
  isPartialFailure,
  SourceFailure,
  type AssetPlace,
  type Batch,
  type Scope,
  type TableProof,
} from '../connector.ts'
import { Pump } from '../pump.ts'
import { mapConcurrently } from './parallel.ts'

/** The number of batches of each concurrently read scope that are held. */
const BATCHES_AHEAD_MAX = 4

/** Reads the batches of one scope, without its outcome. */
type ScopeReader = (scope: Scope) => AsyncIterable<Batch>

/** Reads scopes one after the other and adds the outcome of each. Errors: SourceFailure for all of them. */
export async function* readScopes(
  scopes: readonly Scope[],
  readScope: ScopeReader,
): AsyncGenerator<Batch> {
  for (const scope of scopes) yield* readWithOutcome(scope, readScope)
}

/**
 * Reads like `readScopes`, but up to `concurrency` scopes at the same time: while one is taken, the first
 * batches of the next ones are read. The order stays the same.
 */
export async function* readScopesConcurrently(
  scopes: readonly Scope[],
  concurrency: number,
  readScope: ScopeReader,
): AsyncGenerator<Batch> {
  const rest = scopes.values()
  const pumps: Pump<Batch>[] = []
  const startNext = (): void => {
    const { value: scope } = rest.next()
    if (scope === undefined) return
    pumps.push(new Pump(readWithOutcome(scope, readScope), BATCHES_AHEAD_MAX))
  }
  for (let count = 0; count < concurrency; count += 1) startNext()
  try {
    for (let [pump] = pumps; pump !== undefined; [pump] = pumps) {
      for (let batches = await pump.take(); batches.length > 0; batches = await pump.take()) {
        yield* batches
      }
      pumps.shift()
      startNext()
    }
  } finally {
    // Running requests delay their ends, but not the caller.
    for (const pump of pumps) void pump.end().catch(() => undefined)
  }
}

async function* readWithOutcome(scope: Scope, readScope: ScopeReader): AsyncGenerator<Batch> {
  const { path } = scope
  try {
    yield* readScope(scope)
    yield { assets: [], outcomes: [{ path }] }
  } catch (error) {
    if (!isPartialFailure(error)) throw error
    yield { assets: [], outcomes: [{ path, failure: error }] }
  }
}

/** Asks for one table; the message of an unknown presence is the reason. */
type TableQuestion = (table: AssetPlace) => Promise<Omit<TableProof, 'path'>>

/** Asks for each table with a request. A request that fails proves nothing. */
export async function proveEach(
  tables: readonly AssetPlace[],
  ask: TableQuestion,
): Promise<TableProof[]> {
  return await mapConcurrently(tables, async (table): Promise<TableProof> => {
    const { path } = table
    try {
      return { path, ...(await ask(table)) }
    } catch (error) {
      if (!(error instanceof SourceFailure) || error.kind === 'cancelled') throw error
      return { path, presence: 'unknown', message: error.message }
    }
  })
}
