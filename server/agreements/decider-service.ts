import type { Database } from '../platform/tables.ts'
import type { Caller } from '../requests/access/caller.ts'
import {
  findPermissionHolders,
  listPermissionHolders,
} from '../requests/access/error-details-service.ts'
import type { Agreement } from './agreement.ts'
import { mayApprove } from './permission.ts'

/** The people who decide on a request, for a caller. */
interface Deciders {
  /** Whether the caller may approve it. */
  isDecider: boolean
  /** The names of others who may approve it, at most `DECIDERS_MAX`. */
  deciders: string[]
  /** The name of the team that owns the data product; null = it was deleted. */
  teamName: string | null
}

const DECIDERS_MAX = 5

/** A request, also one that was not sent yet. */
type Request = Pick<Agreement, 'providerTeam' | 'requestedByUser' | 'consumerUser' | 'consumerTeam'>

/**
 * Finds who decides on a request: the approvers of the team that owns the data product, without the people whose own
 * request it is, unless they decide for the consumer, too.
 */
export async function findDeciders(
  db: Database,
  caller: Caller,
  request: Request,
): Promise<Deciders> {
  const { providerTeam, consumerTeam, requestedByUser, consumerUser } = request
  const applicants = [requestedByUser, consumerUser].filter((one) => one !== null)
  const deciding =
    consumerTeam === null || applicants.length === 0
      ? []
      : await listPermissionHolders(db, caller, {
          permission: 'ACCESS_APPROVE',
          team: consumerTeam,
          userIds: applicants,
        })
  const { name, people } = await findPermissionHolders(db, caller, {
    permission: 'ACCESS_APPROVE',
    team: providerTeam,
    limit: DECIDERS_MAX,
    except: applicants.filter((one) => !deciding.includes(one)),
  })
  return { isDecider: mayApprove(caller, request), deciders: people, teamName: name }
}
