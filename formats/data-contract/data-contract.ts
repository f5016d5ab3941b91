// A data contract is a promise about data: models and fields, servers, quality, freshness and terms of use.
// Consumers rely on it. Teams write it in ODCS or the older DCS; both are read into the shape below. The
// document itself stays as it was sent.

import type { Model, QualityCheck } from '../schema/model.ts'
import type { Value } from '../text/value.ts'

export type Format = 'odcs' | 'dcs'

export interface DataContract {
  format: Format
  formatVersion: string | undefined
  id: string
  /** The display name; the id if the document has no name. */
  name: string
  /** External id of the team that owns the contract; undefined = no team does. */
  ownerTeamId?: string
  version?: string
  status?: string
  domain?: string
  description?: string
  tags: string[]
  servers: Server[]
  serviceLevels: ServiceLevel[]
  /** Rules about the whole of the data (DCS 0.9). */
  quality: QualityCheck[]
  models: Model[]
  /** The schema language of a specification inside the document (`avro`, `dbt`); undefined = models of its own. */
  schemaType?: string
}

/** A data contract without its models. */
export type ContractFacts = Omit<DataContract, 'models'>

/** A place where the data is. */
export interface Server {
  /** Unique in the contract. */
  name: string
  /** `postgresql`, `kafka`, `s3`. */
  type?: string
  environment?: string
  description?: string
  /** All properties in the document: host, database, location. */
  properties: { [key: string]: Value }
  origin: string
}

/** A promise about the service: `retention` 1 `y`. */
export interface ServiceLevel {
  property: string
  value: Value
  unit?: string
  element?: string
  origin: string
}
