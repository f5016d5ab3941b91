import { randomUUIDv7 } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { NEW_ID } from '../../platform/kit/uuid.ts'
import type { EventDetails, EventName, NewEvents } from './event.ts'

/** The fields that all events of one change share. */
interface EventOrigin {
  organizationId: string
  kind: string
  principal: string
}

// The defaults of the columns are the same functions, called for every row; as subqueries they are called once.
const FEED_POSITION = sql`(select current_feed_epoch()), (select current_feed_transaction())`

/**
 * SQL fragment, `insert into event …`, that appends events in the statement that makes the change. It reads
 * the named result with external_id, version and the given time column.
 */
export function appendEvents(
  origin: EventOrigin,
  events: NewEvents,
  from: { result: 'written' | 'removed'; timeColumn: 'updated_at' | 'removed_at' },
): RawBuilder<unknown> {
  return sql`
    insert into event (
      organization_id, epoch, transaction_id, id, type, kind, subject, version, removal, output_port_id, principal,
      time
    )
    select
      ${origin.organizationId}::uuid, ${FEED_POSITION}, new_event.id, new_event.type, ${origin.kind},
      ${sql.ref(`${from.result}.external_id`)}, ${sql.ref(`${from.result}.version`)},
      ${from.result === 'removed'}::boolean, new_event.output_port_id, ${origin.principal}, ${sql.ref(`${from.result}.${from.timeColumn}`)}
    from ${sql.table(from.result)}
    cross join rows from (
      unnest(string_to_array(${events.ids}, ' ')::uuid[]),
      unnest(string_to_array(${events.names}, ' ')),
      json_array_elements_text(${events.outputPortIdsJson}::json)
    ) with ordinality as new_event (id, type, output_port_id, ordinal)
    order by new_event.ordinal`
}

// Without a value, webhooks find the owners themselves.
const NO_OWNERS = sql`null::text[]`

/**
 * SQL fragment, `insert into event …`, that records an event with further members of its data in the statement that
 * makes the change. It reads the named result as `appendEvents` does; `details` is a JSON object of its columns, and
 * `owners` are the external ids of the teams that own it. Webhooks use them; clients do not see them.
 */
export function appendDetailedEvent(
  origin: EventOrigin,
  event: { id: string; name: EventName },
  from: Parameters<typeof appendEvents>[2] & {
    details: RawBuilder<unknown>
    owners?: RawBuilder<unknown>
  },
): RawBuilder<unknown> {
  return sql`
    insert into event (
      organization_id, epoch, transaction_id, id, type, kind, subject, version, removal, principal, time, details,
      owners
    )
    select
      ${origin.organizationId}::uuid, ${FEED_POSITION}, ${event.id}::uuid, ${event.name},
      ${origin.kind}, external_id, version, ${from.result === 'removed'}::boolean,
      ${origin.principal}, ${sql.ref(from.timeColumn)}, ${from.details},
      ${from.owners ?? NO_OWNERS}
    from ${sql.table(from.result)}`
}

/**
 * SQL fragment, `insert into event …`, for a store that changes many documents at once: one event for each
 * row of the named result with external_id, version, event_name (an EventName) and the given time column.
 */
export function appendEventOfEach(
  origin: EventOrigin,
  from: { result: 'reported' | 'removed'; timeColumn: 'updated_at' | 'removed_at' },
): RawBuilder<unknown> {
  return sql`
    insert into event (
      organization_id, epoch, transaction_id, id, type, kind, subject, version, removal, principal, time
    )
    select
      ${origin.organizationId}::uuid, ${FEED_POSITION}, ${NEW_ID}, event_name, ${origin.kind}, external_id, version,
      ${from.result === 'removed'}::boolean, ${origin.principal}, ${sql.ref(from.timeColumn)}
    from ${sql.table(from.result)}
    order by external_id`
}

/** An event of one of several resources that a statement changes. */
export interface ListedEvent {
  organizationId: string
  subject: string
  name: EventName
  details?: EventDetails
}

/**
 * SQL fragment, `insert into event …`, for a statement that changes several resources, also of several organizations:
 * records the listed events of those that are in the named result (organization_id, external_id, version and the given
 * time column), in the order of the list. `owners` is as in `appendDetailedEvent`; it reads the row `changed`.
 */
export function appendListedEvents(
  { kind, principal }: Omit<EventOrigin, 'organizationId'>,
  events: readonly ListedEvent[],
  from: Parameters<typeof appendEvents>[2] & { owners?: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const rows = events.map(({ organizationId, subject, name, details = null }, ordinal) => {
    return { organization_id: organizationId, subject, name, details, ordinal, id: randomUUIDv7() }
  })
  return sql`
    insert into event (
      organization_id, epoch, transaction_id, id, type, kind, subject, version, removal, principal, time, details,
      owners
    )
    select
      changed.organization_id, ${FEED_POSITION}, listed.id, listed.name, ${kind}, listed.subject,
      changed.version, ${from.result === 'removed'}::boolean, ${principal},
      ${sql.ref(`changed.${from.timeColumn}`)}, listed.details, ${from.owners ?? NO_OWNERS}
    from json_to_recordset(${JSON.stringify(rows)}::json) as listed (
      organization_id uuid, subject text, name text, details jsonb, ordinal integer, id uuid
    )
    join ${sql.table(from.result)} as changed on changed.organization_id = listed.organization_id
      and changed.external_id = listed.subject
    order by listed.ordinal`
}

/**
 * SQL fragment, `insert into event …`, that records an event with further members of its data for each row of a from
 * clause, which is in their order. All parts are expressions of its columns, as in `appendDetailedEvent`.
 */
export function appendDetailedEvents(
  {
    organizationId,
    principal,
  }: { organizationId: string; principal: string | RawBuilder<unknown> },
  { name, kind }: { name: EventName; kind: string },
  row: Record<'subject' | 'version' | 'at' | 'details' | 'owners' | 'from', RawBuilder<unknown>>,
): RawBuilder<unknown> {
  return sql`
    insert into event (
      organization_id, epoch, transaction_id, id, type, kind, subject, version, removal, principal, time, details,
      owners
    )
    select
      ${organizationId}::uuid, ${FEED_POSITION}, ${NEW_ID}, ${name}, ${kind}, ${row.subject}, ${row.version}, false,
      ${principal}, ${row.at}, ${row.details}, ${row.owners}
    ${row.from}`
}
