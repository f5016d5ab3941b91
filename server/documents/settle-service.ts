import type { DriftState } from '../ledger/drift/drift-plan.ts'
import { listLinkedAssets } from '../ledger/promises/linked-assets.ts'
import { lockReality } from '../ledger/promises/lock.ts'
import type { ChangeMetadata } from '../ledger/history/revision.ts'
import type { DocumentKind } from '../platform/kinds.ts'
import type { CertificationsSubject, RealitySubject } from '../platform/reality-change.ts'
import type { Database } from '../platform/tables.ts'
import type { RealityWork } from './resource.ts'

/** Returns the subject of a kind of documents from which only signals of trust follow; undefined = none do. */
export function findSignalsSubject({
  kind,
}: {
  kind: DocumentKind
}): CertificationsSubject | undefined {
  return kind === 'certification' ? { kind: 'certifications' } : undefined
}

// Changes of assets share their turn, which begins after their writes. Without promises there is nothing to take turns for.
function needsTurn(subject: RealitySubject | CertificationsSubject): boolean {
  switch (subject.kind) {
    case 'contracts':
      return subject.makesPromises
    case 'products':
      return subject.namingContracts.length > 0
    case 'assets':
    case 'run':
    case 'certifications':
      return false
    case 'choice':
    case 'address':
      return true
  }
}

// What is linked before the write: the signals of assets change also if a contract does not promise them any more.
async function readFormer(
  db: Database,
  { organizationId }: ChangeMetadata,
  subject: RealitySubject | CertificationsSubject | undefined,
): Promise<{ formerAssets?: readonly string[] }> {
  if (subject?.kind !== 'contracts' || !subject.makesPromises) return {}
  return { formerAssets: await listLinkedAssets(db, organizationId, subject.ids) }
}

/** Asserts that assets are what a contract promises, and returns its state. Errors: drift. */
export type DriftCheck = (work: Pick<RealityWork, 'db' | 'clock'>) => Promise<DriftState>

/** The result of a write, and that of its check. */
interface Settled<Done> {
  done: Done
  drift?: DriftState | undefined
}

/**
 * Writes in a transaction, that of the caller if there is one, and brings what follows from a change of the subject up to date
 * there. `write` returns undefined or false if it has lost a race. Without a subject it only writes. `check`
 * may reject what follows from the change.
 */
export async function settleAfter<Work extends RealityWork, Done>(
  work: Work,
  metadata: ChangeMetadata,
  subject: RealitySubject | CertificationsSubject | undefined,
  write: (work: Work) => Promise<Done>,
  check?: DriftCheck,
): Promise<Settled<Done>> {
  const { clock, settleReality } = work
  const settle = async (db: Database): Promise<Settled<Done>> => {
    if (subject !== undefined && needsTurn(subject)) await lockReality(db, metadata.organizationId)
    const former = await readFormer(db, metadata, subject)
    const done = await write({ ...work, db })
    if (subject === undefined || done === undefined || done === false) return { done }
    const { organizationId, principal, requestId } = metadata
    const change =
      subject.kind === 'certifications'
        ? { organizationId, ...subject }
        : { organizationId, principal, requestId, ...subject, ...former }
    await settleReality(db, clock, change)
    return { done, drift: await check?.({ db, clock }) }
  }
  return work.db.isTransaction ? await settle(work.db) : await work.db.transaction().execute(settle)
}
