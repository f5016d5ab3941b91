import type {
  IncidentCause,
  IncidentKind,
  IncidentOrigin,
  IncidentPlace,
} from '../../ledger/incidents/incident.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import * as store from './store.ts'

/** The maximum number of incidents that one statement opens or resolves. */
const INCIDENTS_AT_ONCE_MAX = 1000

/**
 * Opens an incident of a kind for each cause, in the caller's transaction: at most one for a contract and server. An open
 * one stays, and gets the new facts; one that was resolved within the hour opens again. No incident opens on a server
 * that is not of production, or under a contract that does not exist. Returns the number of incidents that opened.
 */
export async function openIncidents(
  db: Database,
  clock: Clock,
  origin: IncidentOrigin,
  kind: IncidentKind,
  causes: readonly IncidentCause[],
): Promise<number> {
  const byPlace = new Map(causes.map((cause) => [toKey(cause), cause]))
  return await inBatches([...byPlace.values()], async (some) =>
    store.openIncidents(db, clock, origin, kind, some),
  )
}

/**
 * Resolves the open incidents of a kind at places, in the caller's transaction. Places without one stay as they are.
 * `because` is a short reason in words: `The newest test passed.` Returns the number of incidents that were resolved.
 */
export async function resolveIncidents(
  db: Database,
  clock: Clock,
  origin: IncidentOrigin,
  kind: IncidentKind,
  places: readonly (IncidentPlace & { because: string })[],
): Promise<number> {
  const byPlace = new Map(places.map((place) => [toKey(place), place]))
  return await inBatches([...byPlace.values()], async (some) =>
    store.resolveIncidents(db, clock, origin, kind, some),
  )
}

function toKey({ contractId, server }: IncidentPlace): string {
  return JSON.stringify([contractId, server])
}

async function inBatches<Item>(
  items: readonly Item[],
  run: (some: readonly Item[]) => Promise<number>,
): Promise<number> {
  let count = 0
  for (let at = 0; at < items.length; at += INCIDENTS_AT_ONCE_MAX) {
    count += await run(items.slice(at, at + INCIDENTS_AT_ONCE_MAX))
  }
  return count
}
