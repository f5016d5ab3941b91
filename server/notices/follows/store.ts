import { sql, type RawBuilder } from 'kysely'
import { selectRolesOfMember } from '../../requests/access/effective-role.ts'
import { selectPage } from '../../requests/http/paging.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import {
  FOLLOWS_MAX,
  SEARCHES_MAX,
  type Follow,
  type FollowedKind,
  type FollowedSubject,
  type FollowState,
} from './follow.ts'

// A subject with the instant since which follows of it count, its owning team, and the condition by which data products
// consume it.
const SUBJECTS: Readonly<Record<FollowedKind, (subject: FollowedSubject) => RawBuilder<unknown>>> =
  {
    'data-product': ({ organizationId, id }) => sql`
      select created_at, owner_team_id, output_contracts as contracts
      from data_product
      where organization_id = ${organizationId}
        and external_id = ${id}`,
    'data-contract': ({ organizationId, id }) => sql`
      select created_at, owner_team_id, array[external_id] as contracts
      from data_contract
      where organization_id = ${organizationId}
        and external_id = ${id}`,
    team: ({ organizationId, id }) => sql`
      select created_at, id as owner_team_id, array[]::text[] as contracts
      from team
      where organization_id = ${organizationId}
        and external_id = ${id}`,
    search: () => sql`
      select '-infinity'::timestamptz as created_at, null::uuid as owner_team_id,
        array[]::text[] as contracts`,
  }

function selectSubject(subject: FollowedSubject): RawBuilder<unknown> {
  return SUBJECTS[subject.kind](subject)
}

/**
 * Finds whether a person follows a subject, and how many people chose to follow it; undefined if the subject does not
 * exist.
 */
export async function findFollowState(
  db: Database,
  subject: FollowedSubject,
  userId: string | undefined,
): Promise<FollowState | undefined> {
  const { organizationId, kind, id } = subject
  const { rows } = await sql<FollowState>`
    with subject as materialized (${selectSubject(subject)}
    ),
    counted as (
      select count(*) filter (where not follow.is_muted)::integer as count,
        coalesce(
          max(case when follow.is_muted then 'muted' else 'following' end)
            filter (where follow.user_id = ${userId ?? null}::uuid),
          'none'
        ) as state
      from subject
      join follow on follow.organization_id = ${organizationId}
        and follow.kind = ${kind}
        and follow.subject = ${id}
        and follow.followed_at >= subject.created_at
    ),
    person as (
      select ${userId ?? null}::uuid as id
    ),
    own_team as materialized (
      select distinct team.id, team.external_id
      from person
      cross join lateral ${selectRolesOfMember({ organizationId: sql`${organizationId}::uuid`, userId: sql`person.id` })} as held
      join team on team.organization_id = ${organizationId}
        and team.id = held.team_id
    )
    select counted.count, counted.state,
      case
        when ${IS_OWNED} then 'owner'
        when ${isConsumedBy(subject)} then 'consumer'
      end as "followsBecause"
    from subject
    cross join counted
  `.execute(db)
  return rows[0]
}

// Whether the team that owns the subject is one of the teams of the person, `own_team`.
const IS_OWNED = sql`exists (select from own_team where own_team.id = subject.owner_team_id)`

// Whether a team of the person reads the subject by an input port, or the person or a team has access to it.
function isConsumedBy({ organizationId, kind, id }: FollowedSubject): RawBuilder<unknown> {
  return sql`(exists (
          select
          from own_team
          join data_product as consumer on consumer.organization_id = ${organizationId}
            and consumer.owner_team_id = own_team.id
            and consumer.input_contracts && subject.contracts
        ) or exists (
          select
          from person
          join data_product as provider on provider.organization_id = ${organizationId}
            and (
              ${kind} = 'data-product' and provider.external_id = ${id}
              or ${kind} = 'data-contract' and provider.output_contracts && subject.contracts
            )
          join access_agreement as agreement on agreement.organization_id = ${organizationId}
            and agreement.provider_product = provider.external_id
            and agreement.state in ('active', 'upcoming')
            and (${kind} = 'data-product' or agreement.contract_id = ${id})
          where agreement.consumer_user = person.id
            or agreement.consumer_team in (select external_id from own_team)
        ))`
}

/** The result of following: whether the subject exists, and whether the limits allow it. */
interface FollowResult {
  isAllowed: boolean
}

/**
 * Follows or mutes a subject. Doing so again keeps the time of the first follow. Returns undefined if the subject does not
 * exist.
 */
