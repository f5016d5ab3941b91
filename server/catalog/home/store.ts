import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import {
  FIRST_PRODUCTS_MAX,
  PRODUCTS_MAX,
  type FirstSteps,
  type Home,
  type HomeProduct,
} from './home.ts'
import { canSeeIntegration, selectTeamIds, type Viewer } from '../../ledger/activity/viewer.ts'

/** Counts the objects of an organization; only the integrations that the viewer can see. */
export async function countAll(db: Database, viewer: Viewer): Promise<Home['counts']> {
  const { organizationId } = viewer
  const { rows } = await sql<Home['counts']>`
    select
      (select count(*) from data_product where organization_id = ${organizationId})
        as "dataProducts",
      (select count(*) from data_contract where organization_id = ${organizationId})
        as "dataContracts",
      (select count(*) from team where organization_id = ${organizationId}) as teams,
      (
        select count(*)
        from asset
        where organization_id = ${organizationId}
          and deleted_at is null
      ) as assets,
      (
        select count(*)
        from catalog_record
        where organization_id = ${organizationId}
          and kind = 'source-system'
      ) as "sourceSystems",
      (
        select count(*)
        from integration
        where organization_id = ${organizationId}
          and ${canSeeIntegration(viewer)}
      ) as integrations
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement that always returns a row returned none')
  return row
}

/** Returns which first steps an organization has done. Each step looks up one row instead of counting. */
export async function findFirstSteps(db: Database, viewer: Viewer): Promise<FirstSteps> {
  const { organizationId } = viewer
  const { rows } = await sql<FirstSteps>`
    select
      exists (select from team where organization_id = ${organizationId}) as team,
      exists (select from data_product where organization_id = ${organizationId})
        as "dataProduct",
      exists (select from api_key where organization_id = ${organizationId}) as "apiKey",
      exists (
        select
        from integration
        where organization_id = ${organizationId}
          and ${canSeeIntegration(viewer)}
      ) as integration,
      exists (
        select from data_product where organization_id = ${organizationId}
        offset ${FIRST_PRODUCTS_MAX}
      ) as "isInUse"
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement that always returns a row returned none')
  return row
}

const PRODUCT = sql`
  product.external_id as id, product.name, product.status, team.external_id as "ownerId",
  team.name as "ownerName", product.description, product.format, product.updated_at as "updatedAt"`

const OWNER = sql`
  join team on team.organization_id = product.organization_id
    and team.id = product.owner_team_id`

/** Lists the products of teams, last changed first. */
export async function listTeamProducts(
  db: Database,
  organizationId: string,
  teams: readonly string[],
): Promise<HomeProduct[]> {
  const { rows } = await sql<HomeProduct>`
    select ${PRODUCT}
    from data_product as product
    ${OWNER}
    where product.organization_id = ${organizationId}
      and product.owner_team_id in ${selectTeamIds(organizationId, teams)}
    order by product.updated_at desc, product.external_id
    limit ${PRODUCTS_MAX}
  `.execute(db)
  return rows
}

/** Lists the products that a person follows, the last one first. */
export async function listStarredProducts(
  db: Database,
  { organizationId, userId }: Viewer,
): Promise<HomeProduct[]> {
  const { rows } = await sql<HomeProduct>`
    select ${PRODUCT}
    from follow
    join data_product as product on product.organization_id = follow.organization_id
      and product.external_id = follow.subject
      and product.created_at <= follow.followed_at
    ${OWNER}
    where follow.organization_id = ${organizationId}
      and follow.user_id = ${userId}::uuid
      and follow.kind = 'data-product'
      and not follow.is_muted
    order by follow.followed_at desc, product.external_id
    limit ${PRODUCTS_MAX}
  `.execute(db)
  return rows
}

// The number of recent changes of products that are searched for the last changed ones.
const LATEST_CHANGES = 500

/**
 * Lists the last changed products among the recent changes of products, and adds the newest ones. Neither step sorts
 * all products.
 */
export async function listLatestProducts(
  db: Database,
  organizationId: string,
): Promise<HomeProduct[]> {
  const { rows } = await sql<HomeProduct>`
    with latest as (
      select subject as external_id
      from activity_entry
      where organization_id = ${organizationId}
        and kind = 'data-product'
      order by at desc
      limit ${LATEST_CHANGES}
    ),
    newest as (
      select external_id
      from data_product
      where organization_id = ${organizationId}
      order by created_at desc, external_id desc
      limit ${PRODUCTS_MAX}
    )
    select ${PRODUCT}
    from data_product as product
    ${OWNER}
    where product.organization_id = ${organizationId}
      and product.external_id in (
        select external_id from latest
        union
        select external_id from newest
      )
    order by product.updated_at desc, product.external_id
    limit ${PRODUCTS_MAX}
  `.execute(db)
  return rows
}
