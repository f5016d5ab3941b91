/** Helpers that read the event feed. */

import { sql } from 'kysely'
import type { CloudEvent } from '../server/ledger/events/event.ts'
import type { Database } from '../server/platform/tables.ts'
import { readJson } from './answers.ts'
import { eventually } from './eventually.ts'
import { expectOk, uniqueId, type World } from './world.ts'

const SETTLED_MS_MAX = 20_000

/**
 * Waits until followers see every event and activity so far: transactions of other tests on the same server delay them.
 */
export async function untilSettled(db: Database): Promise<void> {
  const areSettled = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from event where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())
      union all
      select from activity_entry where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())
      limit 1
    `.execute(db)
    return rows.length === 0
  }
  await eventually(SETTLED_MS_MAX, areSettled, 'all transactions have ended')
}

/**
 * Returns every event of an organization so far. It makes a last change to a separate team: once the feed
 * contains this change, it also contains everything before it. Until then it repeats the request, because
 * transactions of other tests on the same server delay the feed.
 */
export async function eventsSoFar(
  world: World,
  options: { include?: 'document' } = {},
): Promise<CloudEvent[]> {
  const marker = uniqueId()
  await expectOk(world.as('O', 'PUT', `/api/teams/${marker}`, { body: { id: marker, name: 'M' } }))
  const events: CloudEvent[] = []
  while (!events.some((event) => event.subject === marker)) {
    const query = new URLSearchParams(options)
    const last = events.at(-1)
    if (last !== undefined) query.set('lastEventId', last.id)
    events.push(
      ...(await readJson<CloudEvent[]>(world.as('Or', 'GET', `/api/events?${query.toString()}`))),
    )
  }
  return events
}

/** Returns the events of one subject so far. */
export async function listEventsOfSubject(
  world: World,
  subject: string,
  options: { include?: 'document' } = {},
): Promise<CloudEvent[]> {
  return (await eventsSoFar(world, options)).filter((event) => event.subject === subject)
}

/** Returns the short form of an event: its name, and the port that it is about. */
export function summarizeEvent({ type, data }: CloudEvent): string {
  const name = type.split('.').at(-1) ?? ''
  return data.outputPortId === undefined ? name : `${name} ${data.outputPortId}`
}
