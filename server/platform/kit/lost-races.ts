import { StoreUnavailable, violatedConstraint } from './store-errors.ts'
import type { Serialize } from './keyed-queue.ts'

const ATTEMPTS_MAX = 50

/** One thing that several writers may change at the same time. */
export interface Contended {
  /** Runs work of one key one at a time in this process. */
  serialize: Serialize
  key: string
  /** The thing in messages: `document`. */
  called: string
}

/**
 * Repeats an attempt that lost a race and therefore returned undefined or violated a constraint: something that was
 * deleted since it was read, or a version that was taken; the next attempt finds out which. Writers take turns in this
 * process. Errors: StoreUnavailable after many attempts.
 */
export async function retryLostRaces<Done>(
  { serialize, key, called }: Contended,
  attempt: () => Promise<Done | undefined>,
): Promise<Done> {
  return await serialize(key, async () => {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const done = await attempt().catch(ignoreLostRace)
      if (done !== undefined) return done
    }
    throw new StoreUnavailable(`too many concurrent writers of one ${called}`)
  })
}

function ignoreLostRace(error: unknown): undefined {
  if (violatedConstraint(error) === undefined) throw error
}
