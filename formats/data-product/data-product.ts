// A data product offers data of a team to the organization: its description, its owner, the sources of its
// data (input ports) and the access to it (output ports). Teams describe it in ODPS or the older DPS. Search,
// pages, diffs and events use the shape below; the document itself stays as it was sent.

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
  /** The id by which clients look up the port: the id (DPS), or the id or name (ODPS). */
  id: string
  /** The display name. */
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
