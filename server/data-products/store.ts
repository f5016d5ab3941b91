import { sql, type RawBuilder } from 'kysely'
import type { NewEvent } from '../events/event.ts'
import { recordEvents } from '../events/record.ts'
import { firstInstant, firstVersion, recordDeletion, recordRevision } from '../history/record.ts'
import type { Clock, Instant } from '../kit/clock.ts'
import { SHORT_READ } from '../kit/short-reads.ts'
import type { Database } from '../tables.ts'
import type { ProductRow } from './data-product.ts'

/** A product as it stands, and what a change of it must know. */
export interface ProductState {
  /** The store's clock. */
  now: Instant
  version: number | null
  digest: string | null
  document: string | null
  documentJson: string | null
  mediaType: string | null
  format: string | null
  /** External id of the team that owns it. */
  owner: string | null
  /** Internal id of that team. */
  ownerTeamId: string | null
}

/** Who changes a product, for history and events. */
export interface ChangeOrigin {
  organizationId: string
  principal: string
  requestId: string
}

const KIND = 'data-product'

/** Finds a product's state; all but the clock is null when there is no such product. */
export async function findState(
  db: Database,
  clock: Clock,
  organizationId: string,
  externalId: string,
): Promise<ProductState> {
  const { rows } = await sql<ProductState>`${sql.raw(SHORT_READ)}
    select
      ${clock.now} as now, product.version, product.digest, product.document,
      product.document_json as "documentJson", product.media_type as "mediaType", product.format,
      owner.external_id as owner, owner.id as "ownerTeamId"
    from (select 1) as always
    left join data_product as product on product.organization_id = ${organizationId}
      and product.external_id = ${externalId}
    left join team as owner on owner.organization_id = product.organization_id
      and owner.id = product.owner_team_id
  `.execute(db)
  const [state] = rows
  if (state === undefined) throw new Error('a statement that always gives a row gave none')
  return state
}

/** Finds the internal id of a team by its external id; null = there is no such team. */
export async function findTeamId(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`${sql.raw(SHORT_READ)}
    select id
    from team
    where organization_id = ${organizationId}
      and external_id = ${externalId}
  `.execute(db)
  return rows[0]?.id ?? null
}

/**
 * Adds a product with its first revision and its events, in one statement. Says false when another
 * writer was first: nothing was written then.
 */
export async function insertProduct(
  db: Database,
  clock: Clock,
  origin: ChangeOrigin,
  row: ProductRow,
  events: readonly NewEvent[],
): Promise<boolean> {
  const { organizationId, principal } = origin
  const { facts } = row
  const write = sql`
    insert into data_product (
      organization_id, external_id, document, media_type, document_json, format, version, digest,
      name, description, owner_team_id, status, archetype, maturity, domain, tags,
      input_contracts, output_contracts, search, created_at, updated_at, updated_by
    )
    select
      ${organizationId}::uuid, ${row.externalId}, ${row.document}, ${row.mediaType},
      ${row.documentJson}, ${row.format}, ${firstVersion(organizationId, KIND, row.externalId)},
      ${row.digest}, ${facts.name}, ${facts.description}, ${row.ownerTeamId}::uuid,
      ${facts.status}, ${facts.archetype}, ${facts.maturity}, ${facts.domain}, ${facts.tags}::text[],
      ${row.inputContracts}::text[], ${row.outputContracts}::text[],
      array_to_tsvector(${facts.words}::text[]), now.instant, now.instant, ${principal}
    from (select ${firstInstant(clock, organizationId, KIND, row.externalId)} as instant) as now
    on conflict (organization_id, external_id) do nothing
    returning external_id, version, document, digest, created_at, updated_at`
  return await writeProduct(db, write, origin, row, events)
}

/**
 * Replaces one version of a product by the next, with its revision and its events, in one
 * statement. Says false when that version is no longer the current one: nothing was written then.
 */
