import { AGREEMENT_KIND } from '../../agreements/agreement.ts'
import { ALL_KINDS } from '../../platform/kinds.ts'
import { KIND_WORDS, RESTORE, sqlCheck, type Check } from './check.ts'

/** The order of the event feed. */
const FEED_ORDER = 'epoch, transaction_id, position'

const OF_VERSION = `event.organization_id = revision.organization_id
         and event.kind = revision.kind
         and event.subject = revision.external_id
         and event.version = revision.version`

// Other events than those of documents and agreements belong to no version.
const VERSIONED = [...ALL_KINDS.map(({ kind }) => kind), AGREEMENT_KIND]
const IS_OF_DOCUMENT = `event.kind in (${VERSIONED.map((kind) => `'${kind}'`).join(', ')})`

const REPAIR = `${RESTORE} Consumers of the feed must read the documents again.`

/** Checks that the event feed contains every change, in order. */
export const FEED_CHECKS: readonly Check[] = [
  sqlCheck(
    { name: 'the feed has an event for every version and every deletion', repair: REPAIR },
    `select organization_id, format(
       '%s "%s": the event of version %s is missing', ${KIND_WORDS}, external_id, version
     ) as finding
     from revision
     where not exists (select from event where ${OF_VERSION} and not removal)
     union all
     select organization_id, format(
       '%s "%s": the event of the deletion of version %s is missing', ${KIND_WORDS}, external_id, version
     )
     from revision
     where deleted_at is not null
       and not exists (select from event where ${OF_VERSION} and removal)`,
  ),
  sqlCheck(
    { name: 'every event belongs to a version', repair: REPAIR },
    `select organization_id, format(
       '%s "%s": event %s is of version %s, which is missing', ${KIND_WORDS}, subject, id, version
     ) as finding
     from event
     where ${IS_OF_DOCUMENT}
       and not exists (select from revision where ${OF_VERSION})`,
  ),
  sqlCheck(
    { name: 'the events of a document are in the order of its versions', repair: REPAIR },
    `select organization_id, format(
       '%s "%s": event %s comes after one of a later version', ${KIND_WORDS}, subject, id
     ) as finding
     from (
       select organization_id, kind, subject, id, rank,
         lag(rank) over (
           partition by organization_id, kind, subject order by ${FEED_ORDER}
         ) as before
       from (
         select *, version * 2 + removal::int as rank from event where ${IS_OF_DOCUMENT}
       ) as ranked
     ) as ordered
     where before > rank`,
  ),
]

/** Checks that every delivery that is still to be sent is in a queue. */
export const DELIVERY_CHECK: Check = sqlCheck(
  {
    name: 'every pending delivery has a lane',
    repair:
      'workers do not find it. The next event about the same subject opens the lane, and both are sent: change the subject.',
  },
  `select organization_id, format('delivery %s of %s about %s has no lane', id, topic, subject) as finding
   from delivery
   where state = 'pending'
     and not exists (
       select from delivery_lane as lane
       where lane.organization_id = delivery.organization_id
         and lane.channel = delivery.channel
         and lane.target = delivery.target
         and lane.subject = delivery.subject
     )`,
)
