/** The state of a link. */
type LinkState =
  | 'linked'
  | 'ambiguous'
  | 'other_address'
  | 'not_found'
  | 'not_read'
  | 'no_source'
  | 'unplaced'
  | 'excluded'
  | 'not_applicable'

/** A promise that a change affects: one model of a contract on one server. */
export interface AffectedPromise {
  contractId: string
  server: string
  model: string
  isProduction: boolean
  state: LinkState
  /** Null = it is not linked. */
  assetId: string | null
}
