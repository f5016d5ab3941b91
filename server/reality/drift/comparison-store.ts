import { sql, type RawBuilder } from 'kysely'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { FindingCause } from './drift.ts'

// The statements that find what has to be compared. A comparison is current if its promise, its asset and the version of
// that are; a link records them.

/** SQL expression: the key of what is compared with a version of an asset, as links record it. */
export function selectComparedKey(
  digest: RawBuilder<unknown>,
  assetId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`${digest} || ' ' || ${assetId}`
}

/** SQL fragment: a relation of the keys of promises with contract_id, server and model. */
export function selectKeys(keys: readonly PromiseKey[]): RawBuilder<unknown> {
  return sql`
      select contract_id, server, model
      from unnest(
        ${keys.map(({ contractId }) => contractId)}::text[],
        ${keys.map(({ server }) => server)}::text[],
        ${keys.map(({ model }) => model)}::text[]
      ) as given (contract_id, server, model)`
}

/**
 * Locks the links of promises in the order of their keys until the end of the transaction: two runs that change the
 * assets of one promise take turns. What they compare is read by later statements.
 */
export async function lockLinks(
  db: Database,
  organizationId: string,
  keys: readonly PromiseKey[],
): Promise<void> {
  await sql`
    with locked as materialized (
      select link.contract_id
      from asset_link as link
      join (${selectKeys(keys)}
      ) as affected using (contract_id, server, model)
      where link.organization_id = ${organizationId}
      order by link.contract_id, link.server, link.model
      for no key update of link
    )
    select count(*)
    from locked
  `.execute(db)
}

/** A promise and the asset that it is linked with, ready to be compared. */
interface Pair extends PromiseKey {
  platform: string | null
  /** JSON. */
  promise: string
  comparedKey: string
  isProduction: boolean
  assetId: string
  assetVersion: number
  document: string
  mediaType: string
  source: string | null
  assetType: string
  /** Why the comparison is due, and the run that changed the asset. */
  because: FindingCause
  runId: string | null
}

/** The limits of what is compared at once. */
export interface PairLimits {
  pairsMax: number
  /** The characters of all promises and documents; the first pair may have more. */
  charactersMax: number
}

/**
 * SQL fragment: the links of a relation of keys whose comparison is not current, with `promise` and `asset`. Each is looked up by
 * its key: a join reads all links of an organization if the statistics are older than they are.
 */
function fromDue(organizationId: string, keys: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    from ${keys} as given
    cross join lateral (
      select *
      from asset_link
      where organization_id = ${organizationId}
        and contract_id = given.contract_id
        and server = given.server
        and model = given.model
        and state = 'linked'
      limit 1
    ) as link
    cross join lateral (
      select platform, promise, digest, is_production
      from contract_promise
      where organization_id = ${organizationId}
        and contract_id = given.contract_id
        and server = given.server
        and model = given.model
      limit 1
    ) as promise
    cross join lateral (
      select external_id, version, document, document_json, media_type, source, type, run_id
      from asset
      where organization_id = ${organizationId}
        and external_id = link.asset_id
      limit 1
    ) as asset
    where (link.promise_digest, link.asset_version)
      is distinct from (${COMPARED_KEY}, asset.version)`
}

const COMPARED_KEY = selectComparedKey(sql`promise.digest`, sql`link.asset_id`)

/**
 * Lists the first of some promises whose comparison is not current, in the order of their keys. Their asset must be in
 * the catalog. `linkedBecause` is the cause of links that no run has made.
 */
export async function listDuePairs(
  db: Database,
  organizationId: string,
  keys: readonly PromiseKey[],
  { pairsMax, charactersMax }: PairLimits,
  linkedBecause: FindingCause,
): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    with affected as materialized (${selectKeys(keys)}
    ),
    due as materialized (
      select link.contract_id, link.server, link.model, promise.platform, promise.promise,
        ${COMPARED_KEY} as compared_key, promise.is_production, asset.external_id as asset_id,
        asset.version as asset_version, coalesce(asset.document_json, asset.document) as document,
        case when asset.document_json is null then asset.media_type else 'application/json' end
          as media_type,
        asset.source, asset.type,
        case when link.promise_digest is null then link.run_id else asset.run_id end as run_id,
        case
          -- It was not compared since it was linked.
          when link.promise_digest is null and link.run_id is not null then 'run'
          when link.promise_digest is null then ${linkedBecause}
          when split_part(link.promise_digest, ' ', 1) <> promise.digest then 'contract'
          when link.promise_digest <> ${COMPARED_KEY} then 'link'
          when asset.run_id is null then 'asset'
          else 'run'
        end as because
      ${fromDue(organizationId, sql`affected`)}
      order by link.contract_id, link.server, link.model
      limit ${pairsMax}
    ),
    measured as (
      select due.*,
        sum(length(document) + length(promise::text))
          over (order by contract_id, server, model rows between unbounded preceding and 1 preceding)
          as characters
      from due
    )
    select contract_id as "contractId", server, model, platform, promise::text as promise,
      compared_key as "comparedKey", is_production as "isProduction", asset_id as "assetId",
      asset_version as "assetVersion", document, media_type as "mediaType", source,
      type as "assetType", because, case when because = 'run' then run_id end as "runId"
    from measured
    where coalesce(characters, 0) < ${charactersMax}
    order by contract_id, server, model
  `.execute(db)
  return rows
}

