import { getUserId, type Caller } from '../access/caller.ts'
import { findProductOwner } from '../data-products/owner-service.ts'
import { notFound, ApiError } from '../errors.ts'
import type { Services } from '../http/endpoint.ts'
import { PAGE_ELEMENTS_MAX } from '../http/paging.ts'
import type { Database } from '../tables.ts'
import type { Stargazer, StarCount, StarringPerson } from './star.ts'
import * as store from './store.ts'

/** Returns the number of stars of a data product, and whether the caller has one. Errors: not_found. */
export async function getStars(db: Database, caller: Caller, id: string): Promise<StarCount> {
  const product = { organizationId: caller.organizationId, id }
  const stars = await store.findStars(db, product, toPerson(caller))
  if (stars === undefined) throw notFound()
  return stars
}

/** Stars a data product, or removes the star. Errors: permission_missing, not_found. */
export async function setStar(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Caller,
  id: string,
  isStarred: boolean,
): Promise<void> {
  if (caller.scope !== 'user') {
    throw new ApiError(
      'permission_missing',
      'Only people can star data products. Use a personal API key, or sign in.',
    )
  }
  const product = { organizationId: caller.organizationId, id }
  const person = toPerson(caller)
  const isFound = isStarred
    ? await store.insertStar(db, clock, product, person)
    : await store.deleteStar(db, product, person)
  if (!isFound) throw notFound()
}

/**
 * Lists a page of the people who starred a data product, and whether there are more. Errors: not_found,
 * permission_missing.
 */
export async function listStargazers(
  db: Database,
  caller: Caller,
  id: string,
  page: number,
): Promise<{ stargazers: Stargazer[]; hasMore: boolean }> {
  const product = { organizationId: caller.organizationId, id }
  const owner = await findProductOwner(db, caller.organizationId, id)
  if (owner === undefined) throw notFound()
  if (!isOwner(caller, owner)) {
    throw new ApiError(
      'permission_missing',
      `Only owners of the team ${owner} can list the people who starred its data products.`,
    )
  }
  const range = { offset: page * PAGE_ELEMENTS_MAX, limit: PAGE_ELEMENTS_MAX + 1 }
  const rows = await store.listStargazers(db, product, range)
  return {
    stargazers: rows.slice(0, PAGE_ELEMENTS_MAX),
    hasMore: rows.length > PAGE_ELEMENTS_MAX,
  }
}

// Read-only keys see what owners see, although they have no permission.
function isOwner({ organizationOwner, roles }: Caller, team: string): boolean {
  return organizationOwner || roles.get(team)?.includes('Owner') === true
}

function toPerson(caller: Caller): StarringPerson {
  return { userId: getUserId(caller), keyId: caller.keyId }
}
