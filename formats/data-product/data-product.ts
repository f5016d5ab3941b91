// A data product is a team's offer of data to the rest of the organization: what it is, who owns it, where its data
// comes from (input ports) and where others may get it (output ports). Teams describe it in a document in one of two
// formats, ODPS or the older DPS. Whatever the format, a document is read into the one shape below, which search,
// pages, diffs and events use. The document itself stays as it was sent.

import type { Value } from '../text/value.ts'

export type Format = 'odps' | 'dps'

export interface DataProduct {
  format: Format
  formatVersion: string | undefined
  id: string
  name: string
  /** External id of the team that owns the product. */
  ownerTeamId?: string
  description?: string
  status?: string
  /** `source-aligned`, `aggregate`, `consumer-aligned`, or a word of the organization's own. */
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

export interface InputPort {
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

export interface OutputPort {
  /** Unique in the product: the id (DPS), or name and version (ODPS). */
  key: string
  /** What clients look a port up by: the id (DPS), or id, else name (ODPS). */
  id: string
  /** What people read. */
  name: string
  version?: string
  description?: string
  type?: string
  status?: string
  contractId?: string
  location?: string
  server?: { [key: string]: Value }
  containsPii?: boolean
  autoApprove?: boolean
  tags: string[]
  /** Canonical text of the port: equal when nothing about the port changed by meaning. */
  canonical: string
}
