import type { Caller } from '../../requests/access/caller.ts'
import { isTeamOwner } from '../../requests/access/permission.ts'
import { findProductOwner } from '../../ledger/ports/service.ts'
import { notFound, ApiError } from '../../platform/errors.ts'
import { follow, getFollowState, listFollowers, unfollow } from '../../notices/follows/service.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { toPage, type Page } from '../../requests/http/paging.ts'
import type { Database } from '../../platform/tables.ts'
import type { Stargazer, StarCount } from './star.ts'

const KIND = 'data-product'

/** Returns the number of stars of a data product, and whether the caller has one. Errors: not_found. */
export async function getStars(db: Database, caller: Caller, id: string): Promise<StarCount> {
  const { count, state } = await getFollowState(db, caller, { kind: KIND, id })
  return { count, starredByMe: state === 'following' }
}

/** Stars a data product, or removes the star. Errors: permission_missing, not_found, limit_reached. */
export async function setStar(
  services: Pick<Services, 'db' | 'clock'>,
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
  const subject = { kind: KIND, id } as const
  if (isStarred) await follow(services, caller, subject)
  else await unfollow(services.db, caller, subject, { keepsMute: true })
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
): Promise<Page<Stargazer>> {
  const { organizationId } = caller
  const owner = await findProductOwner(db, organizationId, id)
  if (owner === undefined) throw notFound()
  if (!isTeamOwner(caller, owner)) {
    throw new ApiError(
      'permission_missing',
      `Only owners of the team ${owner} can list the people who starred its data products.`,
    )
  }
  return toPage(await listFollowers(db, { organizationId, kind: KIND, id }, page))
}
