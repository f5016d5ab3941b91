import type { Instant } from '../../platform/kit/clock.ts'

/**
 * Grants of a source compared with access agreements. A run reads them where an integration allows it; names of the
 * platform are mapped to consumers by reports of connectors, by one pattern, or by hand. A name without exactly one
 * meaning stays unmapped, and nothing is concluded from it.
 */

/** The deviations of grants from agreements. */
export const FINDING_KINDS = [
  'granted_without_agreement',
  'agreement_without_grant',
  'still_granted',
  'wider_than_agreed',
] as const

/** A deviation of grants from agreements. */
export type FindingKind = (typeof FINDING_KINDS)[number]

/** The kinds of subjects that a name of a platform can mean. */
export const SUBJECT_KINDS = ['team', 'data-product', 'user', 'agreement', 'platform'] as const

/** A consumer of agreements, as subjects of names have it. */
export interface Consumer {
  kind: 'team' | 'data-product' | 'user'
  id: string
}

/** An integration of an organization. */
export interface IntegrationKey {
  organizationId: string
  integrationId: string
}

/** An output port. */
export interface PortKey {
  productId: string
  portId: string
}

/** Returns a text that only one output port has. */
export function toPortKey({ productId, portId }: PortKey): string {
  return JSON.stringify([productId, portId])
}

/** An output port that has tables in an integration. */
export interface GrantedPort extends PortKey {
  /** External id of the team that owns the data product. */
  providerTeam: string
  /** The data contract of the port; null = none. */
  contractId: string | null
  /** Whether every model of the contract on its production servers is linked with an asset. */
  isWhole: boolean
  /** Whether the last run read all grants on its tables, so that one that is missing is gone. */
  isCurrent: boolean
  /** Whether the grants on its tables and all memberships are complete. */
  isComplete: boolean
}

/** Tables of an integration that belong to the same output ports. */
export interface TableGroup {
  ports: readonly PortKey[]
  /** Paths as JSON lists. */
  paths: readonly string[]
}

/** The rights of a mapped grantee, or of everyone, on the tables of a group. */
export interface GroupReading {
  /** The position of the group. */
  group: number
  /** `public` with an empty name = everyone who can log in. */
  granteeKind: string
  granteeName: string
  /** The number of tables that the grantee reads. */
  tableCount: number
  /** The number of them that not everyone reads. */
  ownCount: number
  /** Whether it reads all columns of one of them. */
  readsAllColumns: boolean
  /** A role by which it reads; null = directly. */
  via: string | null
  /** The privileges to write, in the platform's words. */
  writes: readonly string[]
  hasGrantOption: boolean
  /** Whether it reads by a grant on a schema, a database or everything. */
  isContainerWide: boolean
  /** Whether it reads everything by its position. */
  isAdministrator: boolean
}

/** A name of the platform with its subject. */
export interface MappedGrantee {
  kind: string
  name: string
  /** The consumer that it means. */
  consumer: Consumer
  /** The agreement that a report names; null = the consumer as such. */
  agreementId: string | null
}

/** An agreement about an output port with tables in an integration. */
export interface PortAgreement extends PortKey {
  id: string
  consumer: Consumer
  /** The team of a consuming team or data product; null = a person. */
  consumerTeam: string | null
  state: 'active' | 'ended'
  /** Hours from the beginning, the end and the report of success to the reading; null = none. */
  activeHours: number | null
  endedHours: number | null
  provisionedHours: number | null
}

/** A deviation, before it is stored. */
export interface NewFinding extends PortKey {
  kind: FindingKind
  /** Empty = all grantees of a consumer. */
  granteeKind: string
  granteeName: string
  consumer: Consumer | null
  agreementId: string | null
  facts: FindingFacts
}

/** The details of a finding. `via` is a name of the platform. */
export interface FindingFacts {
  tableCount: number
  via?: string
  writes?: string[]
  hasGrantOption?: true
  isContainerWide?: true
  isColumnsOnly?: true
}

/** The result of an attempt to read grants. */
export interface ReadingEnd {
  /** Why the grants are not complete; null = nothing is missing. */
  incompleteBecause: string | null
  /** Whether any part was read. */
  hasRead: boolean
  /** The time at which the reading began: later grants may be missing. */
  beganAt: Instant
  /** Why memberships are not complete; null = they are; undefined = they were not reached. */
  membersBecause: string | null | undefined
  gates: readonly number[]
  delayHours: number
}

/** The time after its end in which an agreement may still be granted, and after its beginning in which it may not yet. */
export const GRACE_HOURS = 24

/** The maximum number of open findings of an output port in an integration. */
export const FINDINGS_MAX = 1000

/** The number of findings of an output port beyond the maximum. */
export interface OmittedFindings extends PortKey {
  count: number
}

/** Parses a path, a JSON list. */
export function parseObjectPath(text: string): string[] {
  const parts: unknown = JSON.parse(text)
  return Array.isArray(parts) ? parts.map(String) : []
}

/** Lists the paths of tables and of everything that contains them, as JSON lists, each once. */
export function listCovering(paths: readonly string[]): string[] {
  const covering = paths.flatMap((path) => {
    const parts = parseObjectPath(path)
    return [[], ...parts.map((_, at) => parts.slice(0, at + 1))].map((some) => JSON.stringify(some))
  })
  return [...new Set(covering)]
}

/** Parses the kind of a grantee. */
export function parseGranteeKind(text: string): 'user' | 'role' | 'group' | 'public' {
  return text === 'user' || text === 'group' || text === 'public' ? text : 'role'
}
