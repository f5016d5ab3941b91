import type { Clock } from '../../platform/kit/clock.ts'
import { namePrincipals } from '../../ledger/principals/service.ts'
import type { Database } from '../../platform/tables.ts'
import * as store from './delivery-store.ts'
import { describeNotification, describeReason, type NotificationText } from './describe.ts'
import type { NotificationKind } from './kinds.ts'

/** A notification as messages outside of the pages show it. */
interface DescribedDelivery {
  id: string
  kind: NotificationKind
  text: NotificationText
}

/**
 * Enqueues the deliveries of distributed notifications outside of the pages: e-mails at once, for each
 * `notification_recipient` with the choice `immediate`, and messages to chat systems, for each
 * `notification_channel_recipient`. It runs in the transaction that finds the recipients, so that each delivery is
 * enqueued exactly once.
 */
export async function enqueueDeliveries(
  { db, clock, sendsMail }: { db: Database; clock: Clock; sendsMail: boolean },
  organizationId: string,
  notificationIds: readonly string[],
): Promise<void> {
  await store.insertDeliveries(db, clock, organizationId, notificationIds, { sendsMail })
}

/** Describes notifications for a person, the oldest first, without those that the person switched off or may not see. */
export async function describeForPerson(
  db: Database,
  organizationId: string,
  userId: string,
  notificationIds: readonly string[],
): Promise<(DescribedDelivery & { because: string })[]> {
  const rows = await store.listForPerson(db, organizationId, userId, notificationIds)
  const described = await describeAll(db, organizationId, rows)
  return described.map((one, index) => ({
    ...one,
    because: describeReason(rows[index]?.reason ?? ''),
  }))
}

/** Describes a notification for the channel of a team; undefined if it is gone or the team may not see it. */
export async function describeForTeam(
  db: Database,
  organizationId: string,
  team: string,
  notificationId: string,
): Promise<DescribedDelivery | undefined> {
  const row = await store.findForTeam(db, organizationId, team, notificationId)
  const [described] = row === undefined ? [] : await describeAll(db, organizationId, [row])
  return described
}

async function describeAll(
  db: Database,
  organizationId: string,
  rows: readonly store.DeliverableNotification[],
): Promise<DescribedDelivery[]> {
  const principals = rows.flatMap(({ principal }) => (principal === null ? [] : [principal]))
  const named = await namePrincipals(db, organizationId, principals)
  const names = new Map(named.map(({ principal, name }) => [principal, name ?? undefined]))
  return rows.map((row) => {
    const actorName = names.get(row.principal ?? '')
    return { id: row.id, kind: row.kind, text: describeNotification({ ...row, actorName }) }
  })
}
