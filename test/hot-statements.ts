/** The statements of background work over tables that grow, as calls of the functions that send them. */

import { randomUUID } from 'node:crypto'
import * as seals from '../server/ledger/activity/seal-store.ts'
import * as states from '../server/about/state-store.ts'
import * as agreements from '../server/agreements/occasion-store.ts'
import { purgeGone } from '../server/catalog/assets/removal-store.ts'
import { listOpenIncidents } from '../server/catalog/home/attention-store.ts'
import * as attempts from '../server/delivery/deliveries/attempt-store.ts'
import * as claims from '../server/delivery/deliveries/claim-store.ts'
import { deleteEndedDeliveries } from '../server/delivery/deliveries/ledger-store.ts'
import * as follows from '../server/ledger/events/follow-store.ts'
import type { FollowedEvent } from '../server/ledger/events/feed-follower.ts'
import { deleteEndedFollows } from '../server/notices/follows/store.ts'
import { ALL_KINDS } from '../server/platform/kinds.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import { planForLookups, planForWholeTables } from '../server/platform/kit/planning.ts'
import * as runs from '../server/ingestion/runs/claim-store.ts'
import { listWaitingRuns } from '../server/ingestion/runs/run-store.ts'
import * as schedules from '../server/ingestion/runs/schedule-store.ts'
import { deleteAbandoned } from '../server/ingestion/runs/staging-store.ts'
import { listDue } from '../server/ingestion/integrations/run-store.ts'
import * as lineage from '../server/reports/lineage-events/store.ts'
import { enqueueDueDigests } from '../server/notices/notification-mails/digest-store.ts'
import * as access from '../server/notices/notifications/access-store.ts'
import * as changes from '../server/notices/notifications/change-store.ts'
import * as messages from '../server/notices/notifications/delivery-store.ts'
import * as distribution from '../server/notices/notifications/distribution-store.ts'
import * as occasions from '../server/notices/notifications/due-store.ts'
import * as searches from '../server/notices/notifications/search-match-store.ts'
import { insertIncidentNotifications } from '../server/notices/notifications/incident-store.ts'
import { listMatchesAmong } from '../server/documents/search/arrival-store.ts'
import { listNextDocuments } from '../server/documents/search/reader-pass-store.ts'
import * as readers from '../server/documents/search/reader-store.ts'
import * as index from '../server/documents/search/rebuild-store.ts'
import type { Database } from '../server/platform/tables.ts'
import * as results from '../server/reports/test-results/expiry-store.ts'
import { listTrustRows } from '../server/reality/trust/store.ts'
import * as spans from '../server/reports/usage/store.ts'
import * as fanOut from '../server/notices/webhooks/fan-out-store.ts'

/**
 * The reads of statements. `keys`: rows by their keys, also with a plan that was made while the tables were empty.
 * `current`: rows by indexes, with a plan for the tables as they are, as background work has it. `analyzed`: the same
 * once the tables are analyzed, which PostgreSQL does within a minute; before, they choose an index by a guess. `tables`:
 * whole tables, each once, in work that runs hourly or after a start.
 */
export type HotReads = 'keys' | 'current' | 'analyzed' | 'tables'

/** A function of background work. */
export interface HotStatements {
  name: string
  reads: HotReads
  /** The function that sets how its transactions plan. */
  plan?: (db: Database) => Promise<void>
  send(db: Database): Promise<unknown>
}

/** The organization of the statements, and the id of everything else. */
export const HOT_ID = randomUUID()
const ID = HOT_ID
const AT = '2026-01-01T00:00:00.000000Z'
const POSITION = { epoch: 1, transactionId: '1', position: 1 }
const LANE = { organizationId: ID, channel: 'webhook', target: 'target', subject: 'subject' }
const LIMIT = 10
const PAGE = { after: ID, except: [], limit: LIMIT }

function newEvent(type: string, kind: string): FollowedEvent {
  const rest = { version: 2, removal: false, outputPortId: null, principal: 'system', time: AT }
  return { id: ID, type, kind, subject: 'subject', details: null, ...rest }
}

const CHANGED = [newEvent('DataProductUpdatedEvent', 'data-product')]
const REQUESTED = [newEvent('AccessRequestedEvent', 'access')]
const INCIDENTS = [
  {
    ...newEvent('IncidentOpenedEvent', 'incident'),
    subject: '019a7c5e-2f4b-7d10-a6c3-b1f0d9e8c7b6',
  },
]
const VERSIONS = [{ subject: 'subject', version: 2, time: AT }]

const SEARCH = {
  organizationId: ID,
  filters: {},
  custom: [],
  customFields: [],
  countedTags: [],
}

