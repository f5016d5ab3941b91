import { ERASED_PERSON } from '../../people/erasure/erasure.ts'
import type { Database } from '../../platform/tables.ts'
import { eraseFromNotifications } from './erasure-store.ts'

/** Erases a person from the notifications of others, in the transaction that erases the person. */
export async function eraseNotices(
  transaction: Database,
  person: { userId: string; organizationIds: readonly string[] },
): Promise<void> {
  await eraseFromNotifications(transaction, person, ERASED_PERSON)
}
