import {
  advanceDueAgreements,
  endAccessOfFormerMembers,
  endAccessOfPerson,
  moveMisplacedAgreements,
} from './agreements/occasion-service.ts'
import { purgeAssets } from './catalog/assets/removal-service.ts'
import { deleteExpiredDeliveries } from './delivery/deliveries/service.ts'
import { countReaders } from './documents/search/reader-service.ts'
import {
  closeAbandonedRuns,
  deleteRunLeftovers,
  deleteRunLogs,
  startDue,
  type RunUpkeepServices,
} from './ingestion/runs/upkeep-service.ts'
import { sealActivity } from './ledger/activity/seal-service.ts'
import { enqueueDigests } from './notices/notification-mails/digest-service.ts'
import {
  deleteExpiredNotifications,
  notifyOfExpiries,
  notifyOfRuns,
} from './notices/notifications/distribution-service.ts'
import { deleteEndedSessions } from './people/users/session-service.ts'
import { deleteUsedTokens } from './people/providers/logout-service.ts'
import { removeSuspendedMembers } from './people/organizations/suspension-service.ts'
import { deleteGoneProcesses } from './platform/processes/store.ts'
import type { JobWork } from './platform/processes/upkeep.ts'
import type { Database } from './platform/tables.ts'
import { endExpiredAcceptances } from './reality/drift/acceptance-service.ts'
import { compareWaiting, deleteOldDrift } from './reality/drift/upkeep-service.ts'
import { deleteExpiredStatistics, judgeDueFreshness } from './reality/freshness/upkeep-service.ts'
import { compareDueGrants } from './reality/grants/upkeep-service.ts'
import { deleteExpiredIncidents } from './reality/incidents/read-service.ts'
import { fillPromises, relinkOutdated } from './reality/links/fill-service.ts'
import { settleReality } from './reality/settle-service.ts'
import { settleDueTrust } from './reality/trust/settle-service.ts'
import type { Offload } from './requests/http/offload.ts'
import { deleteExpiredEvents } from './reports/lineage-events/service.ts'
import { deleteExpiredChecks } from './reports/test-results/check-service.ts'
import {
  deleteExpiredResults,
  deleteExpiredSamples,
} from './reports/test-results/expiry-service.ts'
import { expireUsage } from './reports/usage/service.ts'

/** The services of the jobs. */
interface JobServices extends RunUpkeepServices {
  /** For notifications. */
  relayDb: Database
  /** For comparisons of contracts with assets. */
  offload: Offload
}

/** Returns the work of every job of the upkeep (`platform/processes/jobs.ts`). */
export function newJobWork(services: JobServices): JobWork {
  const { db, bulkDb, clock } = services
  const notices = { db: services.relayDb, clock }
  return {
    'scheduled-runs': () => startDue(services),
    'abandoned-runs': () => closeAbandonedRuns(services),
    'run-notices': () => notifyOfRuns(notices),
    'agreement-dates': () => advanceDueAgreements(services),
    freshness: () => judgeDueFreshness({ db, clock, settleReality }),
    'reader-counts': () => countReaders(services),
    'trust-states': () => settleDueTrust(bulkDb, clock),
    'activity-seals': () => sealActivity(services),
    digests: () => enqueueDigests(notices),
    'expiry-notices': () => notifyOfExpiries(notices),
    'former-members': () => endAccessOfFormerMembers(services),
    'agreement-owners': () => moveMisplacedAgreements(db),
    'grant-comparisons': () => compareDueGrants({ db: bulkDb, clock }),
    'suspended-members': () => removeSuspendedMembers(services, endAccessOfPerson),
    comparisons: () => compareWaiting({ db: bulkDb, clock, offload: services.offload }),
    'drift-acceptances': () => endExpiredAcceptances({ db, clock, settleReality }),
    'drift-findings': () => deleteOldDrift(bulkDb, clock),
    promises: () => fillPromises({ db: bulkDb, clock, settleReality }),
    'outdated-links': () => relinkOutdated({ db: bulkDb, clock, settleReality }),
    'run-leftovers': () => deleteRunLeftovers(services),
    'run-logs': () => deleteRunLogs(services),
    'removed-assets': () => purgeAssets(bulkDb, clock, settleReality),
    'lineage-events': () => deleteExpiredEvents(bulkDb, clock),
    'test-results': async () => {
      await deleteExpiredResults({ bulkDb, clock, settleReality })
      await deleteExpiredSamples(services)
      await deleteExpiredChecks(services)
      await deleteExpiredIncidents(services)
    },
    'asset-statistics': () => deleteExpiredStatistics(bulkDb, clock),
    usage: () => expireUsage(bulkDb, clock),
    deliveries: () => deleteExpiredDeliveries(bulkDb, clock),
    notifications: () => deleteExpiredNotifications(notices),
    'used-tokens': () => deleteUsedTokens(db, clock),
    'ended-sessions': () => deleteEndedSessions(bulkDb, clock),
    processes: () => deleteGoneProcesses(db, clock),
  }
}
