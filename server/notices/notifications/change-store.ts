import { sql, type RawBuilder } from 'kysely'
import { unnestEvents, type FollowedEvent } from '../../ledger/events/feed-follower.ts'
import type { Database } from '../../platform/tables.ts'
import { ENDING_STATUSES } from '../../../formats/data-product/standing.ts'
import { matchMentions } from './access-store.ts'
import { AUDIENCE, appendNotifications } from './record.ts'

/** The kinds of documents whose changes notify. */
export const NOTIFYING_KINDS = ['data-product', 'data-contract', 'team'] as const

/** The maximum length of the part of a description in which teams are mentioned. */
const MENTIONS_CHARACTERS_MAX = 20_000

/** The maximum number of deprecated parts that a notification names. */
const PARTS_MAX = 20

/**
 * Inserts the notifications of the changes behind events: breaking changes, deprecations, announced ends and deletions.
 * One change notifies once, however many events it has. The end of output ports notifies if the change has nothing of
 * the whole document, and only those who read these ports; that of other parts notifies the readers of the document.
 */
export async function insertChangeNotifications(
  db: Database,
  organizationId: string,
  events: readonly FollowedEvent[],
): Promise<void> {
  await sql`
    with ${selectChanges(organizationId, events)},
    ${classifyChanges()},
    occasion as (
      select notification_kind as kind,
        kind || '/' || subject || '/' || version || case when removal then '/deleted' else '' end
          as occasion,
        kind as subject_kind, subject as subject_id, name as subject_name, principal,
        jsonb_strip_nulls(jsonb_build_object(
          'version', version, 'status', coalesce(ending->>'status', status),
          'parts', jsonb_path_query_array(announced_parts, '$[0 to ${sql.lit(PARTS_MAX - 1)}]'),
          'partCount', jsonb_array_length(announced_parts), 'removedParts', removed_parts,
          'since', case when removal then since end
        ))
          || case
            when notification_kind <> 'deprecation' then '{}'
            when is_of_ports then jsonb_build_object('ports', ports)
            when ends = '{}' then '{}'
            else jsonb_build_object(
              'announced', to_jsonb(ends), 'endOfSupport', ending->'endOfSupport',
              'endOfLife', ending->'endOfLife', 'advice', advice
            )
          end as data,
        jsonb_build_array(
          case
            when is_of_inputs then ${AUDIENCE.portConsumers(sql`subject`, sql`'[]'::jsonb`)}
            when is_of_ports then ${AUDIENCE.portConsumers(sql`subject`, sql`ports`)}
            else ${AUDIENCE.consumers(sql`all_contracts`, sql`case when kind = 'data-product' then subject end`)}
          end,
          ${AUDIENCE.followers(sql`kind`, sql`subject`)},
          ${AUDIENCE.team(sql`case when kind = 'team' then subject else owner end`, 'owner')},
          ${AUDIENCE.followers('team', sql`owner`)}
        ) as audience,
        null::text[] as visible_to, time as occurred_at
      from addressed
      where notification_kind is not null
        and (kind <> 'team' or removal)
    )
    ${appendNotifications(sql`${organizationId}::uuid`)}
  `.execute(db)
}

// The kind of notification of each change, and the ends that it announces.
function classifyChanges() {
  return sql`
    classified as (
      select change.*,
        case
          when change.removal then 'deleted'
          when change.level = 'breaking' and not change.is_retirement then 'breaking_change'
          when change.has_earlier
            and (
              announced.ends <> '{}' or ended.ports is not null
              or change.announced_parts is not null
            )
            then 'deprecation'
        end as notification_kind,
        announced.ends, ended.ports,
        -- The contracts of a product before the change too: it may have removed a port.
        case
          when change.kind = 'data-contract' then array[change.subject]
          else change.contracts || change.earlier_contracts
        end as all_contracts
      from change
      cross join lateral (${listAnnouncedEnds()}) as announced
      cross join lateral (${selectEndedPorts()}) as ended
    ),
    addressed as (
      select classified.*,
        notification_kind = 'deprecation' and ends = '{}' and ports is not null as is_of_ports,
        -- Only the product itself reads by an input port.
        notification_kind = 'deprecation' and ends = '{}' and ports is null
          and not announced_parts @? '$[*] ? (@.kind != "input port")' as is_of_inputs
      from classified
    )`
}

// The members of the facts that announce an end, and that the version before did not have so. Older facts have only the
// status.
function listAnnouncedEnds() {
  return sql`
        select case
          when change.ending is not null and change.earlier_ending is not null then array(
            select announced.name
            from jsonb_each_text(change.ending) as announced (name, value)
            where lower(announced.value) is distinct from lower(change.earlier_ending->>announced.name)
              and announced.value is not null
            order by announced.name
          )
          when lower(change.status) = any(${ENDING_STATUSES}::text[])
            and lower(change.earlier_status) is distinct from lower(change.status)
            then array['status']
          else array[]::text[]
        end as ends`
}

// The output ports whose end is announced and was not announced so before. No one reads a port that was created with it.
function selectEndedPorts() {
  return sql`
        select jsonb_agg(port.value order by port.ordinal) as ports
        from jsonb_array_elements(change.ending_ports) with ordinality as port (value, ordinal)
        left join lateral (
          select former.value
          from jsonb_array_elements(change.earlier_ending_ports) as former
          where former.value->>'key' = port.value->>'key'
          limit 1
        ) as former on true
        where change.earlier_ending_ports is not null
          and exists (
            select
            from unnest(array['status', 'endOfSupport', 'endOfLife']) as announced (name)
            where port.value->>announced.name is not null
              and lower(port.value->>announced.name)
                is distinct from lower(former.value->>announced.name)
          )
          and coalesce(change.earlier_port_keys ? (port.value->>'key'), true)`
}