export async function updateProduct(
  db: Database,
  clock: Clock,
  origin: ChangeOrigin,
  row: ProductRow,
  events: readonly NewEvent[],
  version: number,
): Promise<boolean> {
  const { facts } = row
  const write = sql`
    update data_product
    set document = ${row.document}, media_type = ${row.mediaType},
      document_json = ${row.documentJson}, format = ${row.format}, version = version + 1,
      digest = ${row.digest}, name = ${facts.name}, description = ${facts.description},
      owner_team_id = ${row.ownerTeamId}, status = ${facts.status},
      archetype = ${facts.archetype}, maturity = ${facts.maturity}, domain = ${facts.domain},
      tags = ${facts.tags}::text[], input_contracts = ${row.inputContracts}::text[],
      output_contracts = ${row.outputContracts}::text[],
      search = array_to_tsvector(${facts.words}::text[]),
      -- Later than the version before, even when the clock stands still.
      updated_at = greatest(${clock.now}, updated_at + interval '1 microsecond'),
      updated_by = ${origin.principal}
    where organization_id = ${origin.organizationId}
      and external_id = ${row.externalId}
      and version = ${version}
    returning external_id, version, document, digest, created_at, updated_at`
  return await writeProduct(db, write, origin, row, events)
}

async function writeProduct(
  db: Database,
  write: RawBuilder<unknown>,
  origin: ChangeOrigin,
  row: ProductRow,
  events: readonly NewEvent[],
): Promise<boolean> {
  const told = { result: 'written', timeColumn: 'updated_at' } as const
  const { rows } = await sql<{ version: number }>`
    with written as (${write}
    ),
    revised as (${recordRevision({ ...origin, ...row, kind: KIND })}
    ),
    announced as (${recordEvents({ ...origin, kind: KIND }, events, told)}
    )
    select version from written
  `.execute(db)
  return rows.length > 0
}

/**
 * Deletes a version of a product, marks its last revision and tells it, in one statement. Says
 * false when that version is no longer the current one.
 */
export async function deleteProduct(
  db: Database,
  clock: Clock,
  origin: ChangeOrigin,
  externalId: string,
  version: number,
  events: readonly NewEvent[],
): Promise<boolean> {
  const { organizationId, principal } = origin
  const told = { result: 'removed', timeColumn: 'removed_at' } as const
  const { rows } = await sql<{ version: number }>`
    with removed as (
      delete from data_product
      where organization_id = ${organizationId}
        and external_id = ${externalId}
        and version = ${version}
      returning external_id, version,
        greatest(${clock.now}, updated_at + interval '1 microsecond') as removed_at
    ),
    marked as (${recordDeletion(organizationId, KIND, principal)}
    ),
    announced as (${recordEvents({ ...origin, kind: KIND }, events, told)}
    )
    select version from removed
  `.execute(db)
  return rows.length > 0
}

/** A product as a reader gets it. */
export interface ProductDocument {
  document: string
  documentJson: string | null
  mediaType: string
  format: string
  digest: string
}

/** Finds a product's document. */
export async function findProduct(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<ProductDocument | undefined> {
  const { rows } = await sql<ProductDocument>`${sql.raw(SHORT_READ)}
    select
      document, document_json as "documentJson", media_type as "mediaType", format, digest
    from data_product
    where organization_id = ${organizationId}
      and external_id = ${externalId}
  `.execute(db)
  return rows[0]
}

/** Lists the products that consume one of some contracts, other than the product itself. */
export async function listConsumers(
  db: Database,
  organizationId: string,
  externalId: string,
  contracts: readonly string[],
): Promise<{ id: string; name: string; ownerId: string }[]> {
  const { rows } = await sql<{ id: string; name: string; ownerId: string }>`
    select data_product.external_id as id, data_product.name, team.external_id as "ownerId"
    from data_product
    join team on team.organization_id = data_product.organization_id
      and team.id = data_product.owner_team_id
    where data_product.organization_id = ${organizationId}
      and data_product.external_id <> ${externalId}
      and data_product.input_contracts && ${contracts}::text[]
    order by data_product.external_id
    limit 1000
  `.execute(db)
  return rows
}
