import type { Services } from '../requests/http/endpoint.ts'
import { retryLostRaces, type Contended } from '../platform/kit/lost-races.ts'
import { notFound } from '../platform/errors.ts'
import type { Database } from '../platform/tables.ts'
import type { Agreement, AgreementAt, AgreementBasis, AgreementKey } from './agreement.ts'
import { pickCourse, settle, type CourseChange } from './lifecycle.ts'
import { withParties } from './party-service.ts'
import * as store from './store.ts'
import { presentAgreement, presentInBatches, toPresentable } from './task.ts'

/** The services that change agreements. */
export type AgreementServices = Pick<Services, 'db' | 'clock' | 'offload' | 'serialize'>

/** A changed agreement, before its text is written. */
export interface AgreementDraftWrite extends Omit<store.AgreementWrite, 'presented'> {
  /**
   * The basis of a change that grants access or names parties: they must exist when it is written. Undefined = other
   * changes.
   */
  basis?: AgreementBasis | undefined
}

/** Applies a change of the course to an agreement. */
export function toWrite(
  agreement: Agreement,
  { course, events }: CourseChange,
  principal: string,
): AgreementDraftWrite {
  return { agreement: { ...agreement, ...pickCourse(course), updatedBy: principal }, events }
}

/**
 * Returns an agreement as it is now, with the events of what time has changed since it was written. A change that
 * follows must record them first.
 */
export function settleAgreement({ agreement, now }: AgreementAt): {
  agreement: Agreement
  now: string
  due: store.AgreementWrite['events']
} {
  const { course, events } = settle(agreement, now)
  return { agreement: { ...agreement, ...pickCourse(course) }, now, due: events }
}

/** Writes the texts of changed agreements of an organization. Errors: document_too_costly, overloaded. */
export async function presentWrites(
  { offload }: Pick<Services, 'offload'>,
  organizationId: string,
  writes: readonly AgreementDraftWrite[],
): Promise<store.AgreementWrite[]> {
  const presentable = writes.map(({ agreement }) => toPresentable(agreement))
  const presented = await presentInBatches(offload, organizationId, presentable)
  return writes.map((write, at) => {
    const { text, digest } = presented[at] ?? { text: '{}', digest: '' }
    return { ...write, presented: text, agreement: { ...write.agreement, digest } }
  })
}

/** Writes the text of a changed agreement in this thread, for the upkeep: batches are small, and no request waits. */
export function presentWrite({ agreement, events }: AgreementDraftWrite): store.AgreementWrite {
  const { text: presented, digest } = presentAgreement(toPresentable(agreement))
  return { agreement: { ...agreement, digest }, presented, events }
}

/** A change of one agreement. */
export interface AgreementUpdate {
  organizationId: string
  id: string
  principal: string
  requestId: string
  /**
   * Returns the changed agreement and its events; undefined if nothing changes. Errors are those of the change.
   */
  change(
    agreement: Agreement,
    now: string,
  ): Promise<AgreementDraftWrite | undefined> | AgreementDraftWrite | undefined
}

/**
 * Changes an agreement, and records what time has changed until then. Returns it as stored. Errors: not_found, those of
 * the change, document_too_costly, overloaded.
 */
export async function updateAgreement(
  services: AgreementServices,
  { organizationId, id, principal, requestId, change }: AgreementUpdate,
): Promise<Agreement> {
  const { db, clock, serialize } = services
  return await retryLostRaces(toContended(serialize, { organizationId, id }), async () => {
    const stored = await store.findAgreement(db, clock, { organizationId, id })
    if (stored === undefined) throw notFound()
    const { agreement, now, due } = settleAgreement(stored)
    const write = await change(agreement, now)
    if (write === undefined) return agreement
    const draft = { ...write, events: [...due, ...write.events] }
    const writes = await presentWrites(services, organizationId, [draft])
    const save = async (db: Database): Promise<boolean> =>
      (await store.updateAgreements(db, clock, writes, { principal, requestId })).length > 0
    const { basis } = draft
    const isDone = basis ? await withParties(db, draft.agreement, basis, save) : await save(db)
    return isDone === true ? await readWritten(services, { organizationId, id }) : undefined
  })
}

/** Reads an agreement that was just written; undefined if it is gone. */
export async function readWritten(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  key: AgreementKey,
): Promise<Agreement | undefined> {
  return (await store.findAgreement(db, clock, key))?.agreement
}

/** Returns the turn of the writers of an agreement. */
export function toContended(
  serialize: Services['serialize'],
  { organizationId, id }: AgreementKey,
): Contended {
  return { serialize, key: JSON.stringify([organizationId, 'access', id]), called: 'agreement' }
}
