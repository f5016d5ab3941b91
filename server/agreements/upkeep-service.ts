import { setTimeout as sleep } from 'node:timers/promises'
import { splitBySize } from '../platform/kit/batches.ts'
import type { Clock } from '../platform/kit/clock.ts'
import type { Log } from '../platform/kit/log.ts'
import { startJobs, type PeriodicJobs } from '../platform/kit/periodic-jobs.ts'
import type { Database } from '../platform/tables.ts'
import type { AgreementKey } from './agreement.ts'
import { presentWrite, settleAgreement } from './change-service.ts'
import { endAccessOfFormerMembers } from './departure-service.ts'
import { listDueAgreements, lockDueAgreements } from './due-store.ts'
import { moveMisplacedAgreements } from './owner-change-service.ts'
import { updateAgreements, type AgreementWrite } from './store.ts'

/** The services for the upkeep of agreements. */
export interface AgreementUpkeepServices {
  db: Database
  clock: Clock
  log: Log
  /** Whether the store accepts no writes, or has the schema of another version, whose processes are then responsible. */
  isPaused: () => boolean
}

const DUE_MS = 5000

// Members who are removed lose their access at once, and agreements follow a new owner at once. Only imports and earlier
// versions leave work for these jobs.
const REPAIRS_MS = 600_000

// One transaction presents and writes this many. It occupies the event loop for a few milliseconds.
const DUE_AT_ONCE = 25
// Those of other organizations that become due in the meantime wait for this many.
const LISTED_AT_ONCE = 500
// The pause after a transaction, in times of its duration. Ten thousand agreements still take less than a minute.
const PAUSE = 2

/**
 * Starts the jobs that activate and end agreements when their day comes, announce reminders, end the access of people who
 * are no longer members, and move agreements to the owners of their data products. Every process runs them, and one is enough.
 */
export function startAgreementUpkeep(services: AgreementUpkeepServices): PeriodicJobs {
  const jobs = [
    {
      name: 'activating and ending access agreements',
      periodMs: DUE_MS,
      run: () => advanceDueAgreements(services),
    },
    {
      name: 'ending the access of former members',
      periodMs: REPAIRS_MS,
      run: () => endAccessOfFormerMembers(services),
    },
    {
      name: 'moving access agreements to the owners of their data products',
      periodMs: REPAIRS_MS,
      run: () => moveMisplacedAgreements(services.db),
    },
  ]
  return startJobs(jobs, { log: services.log, isPaused: services.isPaused })
}

/**
 * Advances all agreements that are due, of all organizations in turn: each once, whichever process is first, with the
 * events of everything that has happened since, in order. Returns their number.
 */
export async function advanceDueAgreements(
  services: Pick<AgreementUpkeepServices, 'db' | 'clock'>,
): Promise<number> {
  let total = 0
  for (;;) {
    const due = await listDueAgreements(services.db, services.clock, LISTED_AT_ONCE)
    const count = await advanceAll(services, due)
    total += count
    if (count === 0) return total
  }
}

async function advanceAll(
  services: Pick<AgreementUpkeepServices, 'db' | 'clock'>,
  due: readonly AgreementKey[],
): Promise<number> {
  let total = 0
  for (const batch of splitBySize(due, DUE_AT_ONCE, () => 1)) {
    const startedAtMs = performance.now()
    total += await advanceBatch(services, batch)
    // Requests come between two batches, and find an idle database.
    if (batch.length === DUE_AT_ONCE) await sleep(PAUSE * (performance.now() - startedAtMs))
  }
  return total
}

async function advanceBatch(
  { db, clock }: Pick<AgreementUpkeepServices, 'db' | 'clock'>,
  due: readonly AgreementKey[],
): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    const locked = await lockDueAgreements(transaction, clock, due)
    if (locked.length === 0) return 0
    const writes = locked.map((at): AgreementWrite => {
      const { agreement, due: events } = settleAgreement(at)
      return presentWrite({ agreement: { ...agreement, updatedBy: 'system' }, events })
    })
    const change = { principal: 'system', requestId: 'upkeep' }
    return (await updateAgreements(transaction, clock, writes, change)).length
  })
}
