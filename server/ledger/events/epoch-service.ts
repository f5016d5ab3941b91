import { isRejected } from '../../platform/kit/store-errors.ts'
import type { Database } from '../../platform/tables.ts'
import {
  findEpoch,
  findSystemIdentifier,
  isServerExamined,
  keepEpoch,
  listMisplacedEvents,
  lockEpoch,
  lockEvents,
  raiseEpoch,
  type EpochState,
} from './epoch-store.ts'

const FINDINGS_SHOWN_MAX = 5

/** Does as `ensureEpoch` if the server was restarted or replaced since it was last examined. */
export async function followServer(db: Database): Promise<number | undefined> {
  return (await isServerExamined(db)) ? undefined : await ensureEpoch(db)
}

/**
 * Examines the PostgreSQL server so that events can be inserted. Raises the epoch of the feed if the store is
 * on another cluster than before, or if that cannot be excluded. Returns the new epoch, or undefined if it
 * did not change.
 */
export async function ensureEpoch(db: Database): Promise<number | undefined> {
  const identifier = await readSystemIdentifier(db)
  return await db.transaction().execute(async (transaction) => {
    await lockEpoch(transaction)
    let state = await findEpoch(transaction)
    if (state === undefined) return undefined
    if (!mustRise(state, identifier)) {
      await keepEpoch(transaction, identifier)
      return undefined
    }
    // No events can be inserted on a server that was not examined. On any other server, open transactions
    // finish in the old epoch first.
    if (state.isSameServer) await lockEvents(transaction)
    await raiseEpoch(transaction, identifier)
    state = await findEpoch(transaction)
    return state?.epoch
  })
}

/** Checks the order of the feed. Returns each rule with its violations, at most five. */
export async function verifyFeed(db: Database): Promise<{ rule: string; findings: string[] }[]> {
  const misplaced = await listMisplacedEvents(db, FINDINGS_SHOWN_MAX)
  return [
    { rule: 'the next event comes last in the feed', findings: misplaced },
    { rule: 'the epoch of the feed fits the server', findings: await checkEpoch(db) },
  ]
}

async function checkEpoch(db: Database): Promise<string[]> {
  const identifier = await readSystemIdentifier(db)
  const state = await findEpoch(db)
  if (state === undefined) return ['the table feed_epoch is empty']
  const { isSameServer, systemIdentifier } = state
  const isOther = identifier !== undefined && systemIdentifier !== identifier
  return [
    ...(isSameServer ? [] : ['the server was not examined since it started']),
    ...(isOther ? [`system identifier ${systemIdentifier}, the server has ${identifier}`] : []),
  ]
}

// Without an identifier, every restart could be a move to another cluster. An unnecessary rise does no harm:
// earlier events stay before later ones.
function mustRise(state: EpochState, identifier: string | undefined): boolean {
  if (state.isAhead) return true
  const areKnown = identifier !== undefined && state.systemIdentifier !== null
  const isSameCluster = areKnown && state.systemIdentifier === identifier
  return state.isSameServer ? areKnown && !isSameCluster : !isSameCluster
}

// Providers restrict the function in different ways; after any error the identifier is unknown.
async function readSystemIdentifier(db: Database): Promise<string | undefined> {
  try {
    return await findSystemIdentifier(db)
  } catch (error) {
    if (isRejected(error)) return undefined
    throw error
  }
}
