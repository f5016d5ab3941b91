import { sql, type RawBuilder } from 'kysely'
import { newOrderedId } from '../../platform/kit/uuid.ts'

// Pages and messages list notifications by their ids.
const INSTANT = sql`(select clock_timestamp())`
const ORDINAL = sql`row_number() over (order by occasion.occurred_at, occasion.occasion)`

/**
 * SQL fragment, `insert into notification …`, that notifies of occasions in the statement that finds or makes them. It
 * reads the result named `occasion` with:
 *
 * - `kind`: a `NotificationKind`;
 * - `occasion`: a text that identifies the change. The same occasion notifies once for each kind;
 * - `subject_kind`, `subject_id`, `subject_name`: what it is about, and where its link leads;
 * - `principal`: who did it, who is not notified; null = no person;
 * - `data`: JSON for its sentence (`describe.ts`);
 * - `audience`: a JSON array built of `AUDIENCE`;
 * - `visible_to`: external ids of the teams whose members may see it; null = every member;
 * - `occurred_at`.
 *
 * Recipients are found afterwards, within a second, by `distribution-service.ts`.
 */
export function appendNotifications(organizationId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into notification (
      organization_id, id, kind, occasion, subject_kind, subject_id, subject_name, principal, data,
      audience, visible_to, occurred_at, created_at
    )
    select
      ${organizationId}, ${newOrderedId(INSTANT, ORDINAL)}, occasion.kind, occasion.occasion, occasion.subject_kind,
      occasion.subject_id, left(occasion.subject_name, 300), occasion.principal, occasion.data,
      occasion.audience, occasion.visible_to, occasion.occurred_at, clock_timestamp()
    from occasion
    order by occasion.occurred_at, occasion.occasion
    on conflict (organization_id, occasion, kind) do nothing`
}

/** Why a person is notified. */
type NotificationReason =
  | 'approver'
  | 'consumer'
  | 'following'
  | 'owner'
  | 'mentioned'
  | 'organization-owner'
  | 'requester'
  | 'key-owner'

const text = (value: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  typeof value === 'string' ? sql`${value}::text` : sql`(${value})::text`

/**
 * SQL fragments for the entries of an audience, each a JSON value. Their order is the order of the reasons: a person who
 * belongs to several gets the first one.
 */
export const AUDIENCE = {
  /** The people who follow a subject. */
  followers: (kind: string | RawBuilder<unknown>, id: RawBuilder<unknown>) =>
    sql`jsonb_build_object('type', 'followers', 'kind', ${text(kind)}, 'id', ${text(id)})`,
  /** The members of a team, by its external id, and the channels of the team. */
  team: (team: RawBuilder<unknown>, reason: NotificationReason) =>
    sql`jsonb_build_object('type', 'team', 'team', ${text(team)}, 'reason', ${text(reason)})`,
  /** The people who can approve access to the data of a team, and the channels of the team. */
  approvers: (team: RawBuilder<unknown>) =>
    sql`jsonb_build_object('type', 'approvers', 'team', ${text(team)}, 'reason', 'approver')`,
  /** The owners of a team, and those who inherit it. */
  teamOwners: (team: RawBuilder<unknown>, reason: NotificationReason) =>
    sql`jsonb_build_object('type', 'team-owners', 'team', ${text(team)}, 'reason', ${text(reason)})`,
  /**
   * The teams that read data under contracts, a `text[]`: by an input port, or by active access. People and teams with
   * active access to a data product are consumers, too.
   */
  consumers: (contracts: RawBuilder<unknown>, product: RawBuilder<unknown> = sql`null`) =>
    sql`jsonb_build_object(
      'type', 'consumers', 'contracts', to_jsonb(${contracts}), 'product', (${product})::text
    )`,
  /**
   * Those who read output ports of a data product: the teams with an input port on the contract of one of them, and the
   * people and teams with active access to one. `ports` is a JSON array of objects with `id` and `contractId`.
   */
  portConsumers: (product: RawBuilder<unknown>, ports: RawBuilder<unknown>) =>
    sql`jsonb_build_object(
      'type', 'consumers', 'product', (${product})::text,
      'contracts', jsonb_path_query_array(${ports}, '$[*].contractId ? (@ != null)'),
      'ports', jsonb_path_query_array(${ports}, '$[*].id')
    )`,
  /** The teams that provide data under contracts, a `text[]`. */
  providers: (contracts: RawBuilder<unknown>) =>
    sql`jsonb_build_object('type', 'providers', 'contracts', to_jsonb(${contracts}))`,
  /** The people of another entry; those who have not chosen otherwise get e-mails in the digest, and channels nothing. */
  inDigest: (entry: RawBuilder<unknown>) =>
    sql`(${entry} || jsonb_build_object('email', 'digest'))`,
  /** A person. */
  user: (id: RawBuilder<unknown>, reason: NotificationReason) =>
    sql`jsonb_build_object('type', 'user', 'user', ${text(id)}, 'reason', ${text(reason)})`,
  /** The owners of the organization, if the other entries of the audience have no people. */
  organizationOwners: sql`jsonb_build_object('type', 'organization-owners')`,
}