const followers: readonly HotStatements[] = [
  one('the end of the feed', (db) => follows.findSettledEnd(db)),
  one('organizations with events', (db) => follows.listOrganizationsBehind(db, 'f', PAGE)),
  one('the cursor of a follower', (db) => follows.lockCursor(db, ID, 'f')),
  one('the next events', (db) => follows.listFollowedEvents(db, ID, POSITION, LIMIT)),
  one('a moved cursor', (db) => follows.advanceCursor(db, ID, 'f', POSITION)),
  one('changes that notify', (db) => changes.insertChangeNotifications(db, ID, CHANGED)),
  one('mentions', (db) => changes.insertMentionNotifications(db, ID, CHANGED)),
  one('access that notifies', (db) => access.insertAccessNotifications(db, ID, REQUESTED)),
  one('mentions in requests', (db) => access.insertAccessMentions(db, ID, REQUESTED)),
  one('incidents that notify', (db) => insertIncidentNotifications(db, ID, INCIDENTS)),
  one('followed searches', (db) => searches.listFollowedSearches(db, ID)),
  current('new documents among the matches of a search', (db) =>
    listMatchesAmong(db, SEARCH, { query: "'x'", products: [] }, [
      { kind: 'data-product', id: 'subject' },
    ]),
  ),
  one('matches of searches', (db) =>
    searches.insertSearchNotifications(db, ID, ID, [
      { search: 'query=x', count: 1, names: ['x'], principal: null },
    ]),
  ),
  current('webhooks of events', (db) =>
    fanOut.enqueueEvents(
      db,
      ID,
      [...CHANGED, ...REQUESTED, ...INCIDENTS].map((event) => ({ ...event, payload: '{}' })),
    ),
  ),
  ...agreements.CONTRACT_EVENT_NAMES.map((name) =>
    analyzed(`agreements on changed contracts: ${name}`, (db) =>
      agreements.markContractChanges(db, ID, name, VERSIONS),
    ),
  ),
  ...(['provider', 'consumer'] as const).flatMap((side) => [
    analyzed(`agreements of products with another owner: ${side}`, (db) =>
      agreements.moveToOwners(db, side, { organizationId: ID, productIds: ['subject'] }, LIMIT),
    ),
    {
      ...whole(`all agreements of products with another owner: ${side}`, (db) =>
        agreements.moveToOwners(db, side, undefined, LIMIT),
      ),
      plan: planForWholeTables,
    },
  ]),
]

const periodic: readonly HotStatements[] = [
  one('organizations with notifications', (db) => distribution.listPendingOrganizations(db, PAGE)),
  analyzed('recipients', (db) =>
    distribution.distributeNotifications(db, storeClock, ID, ['Owner']),
  ),
  current('messages of notifications', (db) =>
    messages.insertDeliveries(db, storeClock, ID, [ID], { sendsMail: true }),
  ),
  current('notifications of a person', (db) => messages.listForPerson(db, ID, ID, [ID])),
  one('follows of what was deleted', (db) =>
    deleteEndedFollows(db, ID, [{ kind: 'team', id: 'subject', deletedAt: AT }]),
  ),
  current('failed runs', (db) => occasions.insertRunNotifications(db, storeClock)),
  current('held deletes', (db) => occasions.insertHeldNotifications(db, storeClock)),
  current('keys that expire', (db) => occasions.insertKeyNotifications(db, storeClock)),
  current('digests', (db) => enqueueDueDigests(db, storeClock, LIMIT)),
  one('agreements that time changes', (db) => agreements.listDueAgreements(db, storeClock, LIMIT)),
  one('changed agreements', (db) =>
    agreements.lockDueAgreements(db, storeClock, [{ organizationId: ID, id: 'subject' }]),
  ),
  one('due schedules', (db) => listDue(db, storeClock, LIMIT)),
  one('due runs', (db) =>
    schedules.startDueRuns(db, storeClock, [
      { organizationId: ID, integrationId: ID, dueAt: AT, nextDueAt: AT, runId: ID },
    ]),
  ),
  one('the next run', (db) => runs.claimRun(db, storeClock)),
  one('waiting runs', (db) => listWaitingRuns(db)),
  one('runs without a worker', (db) => runs.reapRuns(db, storeClock)),
  current('organizations with entries to seal', (db) => seals.listUnsealed(db, PAGE)),
  one('a seal', (db) => seals.insertSeal(db, storeClock, ID, LIMIT)),
  lookup('lanes to work on', (db) =>
    claims.claimLanes(db, storeClock, {
      claim: ID,
      channels: [{ kind: 'webhook', leaseMs: 1000, lanesMax: 5 }],
      limits: [],
      held: [],
      after: undefined,
      targetsMax: 10,
      lanesMax: 10,
    }),
  ),
  lookup('the next deliveries', (db) =>
    claims.listNextDeliveries(db, [LANE], { deliveriesMax: 10, bytesMax: 1000 }),
  ),
  lookup('claimed lanes', (db) => claims.lockLanes(db, [{ ...LANE, claim: ID }])),
  lookup('released lanes', (db) => claims.releaseLanes(db, storeClock, [LANE])),
  analyzedLookup('attempts', (db) =>
    attempts.insertAttempts(db, storeClock, [
      {
        organizationId: ID,
        deliveryId: ID,
        result: 'delivered',
        delayMs: 0,
        ageMs: 0,
        durationMs: 0,
        status: 200,
        error: null,
        response: null,
      },
    ]),
  ),
]

