import { findTeamRoles } from '../../requests/access/caller-store.ts'
import { listRolesWith } from '../../requests/access/permission.ts'
import { parseCustomRoles } from '../../requests/access/team-role.ts'
import { deleteEndedFollows } from '../follows/service.ts'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Log } from '../../platform/kit/log.ts'
import type { Mailing } from '../../platform/kit/mailing.ts'
import { workInTurns } from '../../platform/kit/organization-turns.ts'
import { planForLookups } from '../../platform/kit/planning.ts'
import { startJobs, type PeriodicJobs } from '../../platform/kit/periodic-jobs.ts'
import type { Tracer } from '../../platform/kit/tracing.ts'
import type { Database } from '../../platform/tables.ts'
import { enqueueDeliveries } from './delivery-service.ts'
import * as store from './distribution-store.ts'
import * as due from './due-store.ts'

/** The services that notify. */
interface NotifyingServices {
  db: Database
  clock: Clock
  log: Log
  /** Without a mail server, no e-mails are enqueued, and none are sent later. */
  mailing?: Mailing | undefined
  /** Whether the store accepts no writes, or has the schema of another version, whose processes are then responsible. */
  isPaused: () => boolean
  /** Undefined = no traces are recorded. */
  tracer?: Tracer | undefined
}

const DISTRIBUTE_MS = 500
const ORGANIZATIONS_AT_ONCE_MAX = 100
const DELETE_MAX = 10_000

/** Starts to distribute notifications. Every working process does it; each organization is handled by one at a time. */
export function startDistribution(services: NotifyingServices): PeriodicJobs {
  const run = (): Promise<void> => distribute(services)
  const job = { name: 'distributing notifications', periodMs: DISTRIBUTE_MS, run }
  return startJobs([job], services)
}

type DistributionServices = Pick<NotifyingServices, 'db' | 'clock' | 'log' | 'mailing'>

/**
 * Finds the recipients of pending notifications, and enqueues their deliveries, a few notifications in each transaction:
 * transactions are short, because a long one delays the event feed. The organizations take turns for each of them. A
 * failure in one organization is logged, and does not keep the others waiting.
 */
export async function distribute(services: DistributionServices): Promise<void> {
  const { db, log } = services
  await workInTurns({
    list: async (page) => await store.listPendingOrganizations(db, page),
    async work(organizationId) {
      try {
        return await distributeNext(services, organizationId)
      } catch (error) {
        log.error(
          { err: error, organizationId },
          'distributing the notifications of an organization failed',
        )
        return false
      }
    },
    limit: ORGANIZATIONS_AT_ONCE_MAX,
  })
}

/** Distributes the next notifications of an organization. Returns false if there are none, or another process does it. */
async function distributeNext(
  { db, clock, mailing }: DistributionServices,
  organizationId: string,
): Promise<boolean> {
  const roles = parseCustomRoles(await findTeamRoles(db, organizationId))
  const approverRoles = ['Owner', ...listRolesWith('ACCESS_APPROVE', roles)]
  const sendsMail = mailing !== undefined
  return await db.transaction().execute(async (transaction) => {
    // Another process would take later notifications, and people would get them in another order.
    if (!(await store.lockDistribution(transaction, organizationId))) return false
    const ids = await store.distributeNotifications(
      transaction,
      clock,
      organizationId,
      approverRoles,
    )
    if (ids.length === 0) return false
    await enqueueDeliveries({ db: transaction, clock, sendsMail }, organizationId, ids)
    const ended = await store.listEndedSubjects(transaction, organizationId, ids)
    if (ended.length > 0) await deleteEndedFollows(transaction, organizationId, ended)
    return true
  })
}

/** Inserts the notifications of runs that ended. */
export async function notifyOfRuns({
  db,
  clock,
}: Pick<NotifyingServices, 'db' | 'clock'>): Promise<void> {
  await due.insertRunNotifications(db, clock)
  await due.insertHeldNotifications(db, clock)
}

/** Inserts the notifications of what expires soon. */
export async function notifyOfExpiries({
  db,
  clock,
}: Pick<NotifyingServices, 'db' | 'clock'>): Promise<void> {
  await due.insertKeyNotifications(db, clock)
}

/** Deletes notifications that are too old, or too many. */
export async function deleteExpiredNotifications({
  db,
  clock,
}: Pick<NotifyingServices, 'db' | 'clock'>): Promise<void> {
  const deleteAll = async (deleteSome: (db: Database) => Promise<number>) =>
    deleteInBatches(DELETE_MAX, async () =>
      db.transaction().execute(async (transaction) => {
        // A table that was filled within seconds has no statistics: a join would read all of its rows for each batch.
        await planForLookups(transaction)
        return await deleteSome(transaction)
      }),
    )
  await deleteAll((transaction) => store.deleteOldNotifications(transaction, clock, DELETE_MAX))
  await deleteAll((transaction) => store.deleteExcessNotifications(transaction, DELETE_MAX))
}
