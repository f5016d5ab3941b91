import { sql, type RawBuilder } from 'kysely'
import { findWorst, SIGNALS, toRank } from '../../ledger/trust/signal.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { OpenPeriod } from './kept.ts'
import { toPortPrefix, type TimedSignals, type TrustKey, type TrustState } from './state.ts'

/** The resources that are judged. */
export interface TrustSubjects {
  products: readonly string[]
  contracts: readonly string[]
  assets: readonly string[]
}

/** The resources that depend on some contracts, and the contracts that assets depend on. */
interface TrustDependents {
  /** Data products with an output port that names one of the contracts. */
  products: string[]
  /** Assets that are linked with one of the contracts. */
  assets: string[]
  /** The contracts that are linked with these assets, or with the given ones. */
  contracts: string[]
}

/** Finds the data products and assets whose signals follow from contracts. */
export async function findDependents(
  db: Database,
  organizationId: string,
  { contracts, assets }: Pick<TrustSubjects, 'contracts' | 'assets'>,
): Promise<TrustDependents> {
  const { rows } = await sql<TrustDependents>`
    with asset as materialized (
      select asset_id as id
      from asset_link
      where organization_id = ${organizationId}
        and contract_id = any(${contracts}::text[])
        and asset_id is not null
      union
      select unnest(${assets}::text[])
    )
    select array(
        select external_id
        from data_product
        where organization_id = ${organizationId}
          and output_contracts && ${contracts}::text[]
        order by external_id
      ) as products,
      array(select id from asset order by id) as assets,
      array(
        select distinct link.contract_id
        from asset
        -- Looked up one by one: a join reads all links of the organization.
        cross join lateral (
          select contract_id
          from asset_link
          where organization_id = ${organizationId}
            and asset_id = asset.id
          offset 0
        ) as link
        order by link.contract_id
      ) as contracts
  `.execute(db)
  return rows[0] ?? { products: [], assets: [], contracts: [] }
}

// When the index entries that were left are written again.
const REPEATED_AFTER = sql`interval '10 seconds'`

/**
 * Stores signals, deletes those of the other resources of `judged` and of ports that do not exist any more, and writes the
 * levels by which search filters. Skip locked: the index entry of a resource that another transaction is writing is left, and
 * the state is due again soon; that transaction may wait for the caller's lock.
 */
export async function saveStates(
  db: Database,
  clock: Clock,
  organizationId: string,
  { judged, states }: { judged: TrustSubjects; states: readonly TrustState[] },
): Promise<void> {
  await sql`
    with moment as materialized (select ${clock.now} as now),
    state as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(states.map(toRow))}::jsonb) as given (
        kind text, subject text, tests smallint, freshness smallint, drift smallint,
        standing smallint, worst smallint, reasons jsonb, tests_stale_at timestamptz,
        late_at timestamptz, next_due_at timestamptz, is_stored boolean
      )
    ),
    ${updateEntries(organizationId)},
    ${removeFormer(organizationId, judged)}
    insert into trust_state (
      organization_id, kind, subject, tests, freshness, drift, standing, reasons, tests_stale_at,
      late_at, next_due_at, updated_at
    )
    select ${organizationId}::uuid, state.kind, state.subject, state.tests, state.freshness,
      state.drift, state.standing, state.reasons, state.tests_stale_at, state.late_at,
      case
        when left_entry.kind is not null then moment.now + ${REPEATED_AFTER}
        else state.next_due_at
      end,
      moment.now
    from state
    cross join moment
    left join left_entry on left_entry.kind = state.kind
      and left_entry.external_id = state.subject
    where state.is_stored
      or left_entry.kind is not null
    on conflict (organization_id, kind, subject) do update
    set tests = excluded.tests, freshness = excluded.freshness, drift = excluded.drift,
      standing = excluded.standing, reasons = excluded.reasons,
      tests_stale_at = excluded.tests_stale_at, late_at = excluded.late_at,
      next_due_at = excluded.next_due_at, updated_at = excluded.updated_at
    where (trust_state.reasons, trust_state.next_due_at)
      is distinct from (excluded.reasons, excluded.next_due_at)
      or (trust_state.tests, trust_state.freshness, trust_state.drift, trust_state.standing)
        <> (excluded.tests, excluded.freshness, excluded.drift, excluded.standing)
  `.execute(db)
}

// The results `indexed`, which writes the index entries of the result `state`, and `left_entry` with those that were locked.
function updateEntries(organizationId: string): RawBuilder<unknown> {
  return sql`changed_entry as materialized (
      select entry.kind, entry.external_id
      from state
      join search_document as entry on entry.organization_id = ${organizationId}
        and entry.kind = state.kind
        and entry.external_id = state.subject
      where (entry.trust, entry.drift) is distinct from (state.worst, state.drift)
    ),
    free_entry as materialized (
      select entry.kind, entry.external_id
      from changed_entry
      cross join lateral (
        select kind, external_id
        from search_document
        where organization_id = ${organizationId}
          and kind = changed_entry.kind
          and external_id = changed_entry.external_id
        for no key update skip locked
      ) as entry
    ),
    indexed as (
      update search_document
      set trust = state.worst, drift = state.drift
      from free_entry
      join state on state.kind = free_entry.kind
        and state.subject = free_entry.external_id
      where search_document.organization_id = ${organizationId}
        and search_document.kind = free_entry.kind
        and search_document.external_id = free_entry.external_id
    ),
    left_entry as materialized (
      select kind, external_id from changed_entry
      except
      select kind, external_id from free_entry
    )`
}

