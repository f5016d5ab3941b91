import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { selectPage } from '../http/paging.ts'
import type { Database } from '../tables.ts'
import type { Stargazer, StarCount, StarredProduct, StarringPerson } from './star.ts'

// The internal id of the person; null for keys of teams and organizations.
function selectUserId(
  organizationId: string,
  { userId, keyId }: StarringPerson,
): RawBuilder<unknown> {
  if (userId !== undefined) return sql`${userId}::uuid`
  return sql`(
      select user_id
      from api_key
      where organization_id = ${organizationId}
        and id = ${keyId ?? null}::uuid
    )`
}

/** Counts the stars of a data product; undefined if the product does not exist. */
export async function findStars(
  db: Database,
  { organizationId, id }: StarredProduct,
  person: StarringPerson,
): Promise<StarCount | undefined> {
  const { rows } = await sql<StarCount>`
    select count(star.user_id)::integer as count,
      coalesce(bool_or(star.user_id = ${selectUserId(organizationId, person)}), false) as "starredByMe"
    from data_product as product
    left join data_product_star as star on star.organization_id = product.organization_id
      and star.data_product_id = product.external_id
    where product.organization_id = ${organizationId}
      and product.external_id = ${id}
    group by product.external_id
  `.execute(db)
  return rows[0]
}

/**
 * Adds the star of a person, unless they have starred the product. Product and member are locked against deletion,
 * so both exist as long as the star. Returns false if the product does not exist.
 */
export async function insertStar(
  db: Database,
  clock: Clock,
  { organizationId, id }: StarredProduct,
  person: StarringPerson,
): Promise<boolean> {
  const { rows } = await sql`
    with product as materialized (
      select external_id
      from data_product
      where organization_id = ${organizationId}
        and external_id = ${id}
      for key share
    ),
    person as materialized (
      select user_id
      from organization_member
      where organization_id = ${organizationId}
        and user_id = ${selectUserId(organizationId, person)}
      for key share
    ),
    starred as (
      insert into data_product_star (organization_id, data_product_id, user_id, starred_at)
      select ${organizationId}::uuid, product.external_id, person.user_id, ${clock.now}
      from product
      cross join person
      on conflict do nothing
    )
    select external_id
    from product
  `.execute(db)
  return rows.length > 0
}

/** Removes the star of a person, if there is one. Returns false if the product does not exist. */
export async function deleteStar(
  db: Database,
  { organizationId, id }: StarredProduct,
  person: StarringPerson,
): Promise<boolean> {
  const { rows } = await sql`
    with unstarred as (
      delete from data_product_star
      where organization_id = ${organizationId}
        and data_product_id = ${id}
        and user_id = ${selectUserId(organizationId, person)}
    )
    select external_id
    from data_product
    where organization_id = ${organizationId}
      and external_id = ${id}
  `.execute(db)
  return rows.length > 0
}

/** Lists a page of the people who starred a data product, the first one first, and one more if there is a next page. */
export async function listStargazers(
  db: Database,
  { organizationId, id }: StarredProduct,
  page: number,
): Promise<Stargazer[]> {
  const { rows } = await sql<Stargazer>`
    select star.user_id as "userId", user_account.name as "fullName"
    from data_product_star as star
    join user_account on user_account.id = star.user_id
    where star.organization_id = ${organizationId}
      and star.data_product_id = ${id}
    order by star.starred_at, star.user_id
    ${selectPage(page)}
  `.execute(db)
  return rows
}
