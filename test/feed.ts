/** Helpers that read the event feed. */

import { sql } from 'kysely'
import type { CloudEvent } from '../server/ledger/events/event.ts'
import type { Database } from '../server/platform/tables.ts'
import { readText } from './answers.ts'
import { eventually } from './eventually.ts'
import type { HttpClient } from './http-client.ts'
import { uniqueId, type World } from './world.ts'

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

/** Sends a request that must succeed, and returns the text of its answer. */
type SendRequest = (method: 'GET' | 'PUT', path: string, body?: object) => Promise<string>

/** The start and the content of a list of events. */
interface FeedOptions {
  /** The events that follow this one, and not itself; without it, all. */
  lastEventId?: string | undefined
  include?: 'document'
}

/**
 * Returns every event of an organization so far. It makes a last change, to a separate team: once the feed contains this
 * change, it also contains everything before it. Until then it repeats the request, because transactions of other tests
 * on the same server delay the feed. The change itself is the last event.
 */
async function follow(
  sendRequest: SendRequest,
  { lastEventId, include }: FeedOptions = {},
): Promise<CloudEvent[]> {
  const marker = uniqueId()
  await sendRequest('PUT', `/api/teams/${marker}`, { id: marker, name: 'M' })
  const events: CloudEvent[] = []
  while (events.at(-1)?.subject !== marker) {
    const query = new URLSearchParams(include === undefined ? {} : { include })
    const last = events.at(-1)?.id ?? lastEventId
    if (last !== undefined) query.set('lastEventId', last)
    const text = await sendRequest('GET', `/api/events?${query.toString()}`)
    events.push(...(JSON.parse(text) as CloudEvent[]))
  }
  return events
}

/** Returns every event of an organization so far, by requests to a process. */
export async function listFeed(client: HttpClient, options?: FeedOptions): Promise<CloudEvent[]> {
  const sendRequest: SendRequest = async (method, path, body) =>
    (await client.ok(method, path, { body })).text
  return await follow(sendRequest, options)
}

/** Returns every event of an organization so far, by requests without a process. */
export async function eventsSoFar(
  world: World,
  options: { include?: 'document' } = {},
): Promise<CloudEvent[]> {
  const sendRequest: SendRequest = async (method, path, body) => {
    const caller = method === 'PUT' ? 'O' : 'Or'
    return await readText(world.as(caller, method, path, body === undefined ? {} : { body }))
  }
  return await follow(sendRequest, options)
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