// The result `removed`: the states of judged resources that the result `state` does not store. Those with an index entry in
// `left_entry` are kept until it is written. They are looked up by the key for each range, because a join would read all states
// of the organization.
function removeFormer(organizationId: string, judged: TrustSubjects): RawBuilder<unknown> {
  return sql`removed as (
      delete from trust_state
      using (${listJudged(judged)}
      ) as judged (kind, first_subject, end_subject)
      cross join lateral (
        select kind, subject
        from trust_state
        where organization_id = ${organizationId}
          and kind = judged.kind
          and subject >= judged.first_subject
          and subject < judged.end_subject
        offset 0
      ) as gone
      where trust_state.organization_id = ${organizationId}
        and trust_state.kind = gone.kind
        and trust_state.subject = gone.subject
        and not exists (
          select
          from state
          where state.kind = gone.kind
            and state.subject = gone.subject
            and state.is_stored
        )
        and (gone.kind, gone.subject) not in (select kind, external_id from left_entry)
    )`
}

function toRanges(kind: string, ids: readonly string[]): RawBuilder<unknown> {
  return sql`
        select ${kind}, id, id || chr(1)
        from unnest(${ids}::text[]) as given (id)`
}

// The keys of judged resources as ranges of subjects; those of the ports of a product are one range.
function listJudged({ products, contracts, assets }: TrustSubjects): RawBuilder<unknown> {
  const prefixes = products.map(toPortPrefix)
  return sql`${toRanges('data-product', products)}
        union all ${toRanges('data-contract', contracts)}
        union all ${toRanges('asset', assets)}
        union all
        select 'output-port', prefix || '0', prefix || ':'
        from unnest(${prefixes}::text[]) as given (prefix)`
}

/** The signals over time and the times of open incidents, as they are stored. */
export interface StoredReasons extends Partial<TimedSignals> {
  periods?: OpenPeriod[]
}

function toRow({ kind, subject, signals, periods, nextDueAt }: TrustState): object {
  const levels = SIGNALS.map((name) => signals[name][0]?.state ?? 'neutral')
  const [tests, freshness, drift, standing] = levels.map(toRank)
  const reasons: StoredReasons = { ...signals, ...(periods.length > 0 && { periods }) }
  return {
    kind,
    subject,
    tests,
    freshness,
    drift,
    standing,
    worst: toRank(findWorst(levels)),
    reasons,
    tests_stale_at: findNextChange(signals.tests),
    late_at: findNextChange(signals.freshness),
    is_stored: kind !== 'asset' || !isNeutral(signals),
    // A port changes with its data product.
    next_due_at: kind === 'output-port' ? null : nextDueAt,
  }
}

// Most assets are in no contract: without a row they are neutral.
function isNeutral(signals: TimedSignals): boolean {
  return Object.values(signals).every((times) => times.every(({ state }) => state === 'neutral'))
}

function findNextChange(times: readonly { from: Instant | null }[]): Instant | null {
  return times[1]?.from ?? null
}

/** A resource whose state is due. */
interface DueState extends TrustKey {
  organizationId: string
}

/** The maximum number of states that are settled at once. */
const DUE_MAX = 200

/** Lists the resources of the organization whose state has been due for the longest time. */
export async function listDue(db: Database, clock: Clock): Promise<DueState[]> {
  const { rows } = await sql<DueState>`
    with due as materialized (
      select organization_id, kind, subject, next_due_at
      from trust_state
      where next_due_at <= (select ${clock.now})
      order by next_due_at
      limit ${DUE_MAX}
    )
    select organization_id as "organizationId", kind, subject
    from due
    where organization_id = (select organization_id from due order by next_due_at limit 1)
  `.execute(db)
  return rows
}

/**
 * Marks the states of resources as due, and as unknown until they are settled: until then a reader judges them. For changes
 * that affect more resources than one transaction settles.
 */
export async function markDue(
  db: Database,
  clock: Clock,
  organizationId: string,
  { products, contracts, assets }: TrustSubjects,
): Promise<void> {
  await sql`
    insert into trust_state (
      organization_id, kind, subject, tests, freshness, drift, standing, reasons, next_due_at, updated_at
    )
    select ${organizationId}::uuid, kind, id, 1, 1, 1, 1, '{}', moment.now, moment.now
    from (
      select 'data-product', unnest(${products}::text[])
      union all
      select 'data-contract', unnest(${contracts}::text[])
      union all
      select 'asset', unnest(${assets}::text[])
    ) as given (kind, id)
    cross join (select ${clock.now} as now) as moment
    order by kind, id
    on conflict (organization_id, kind, subject) do update
    set reasons = '{}', next_due_at = excluded.next_due_at
  `.execute(db)
}
