// A data contract is a promise about data: its models and their fields, the location, quality and freshness of the
// data, and its terms of use. Consumers rely on it. Teams write it as a document in one of two formats, ODCS or the
// older DCS. Documents in all formats are parsed into the types below; the document itself is stored unchanged.

import type { Context, Model, QualityCheck } from '../schema/model.ts'
import type { Value } from '../text/value.ts'

export type ContractFormat = 'odcs' | 'dcs'

export interface DataContract {
  format: ContractFormat
  formatVersion: string | undefined
  id: string
  /** The display name; the id if the document has no name. */
  name: string
  /** External id of the owning team; undefined = no owner. */
  ownerTeamId?: string
  version?: string
  status?: string
  domain?: string
  description?: string
  context?: Context
  /** The id or address of the product, port or contract that replaces it, as its author wrote it. */
  replacedBy?: string
  tags: string[]
  servers: Server[]
  serviceLevels: ServiceLevel[]
  /** The custom properties of the contract and of its models that promise a service, such as `freshness`. */
  customLevels?: ServiceLevel[]
  /** Rules for all data (DCS 0.9). */
  quality: QualityCheck[]
  models: Model[]
  /**
   * The schema language of a specification inside the document (`avro`, `dbt`); undefined = the document has its own
   * models.
   */
  schemaType?: string
}

/** A data contract without its models. */
export type ContractFacts = Omit<DataContract, 'models'>

/** A location of the data. */
export interface Server {
  /** Unique in the contract. */
  name: string
  /** `postgresql`, `kafka`, `s3`. */
  type?: string
  environment?: string
  description?: string
  /** All properties from the document: host, database, location. */
  properties: { [key: string]: Value }
  origin: string
}

/** A promise about the service: `retention` 1 `y`. */
export interface ServiceLevel {
  property: string
  value: Value
  unit?: string
  /** The models or fields to which it is limited: `orders.updated_at`. */
  element?: string
  /** A cron expression, or the text of another scheduler. */
  schedule?: string
  origin: string
}
