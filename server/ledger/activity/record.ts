import { sql, type RawBuilder } from 'kysely'
import type { ChangeMetadata } from '../history/revision.ts'
import { listKindsWith, type DocumentKind } from '../../platform/kinds.ts'
import type { EntryKind } from './entry.ts'
import { NO_NAME } from './person-record.ts'

// SQL fragments that record activity in the statement that makes the change: every change of every resource has an
// entry, and a change that fails has none.

/** The actor and the request of an entry, and its organization or organizations. */
export interface EntryOrigin {
  organizationId: string | RawBuilder<unknown>
  principal: string | RawBuilder<unknown>
  /** Empty = not known. */
  requestId: string | RawBuilder<unknown>
}

/** An entry, as expressions of the columns that the statement has changed. */
export interface NewEntry {
  kind: EntryKind | RawBuilder<unknown>
  /** A participle: `created`, `approved`. */
  action: string | RawBuilder<unknown>
  /** The instant of the change. */
  at: RawBuilder<unknown>
  /** The id of the resource. */
  subject: string | RawBuilder<unknown>
  /** The name of the resource when the entry is made; `NO_NAME` for a person, and for what a person has named. */
  name: string | RawBuilder<unknown>
  /** Absent = none. */
  level?: string | RawBuilder<unknown> | undefined
  /** The external id of the owning team; absent or null = no team. */
  team?: string | RawBuilder<unknown> | undefined
  /** The UUID of the person concerned, who sees the entry even if others do not; absent or null = no person. */
  person?: string | RawBuilder<unknown> | null | undefined
  versionBefore?: RawBuilder<unknown> | undefined
  versionAfter?: RawBuilder<unknown> | undefined
  /**
   * Further facts, such as `{"before": …, "after": …}` for a resource without versions: an object, or an expression
   * of `jsonb`. Never a secret, and no text of unlimited length.
   */
  details?: object | RawBuilder<unknown> | undefined
}

// The defaults of the columns are the same functions, called for every row; as subqueries they are called once.
const FEED_POSITION = sql`(select current_feed_epoch()), (select current_feed_transaction())`

/**
 * SQL fragment, `insert into activity_entry …`, that records an entry for each row of a from clause, which usually is
 * the result of the statement's change: ``appendActivity(metadata, entry, sql`from written`)``. Any store may embed it
 * as a part of its statement (`with … recorded as (…)`). A new kind of entry is a line in `entry.ts`.
 */
export function appendActivity(
  origin: EntryOrigin,
  entry: NewEntry,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { versionBefore, versionAfter } = entry
  return sql`
    insert into activity_entry (
      organization_id, epoch, transaction_id, at, principal, request_id, kind, subject, name, action, level, team,
      person, version_before, version_after, details
    )
    select
      ${origin.organizationId}::uuid, ${FEED_POSITION}, ${entry.at}, ${origin.principal}::text,
      ${origin.requestId}::text, ${entry.kind}::text, ${entry.subject}::text, ${entry.name}::text,
      ${entry.action}::text, ${entry.level ?? 'none'}::text, coalesce(${entry.team ?? null}::text, ''),
      ${entry.person ?? null}::uuid, ${versionBefore ?? null}::integer,
      ${versionAfter ?? null}::integer, ${toJson(entry.details)}
    ${from}`
}

function toJson(details: NewEntry['details']): RawBuilder<unknown> {
  if (details === undefined) return sql`null::jsonb`
  return 'compile' in details ? details : sql`${JSON.stringify(details)}::jsonb`
}

/**
 * SQL fragment: the entry of a document that was created or updated. It reads the result named `written` with
 * external_id, version, created_at and updated_at.
 */
export function appendWrite(
  metadata: ChangeMetadata,
  document: {
    kind: DocumentKind
    name: string | RawBuilder<unknown>
    level: string
    team: RawBuilder<unknown>
  },
): RawBuilder<unknown> {
  const isNew = sql`created_at = updated_at`
  const entry = {
    ...document,
    subject: sql`external_id`,
    action: sql`case when ${isNew} then 'created' else 'updated' end`,
    at: sql`updated_at`,
    versionBefore: sql`case when not (${isNew}) then version - 1 end`,
    versionAfter: sql`version`,
  }
  return appendActivity(metadata, entry, sql`from written`)
}

/**
 * SQL fragment: the entry of each asset of an integration that a run or the end of the integration changed. It reads
 * the result named `reported` with external_id, version, event_name, facts and updated_at.
 */
export function appendIngested(metadata: ChangeMetadata): RawBuilder<unknown> {
  const isNew = sql`event_name = 'AssetCreatedEvent'`
  const entry = {
    kind: 'ingested-asset',
    subject: sql`external_id`,
    name: sql`facts ->> 'name'`,
    action: sql`case when ${isNew} then 'created' else 'updated' end`,
    at: sql`updated_at`,
    team: sql`facts ->> 'ownerId'`,
    versionBefore: sql`case when not (${isNew}) then version - 1 end`,
    versionAfter: sql`version`,
  } as const
  return appendActivity(metadata, entry, sql`from reported order by external_id`)
}

/**
 * SQL fragment: the entry of each deleted document. It reads the result named `removed` with external_id, version,
 * name, team (an external id) and removed_at.
 */
export function appendRemovalEntry(metadata: ChangeMetadata, kind: EntryKind): RawBuilder<unknown> {
  const isStandardized = listKindsWith('isStandardized').some((one) => one === kind)
  const entry = {
    kind,
    subject: sql`external_id`,
    name: sql`name`,
    action: 'deleted',
    at: sql`removed_at`,
    // As in the plan of a deletion: consumers of data products and data contracts lose something.
    level: isStandardized ? 'breaking' : 'none',
    team: sql`team`,
    versionBefore: sql`version`,
  }
  return appendActivity(metadata, entry, sql`from removed order by external_id`)
}

/**
 * SQL expression: the external id of the team that owns a row of a kind of document, for `returning`. The row's columns
 * are in scope.
 */
export function selectOwner(organizationId: string, kind: DocumentKind): RawBuilder<unknown> {
  if (kind === 'team') return sql`external_id`
  return kind === 'asset' ? sql`owner` : selectTeam(organizationId, sql`owner_team_id`)
}

/** SQL expression: the external id of a team by its internal id. */
export function selectTeam(
  organizationId: string | RawBuilder<unknown>,
  teamId: RawBuilder<unknown> | string | null,
): RawBuilder<unknown> {
  return sql`(
        select owner.external_id
        from team as owner
        where owner.organization_id = ${organizationId}
          and owner.id = ${teamId}::uuid
      )`
}

/**
 * SQL fragment: the entry of something that happened to an account, one for each organization of the person. It reads
 * the named result with user_id and the instant `at`.
 */
export function appendAccountActivity(
  origin: {
    requestId: string
    /** Absent = the person. */
    principal?: string | undefined
  },
  entry: Pick<NewEntry, 'action' | 'details'>,
  result: string,
): RawBuilder<unknown> {
  const happened = sql.table(result)
  return appendActivity(
    {
      ...origin,
      organizationId: sql`organization_member.organization_id`,
      principal: origin.principal ?? sql`'user:' || ${happened}.user_id`,
    },
    {
      kind: 'account',
      ...entry,
      at: sql`${happened}.at`,
      subject: sql`${happened}.user_id`,
      name: NO_NAME,
      person: sql`${happened}.user_id`,
    },
    sql`from ${happened}
    join organization_member on organization_member.user_id = ${happened}.user_id`,
  )
}
