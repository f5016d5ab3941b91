// A data product is a team's offer of data to the rest of the organization: its purpose and owner, the sources of its
// data (input ports) and the ways to get it (output ports). Teams describe it in a document in one of two formats,
// ODPS or the older DPS. Documents in all formats are parsed into the types below, which search, pages, diffs and
// events use. The document itself is stored unchanged.

import type { Context, Deprecation } from '../schema/model.ts'
import type { Value } from '../text/value.ts'

export type ProductFormat = 'odps' | 'dps'

/** The position of a product in a mesh: close to its source, in between, or close to its consumers. */
export const ARCHETYPES = ['source-aligned', 'aggregate', 'consumer-aligned']

/** The maturity of a product. */
export const MATURITIES = ['raw', 'defined', 'managed']

export interface DataProduct extends Deprecation {
  format: ProductFormat
  formatVersion: string | undefined
  id: string
  name: string
  /** External id of the owning team. */
  ownerTeamId?: string
  description?: string
  /** Other names that people use for it, without repetitions. */
  synonyms?: string[]
  context?: Context
  status?: string
  /** `source-aligned`, `aggregate`, `consumer-aligned`, or a custom value. */
  archetype?: string
  maturity?: string
  domain?: string
  version?: string
  tags: string[]
  links: { type: string; url: string }[]
  custom: { property: string; value: Value }[]
  inputPorts: InputPort[]
  outputPorts: OutputPort[]
}

export interface InputPort extends Deprecation {
  /** Unique in the product: the id (DPS), or name and version (ODPS). */
  key: string
  id: string
  name: string
  version?: string
  description?: string
  type?: string
  contractId?: string
  sourceSystemId?: string
  location?: string
  tags: string[]
}

export interface OutputPort extends Deprecation {
  /** Unique in the product: the id (DPS), or name and version (ODPS). */
  key: string
  /** The id that clients use to look up a port: the id (DPS), or id, else name (ODPS). */
  id: string
  /** The display name. */
  name: string
  version?: string
  description?: string
  /** Other names that people use for it, without repetitions. */
  synonyms?: string[]
  context?: Context
  type?: string
  status?: string
  contractId?: string
  location?: string
  server?: { [key: string]: Value }
  containsPii?: boolean
  autoApprove?: boolean
  tags: string[]
}

/** A product whose output ports can be compared. */
export interface ComparableProduct extends DataProduct {
  outputPorts: ComparablePort[]
}

export interface ComparablePort extends OutputPort {
  /** Canonical text of the port: equal if and only if the meaning of the port is the same. */
  canonical: string
}
