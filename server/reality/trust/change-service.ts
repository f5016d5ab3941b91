import type { Clock } from '../../platform/kit/clock.ts'
import type { RealityChange, SignalsChange, TestsChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import type { AffectedPromise } from '../links/link.ts'
import { settleCertifications, settleTrust } from './settle-service.ts'
import type { TrustSubjects } from './state-store.ts'

const NOTHING: TrustSubjects = { products: [], contracts: [], assets: [] }

/** Stores the signals that follow from a change on which no link depends, as the last step of its transaction. */
export async function settleSignals(
  db: Database,
  clock: Clock,
  change: SignalsChange,
): Promise<void> {
  const { organizationId } = change
  if (change.kind === 'certifications') await settleCertifications(db, clock, organizationId)
  else await settleTrust(db, clock, organizationId, { ...NOTHING, ...change })
}

/**
 * Stores the signals that follow from a change, from the promises that it affected and from their freshness, as the last step of
 * its transaction.
 */
export async function settleTrustAfter(
  db: Database,
  clock: Clock,
  change: RealityChange | TestsChange,
  affected: readonly AffectedPromise[],
  judged: Pick<TrustSubjects, 'contracts' | 'assets'>,
): Promise<void> {
  const contracts = [...affected.map(({ contractId }) => contractId), ...judged.contracts]
  const linked = affected.flatMap(({ assetId, formerAssetId }) =>
    [assetId, formerAssetId].filter((id) => id !== null),
  )
  const assets = [...linked, ...judged.assets]
  const subjects = { products: [], contracts, assets }
  await settleTrust(db, clock, change.organizationId, withSubject(subjects, change))
}

// The changed document itself also has a status, tags and ports.
function withSubject(subjects: TrustSubjects, change: RealityChange | TestsChange): TrustSubjects {
  switch (change.kind) {
    case 'tests':
      return { ...subjects, contracts: [...subjects.contracts, ...change.contracts] }
    case 'contracts':
      return {
        ...subjects,
        contracts: [...subjects.contracts, ...change.ids],
        assets: [...subjects.assets, ...(change.formerAssets ?? [])],
      }
    case 'products':
      return { ...subjects, products: change.ids }
    case 'assets':
      return { ...subjects, assets: [...subjects.assets, ...change.ids] }
    case 'run':
    case 'choice':
    case 'address':
      return subjects
  }
}