/** Inserts the notifications of descriptions that mention teams which they did not mention before. */
export async function insertMentionNotifications(
  db: Database,
  organizationId: string,
  events: readonly FollowedEvent[],
): Promise<void> {
  await sql`
    with ${selectChanges(organizationId, events)},
    described as (
      select change.*, left(description, ${MENTIONS_CHARACTERS_MAX}) as words
      from change
      where not removal
        and description like '%@%'
        and description is distinct from earlier_description
    ),
    mentioned as (
      select distinct described.kind, described.subject, described.version, team.external_id as team
      from described
      cross join lateral ${matchMentions(sql`described.words`)} as match (groups)
      cross join lateral (
        select team.external_id
        from team
        where team.organization_id = ${organizationId}
          and team.external_id = rtrim(match.groups[1], '.-')
        limit 1
      ) as team
      where not exists (
        select
        from ${matchMentions(sql`left(described.earlier_description, ${MENTIONS_CHARACTERS_MAX})`)}
          as earlier (groups)
        where rtrim(earlier.groups[1], '.-') = team.external_id
      )
    ),
    grouped as (
      select kind, subject, version, jsonb_agg(team order by team) as teams,
        jsonb_agg(${AUDIENCE.team(sql`team`, 'mentioned')} order by team) as audience
      from mentioned
      group by kind, subject, version
    ),
    occasion as (
      select 'mention' as kind, change.kind || '/' || change.subject || '/' || change.version as occasion,
        change.kind as subject_kind, change.subject as subject_id, change.name as subject_name,
        change.principal, jsonb_build_object('version', change.version, 'teams', grouped.teams) as data,
        grouped.audience, null::text[] as visible_to, change.time as occurred_at
      from grouped
      join change on change.kind = grouped.kind
        and change.subject = grouped.subject
        and change.version = grouped.version
        and not change.removal
    )
    ${appendNotifications(sql`${organizationId}::uuid`)}
  `.execute(db)
}

// The changes behind events, each once, with the facts of the version and of the one before.
function selectChanges(organizationId: string, events: readonly FollowedEvent[]) {
  return sql`
    change as materialized (
      select distinct on (event.kind, event.subject, event.version, event.removal)
        event.kind, event.subject, event.version, event.removal, event.principal, event.time,
        revision.facts->'ending' as ending, earlier.facts->'ending' as earlier_ending,
        revision.facts->'endingPorts' as ending_ports,
        earlier.facts->'endingPorts' as earlier_ending_ports,
        earlier.facts->'portKeys' as earlier_port_keys,
        revision.level, revision.facts->>'name' as name, revision.facts->>'ownerId' as owner,
        revision.facts->>'status' as status, revision.facts->>'description' as description,
        revision.facts->'announcedParts' as announced_parts,
        coalesce((revision.facts->>'isRetirement')::boolean, false) as is_retirement,
        (${selectDocumentPart(sql`revision`)})->'since' as since,
        (${selectDocumentPart(sql`revision`)})->>'advice' as advice,
        (${listRemovedParts()}) as removed_parts,
        earlier.version is not null as has_earlier, earlier.facts->>'status' as earlier_status,
        earlier.facts->>'description' as earlier_description,
        ${listContracts('revision')} as contracts, ${listContracts('earlier')} as earlier_contracts
      from (${unnestEvents(events)}) as event
      cross join lateral (
        select *
        from revision
        where revision.organization_id = ${organizationId}
          and revision.kind = event.kind
          and revision.external_id = event.subject
          and revision.version = event.version
        limit 1
      ) as revision
      left join lateral (
        select *
        from revision as earlier
        where earlier.organization_id = ${organizationId}
          and earlier.kind = event.kind
          and earlier.external_id = event.subject
          and earlier.version = event.version - 1
          and earlier.deleted_at is null
        limit 1
      ) as earlier on true
      order by event.kind, event.subject, event.version, event.removal
    )`
}

// The document itself among the deprecated parts of a version.
function selectDocumentPart(revision: RawBuilder<unknown>) {
  return sql`
          select part.value
          from jsonb_array_elements(${revision}.facts->'deprecated') as part (value)
          where part.value->>'key' = ''
          limit 1`
}

// The first deprecated parts that a change removes, and when their deprecation was announced; null = none.
function listRemovedParts() {
  return sql`
          select jsonb_agg(gone.value || jsonb_build_object('since', former.value->'since') order by gone.ordinal)
          from jsonb_array_elements(revision.facts->'removedParts') with ordinality as gone (value, ordinal)
          left join lateral (
            select part.value
            from jsonb_array_elements(earlier.facts->'deprecated') as part (value)
            where part.value->>'key' = gone.value->>'key'
            limit 1
          ) as former on true
          where gone.ordinal <= ${PARTS_MAX}`
}

function listContracts(revision: 'revision' | 'earlier') {
  const contracts = sql`${sql.ref(`${revision}.facts`)}->'output_contracts'`
  return sql`case
          when jsonb_typeof(${contracts}) = 'array'
            then array(select jsonb_array_elements_text(${contracts}))
          else array[]::text[]
        end`
}
