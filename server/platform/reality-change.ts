import type { Clock } from './kit/clock.ts'
import type { Database } from './tables.ts'

/** A change of what contracts promise, or of the assets that they are compared with. */
export type RealityChange = RealityOrigin & RealitySubject

/** The author of a change, and its request. */
interface RealityOrigin {
  organizationId: string
  principal: string
  requestId: string
}

/** The part of the catalog that a change has touched. */
export type RealitySubject =
  /** `makesPromises`: before the change or after it, as far as is known. `formerAssets`: the linked ones before the change. */
  | {
      kind: 'contracts'
      ids: readonly string[]
      makesPromises: boolean
      formerAssets?: readonly string[]
    }
  /** `namingContracts`: those for which their output ports name assets, before the change or after it. */
  | { kind: 'products'; ids: readonly string[]; namingContracts: readonly string[] }
  /** `formerPaths`: where they were before the change, as JSON lists. */
  | { kind: 'assets'; ids: readonly string[]; formerPaths?: readonly string[] }
  /** The change set of a run, a correction or an undo. */
  | { kind: 'run'; runId: string; integrationId: string }
  | { kind: 'choice'; contractId: string; server: string; model: string }
  /** The addresses of an integration, or the integration itself. */
  | { kind: 'address'; integrationId: string }

/** A change of the test results of contracts, on which no link depends. */
export type TestsChange = RealityOrigin & { kind: 'tests'; contracts: readonly string[] }

/** The certifications of the organization, which tags give to documents. */
export interface CertificationsSubject {
  kind: 'certifications'
}

/** A change on which no link depends, but the signals of trust. */
export type SignalsChange = { organizationId: string } &
  /** Facts about contracts, such as an acknowledged incident, or about assets, such as tags. */
  (
    | { kind: 'signals'; contracts?: readonly string[]; assets?: readonly string[] }
    | CertificationsSubject
  )

/**
 * Brings everything that follows from a change up to date, in the transaction of the change and after its writes: links,
 * findings, freshness, incidents, trust. Changes that are not of kind `assets` or `run` need `lockReality` before their
 * first write.
 */
export type SettleReality = (
  db: Database,
  clock: Clock,
  change: RealityChange | TestsChange | SignalsChange,
) => Promise<void>