const counted: readonly HotStatements[] = [
  lookup('documents whose readers change', (db) =>
    readers.findReadDocuments(db, ID, {
      agreements: ['subject'],
      products: ['subject'],
      contracts: ['subject'],
    }),
  ),
  ...readers.READ_KINDS.flatMap((kind) => [
    lookup(`readers: ${kind}`, (db) =>
      readers.updateReaders(db, storeClock, ID, kind, ['subject']),
    ),
    lookup(`the next documents to count: ${kind}`, (db) =>
      listNextDocuments(db, ID, kind, 'subject', LIMIT),
    ),
  ]),
]

const retention: readonly HotStatements[] = [
  current('ended deliveries', (db) => deleteEndedDeliveries(db, storeClock, LIMIT)),
  lookup('old notifications', (db) => distribution.deleteOldNotifications(db, storeClock, LIMIT)),
  lookup('excess notifications', (db) => distribution.deleteExcessNotifications(db, LIMIT)),
  current('expired lineage events', (db) => lineage.deleteExpiredEvents(db, storeClock, LIMIT)),
  whole('expired spans', (db) => spans.archiveSpans(db, storeClock)),
  // Once an hour, or every ten minutes.
  whole('expired results of tests', (db) => results.deleteExpiredResults(db, storeClock)),
  lookup('expired samples', (db) => results.listExpiredSamples(db, storeClock, undefined)),
  whole('old counts of usage', (db) => spans.deleteOldCounts(db, storeClock)),
  whole('old log lines', (db) => schedules.deleteOldLogLines(db, storeClock)),
  whole('abandoned rows of runs', (db) => deleteAbandoned(db)),
  whole('removed assets', (db) => purgeGone(db, storeClock)),
  whole('access of former members', (db) =>
    agreements.lockAgreementsOfFormerMembers(db, storeClock, LIMIT),
  ),
]

const installation: readonly HotStatements[] = [
  one('the lag of followers', (db) => states.listFollowerStates(db, storeClock)),
  one('waiting deliveries', (db) => states.listChannelStates(db, storeClock, ['webhook'])),
  one('runs that have not ended', (db) => states.findRunsState(db, storeClock)),
  one('the oldest entry to seal', (db) => states.findActivityState(db, storeClock)),
  one('running processes', (db) => states.listProcessCounts(db, storeClock)),
  one('jobs of the upkeep', (db) => states.listJobs(db)),
]

const AFTER = { organizationId: ID, externalId: 'subject' }

const searchBuild: readonly HotStatements[] = ALL_KINDS.flatMap(({ kind }) => [
  current(`the next documents to index: ${kind}`, (db) => index.lockDocuments(db, kind, AFTER)),
  // Once after a start: every document and its entry.
  whole(`documents that the index lacks: ${kind}`, (db) =>
    index.lockDocuments(db, kind, AFTER, 'unindexed'),
  ),
  whole(`entries without a document: ${kind}`, (db) => index.deleteStale(db, kind)),
])

/** All statements of background work. */
export const HOT_STATEMENTS: readonly HotStatements[] = [
  ...followers,
  ...periodic,
  ...counted,
  ...retention,
  ...searchBuild,
  ...installation,
  current('assets to index', (db) => index.loadAssets(db, ID, ['subject'])),
  current('open incidents of a person', (db) => listOpenIncidents(db, ID, ['team'], LIMIT)),
  current('signals of documents', (db) =>
    listTrustRows(db, storeClock, ID, { products: ['subject'], contracts: ['subject'] }),
  ),
]

function one(name: string, send: HotStatements['send']): HotStatements {
  return { name, reads: 'keys', send }
}

function lookup(name: string, send: HotStatements['send']): HotStatements {
  return {
    ...one(name, send),
    plan: planForLookups,
  }
}

function whole(name: string, send: HotStatements['send']): HotStatements {
  return { name, reads: 'tables', send }
}

function current(name: string, send: HotStatements['send']): HotStatements {
  return { name, reads: 'current', send }
}

function analyzed(name: string, send: HotStatements['send']): HotStatements {
  return { name, reads: 'analyzed', send }
}

function analyzedLookup(name: string, send: HotStatements['send']): HotStatements {
  return { ...lookup(name, send), reads: 'analyzed' }
}
