import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { ApiError } from '../../platform/errors.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import { compareIntegration, settleIncidents } from './compare-service.ts'
import { listOpenContracts } from './contract-store.ts'
import { resolveAll } from './finding-store.ts'
import { parsePattern, PATTERN_ADVICE } from './pattern.ts'
import { lockState } from './reading-store.ts'
import * as store from './settings-store.ts'
import type { SettingsChange } from './settings-store.ts'

/** The services that change settings of grants. */
interface SettingsServices {
  db: Database
  clock: Clock
}

/** The maximum number of names that people map in an integration. */
const NAMES_MAX = 10_000

/**
 * Changes whether and how the grants of an integration are read. Switching it off deletes what was read and resolves the
 * findings. Errors: validation_failed for a pattern that cannot be used.
 */
export async function changeSettings(
  { db, clock }: SettingsServices,
  change: SettingsChange,
  { enabled, pattern }: { enabled: boolean; pattern: string | null },
): Promise<void> {
  if (pattern !== null && parsePattern(pattern) === undefined) {
    throw invalidRequest([{ field: 'pattern', message: PATTERN_ADVICE }])
  }
  await db.transaction().execute(async (transaction) => {
    await lockState(transaction, change)
    await store.saveSettings(transaction, clock, change, { enabled, pattern })
    if (enabled) {
      await compareIntegration(transaction, clock, { ...change, cause: 'identity' })
      return
    }
    await store.deleteReadGrants(transaction, change)
    await endGrants(transaction, clock, change)
  })
}

/** Resolves the findings of an integration whose grants are not read any more, in the caller's transaction. */
export async function endGrants(db: Database, clock: Clock, change: SettingsChange): Promise<void> {
  const contracts = await listOpenContracts(db, change)
  await resolveAll(db, clock, change)
  await settleIncidents(db, clock, change, contracts)
}

/** A name of the platform and what it means. */
interface NewIdentity {
  granteeKind: string
  granteeName: string
  subject: { kind: string; id: string | null }
}

/** Maps a name of the platform by hand. Errors: validation_failed if the subject does not exist, limit_reached. */
export async function mapName(
  { db, clock }: SettingsServices,
  change: SettingsChange,
  { subject, ...name }: NewIdentity,
): Promise<void> {
  const { organizationId } = change
  const { kind, id } = subject
  if (id !== null && !(await store.hasSubject(db, organizationId, { kind, id }))) {
    const message = `does not exist; name a ${kind} of this organization`
    throw invalidRequest([{ field: 'subject.id', message }])
  }
  await db.transaction().execute(async (transaction) => {
    const state = await lockState(transaction, change)
    if (state === undefined) {
      await store.saveSettings(transaction, clock, change, { enabled: false, pattern: null })
    }
    if ((await store.countByHand(transaction, change)) >= NAMES_MAX) {
      throw new ApiError(
        'limit_reached',
        `The integration has ${NAMES_MAX} names that were mapped by hand. Use a pattern.`,
      )
    }
    await store.saveIdentity(transaction, clock, change, name, subject)
    await compareIntegration(transaction, clock, { ...change, cause: 'identity' })
  })
}

/** Removes the meaning of a name that a person has given. Returns false if it has none. */
export async function unmapName(
  { db, clock }: SettingsServices,
  change: SettingsChange,
  name: Pick<NewIdentity, 'granteeKind' | 'granteeName'>,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    await lockState(transaction, change)
    const isRemoved = await store.deleteIdentity(transaction, clock, change, name)
    if (isRemoved) await compareIntegration(transaction, clock, { ...change, cause: 'identity' })
    return isRemoved
  })
}