/** Marks the promises of a list whose comparison is not current; the upkeep compares them. Returns their number. */
export async function markComparing(
  db: Database,
  clock: Clock,
  organizationId: string,
  keys: readonly PromiseKey[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    with affected as materialized (${selectKeys(keys)}
    ),
    due as materialized (
      select link.contract_id, link.server, link.model
      ${fromDue(organizationId, sql`affected`)}
    )
    update asset_link as link
    set comparing_since = ${clock.now}
    from due
    where link.organization_id = ${organizationId}
      and link.contract_id = due.contract_id
      and link.server = due.server
      and link.model = due.model
      and link.comparing_since is null
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Lists the promises of one organization that wait longest for their comparison, at most `limit`. */
export async function listComparing(
  db: Database,
  limit: number,
): Promise<{ organizationId: string; keys: PromiseKey[] } | undefined> {
  const { rows } = await sql<PromiseKey & { organizationId: string }>`
    select organization_id as "organizationId", contract_id as "contractId", server, model
    from asset_link
    where comparing_since is not null
      and organization_id = (
        select organization_id
        from asset_link
        where comparing_since is not null
        order by comparing_since
        limit 1
      )
    order by comparing_since, contract_id, server, model
    limit ${limit}
  `.execute(db)
  const [first] = rows
  return first && { organizationId: first.organizationId, keys: rows }
}

/** Clears the marks of promises whose comparison is current, or that have no asset any more. */
export async function clearCurrent(
  db: Database,
  organizationId: string,
  keys: readonly PromiseKey[],
): Promise<void> {
  await sql`
    with affected as materialized (${selectKeys(keys)}
    )
    update asset_link as marked
    set comparing_since = null
    from affected
    where marked.organization_id = ${organizationId}
      and marked.contract_id = affected.contract_id
      and marked.server = affected.server
      and marked.model = affected.model
      and marked.comparing_since is not null
      and not exists (
        select
        ${fromDue(organizationId, sql`(select marked.contract_id, marked.server, marked.model)`)}
      )
  `.execute(db)
}

/** Lists the classification schemes of an organization, each as its tiers. */
export async function listTiers(
  db: Database,
  organizationId: string,
): Promise<{ id: string; name: string }[][]> {
  const { rows } = await sql<{ tiers: { id: string; name: string }[] }>`
    select jsonb_agg(
      jsonb_build_object('id', tier ->> 'externalId', 'name', tier ->> 'name') order by ordinal
    ) as tiers
    from catalog_record as scheme
    -- A document in YAML has a JSON form.
    cross join jsonb_array_elements(
      coalesce(scheme.document_json, scheme.document)::jsonb -> 'classifications'
    ) with ordinality as item (tier, ordinal)
    where scheme.organization_id = ${organizationId}
      and scheme.kind = 'classification-scheme'
    group by scheme.external_id
    order by scheme.external_id
    limit ${SCHEMES_MAX}
  `.execute(db)
  return rows.map(({ tiers }) => tiers)
}

const SCHEMES_MAX = 100