export async function upsertFollow(
  db: Database,
  clock: Clock,
  subject: FollowedSubject,
  userId: string | undefined,
  isMuted: boolean,
): Promise<FollowResult | undefined> {
  const { organizationId, kind, id } = subject
  const { rows } = await sql<FollowResult>`
    with subject as materialized (${selectSubject(subject)}
    ),
    person as materialized (
      select user_id
      from organization_member
      where organization_id = ${organizationId}
        and user_id = ${userId ?? null}::uuid
      for key share
    ),
    allowed as materialized (
      select person.user_id,
        (mine.has_this or mine.count < ${FOLLOWS_MAX}) and ${isSearchAllowed(subject)} as is_allowed
      from person
      cross join lateral (
        select count(*) as count,
          count(*) filter (where kind = 'search') as search_count,
          coalesce(bool_or(kind = ${kind} and subject = ${id}), false) as has_this
        from follow
        where organization_id = ${organizationId}
          and user_id = person.user_id
      ) as mine
    ),
    followed as (
      insert into follow (organization_id, kind, subject, user_id, is_muted, followed_at)
      select ${organizationId}::uuid, ${kind}, ${id}, allowed.user_id, ${isMuted}::boolean,
        greatest(${clock.now}, subject.created_at)
      from subject
      cross join allowed
      where allowed.is_allowed
      on conflict (organization_id, kind, subject, user_id) do update
      set is_muted = excluded.is_muted, followed_at = excluded.followed_at
      where follow.is_muted <> excluded.is_muted
        or follow.followed_at < (select created_at from subject)
    )
    select coalesce((select is_allowed from allowed), true) as "isAllowed"
    from subject
  `.execute(db)
  return rows[0]
}

// A search is evaluated for every new document, so each organization has a limit.
function isSearchAllowed({ organizationId, kind, id }: FollowedSubject): RawBuilder<unknown> {
  if (kind !== 'search') return sql`true`
  return sql`(
          mine.has_this
          or mine.search_count < ${SEARCHES_MAX.ofPerson}
          and (
            select count(*) < ${SEARCHES_MAX.ofOrganization}
            from (
              select distinct subject
              from follow
              where organization_id = ${organizationId}
                and kind = 'search'
                and subject <> ${id}
            ) as search
          )
        )`
}

/** Removes the follow of a person, also a muted one unless `keepsMute`. Returns false if the subject does not exist. */
export async function deleteFollow(
  db: Database,
  subject: FollowedSubject,
  userId: string | undefined,
  { keepsMute }: { keepsMute: boolean },
): Promise<boolean> {
  const { organizationId, kind, id } = subject
  const { rows } = await sql`
    with removed as (
      delete from follow
      where organization_id = ${organizationId}
        and kind = ${kind}
        and subject = ${id}
        and user_id = ${userId ?? null}::uuid
        and not (is_muted and ${keepsMute}::boolean)
    )
    select from (${selectSubject(subject)}) as subject
  `.execute(db)
  return rows.length > 0
}

/** A person who follows something. */
export interface Follower {
  userId: string
  fullName: string
}

/** Lists the people who follow a subject, the first one first. */
export async function listFollowers(
  db: Database,
  subject: FollowedSubject,
  page: number,
): Promise<Follower[]> {
  const { organizationId, kind, id } = subject
  const { rows } = await sql<Follower>`
    select follow.user_id as "userId", user_account.name as "fullName"
    from (${selectSubject(subject)}) as subject
    join follow on follow.organization_id = ${organizationId}
      and follow.kind = ${kind}
      and follow.subject = ${id}
      and follow.followed_at >= subject.created_at
      and not follow.is_muted
    join user_account on user_account.id = follow.user_id
    order by follow.followed_at, follow.user_id
    ${selectPage(page)}
  `.execute(db)
  return rows
}

/** Lists what a person follows or has muted, the last one first, without follows of deleted subjects. */
export async function listFollows(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<Follow[]> {
  const { rows } = await sql<Follow>`
    select follow.kind, follow.subject as id, subject.name, follow.is_muted as muted,
      follow.followed_at as "followedAt"
    from follow
    left join lateral (
      select name, created_at
      from data_product
      where organization_id = follow.organization_id
        and external_id = follow.subject
        and follow.kind = 'data-product'
      union all
      select name, created_at
      from data_contract
      where organization_id = follow.organization_id
        and external_id = follow.subject
        and follow.kind = 'data-contract'
      union all
      select name, created_at
      from team
      where organization_id = follow.organization_id
        and external_id = follow.subject
        and follow.kind = 'team'
    ) as subject on true
    where follow.organization_id = ${organizationId}
      and follow.user_id = ${userId}::uuid
      and (follow.kind = 'search' or follow.followed_at >= subject.created_at)
    order by follow.followed_at desc, follow.kind, follow.subject
    limit ${FOLLOWS_MAX}
  `.execute(db)
  return rows
}

/** Deletes follows of subjects that were deleted, after their followers were notified. */
export async function deleteEndedFollows(
  db: Database,
  organizationId: string,
  subjects: readonly { kind: string; id: string; deletedAt: string }[],
): Promise<void> {
  await sql`
    delete from follow
    using unnest(
      ${subjects.map(({ kind }) => kind)}::text[],
      ${subjects.map(({ id }) => id)}::text[],
      ${subjects.map(({ deletedAt }) => deletedAt)}::timestamptz[]
    ) as deleted (kind, subject, deleted_at)
    where follow.organization_id = ${organizationId}
      and follow.kind = deleted.kind
      and follow.subject = deleted.subject
      and follow.followed_at <= deleted.deleted_at
  `.execute(db)
}
