import { sqlCheck, type Check } from './check.ts'

/** Checks that every delivery that is still to be sent is in a queue. */
export const DELIVERY_CHECKS: readonly Check[] = [
  sqlCheck(
    {
      name: 'every pending delivery has a lane',
      repair:
        'workers do not find it. The next event about the same subject opens the lane, and both are sent: change the subject.',
    },
    `select organization_id, format(
       'delivery %s of %s about %s has no lane', id, topic, subject
     ) as finding
     from delivery
     where state = 'pending'
       and not exists (
         select from delivery_lane as lane
         where lane.organization_id = delivery.organization_id
           and lane.channel = delivery.channel
           and lane.target = delivery.target
           and lane.subject = delivery.subject
       )`,
  ),
]
