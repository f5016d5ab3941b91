import { RECORD_KINDS, type RecordName } from '../../formats/record/kinds.ts'
import type { ResourcePermissions } from '../../formats/team/permission-names.ts'

/** The properties of a kind of document that do not depend on the content of its documents. */
interface Kind {
  /** The kind as it is stored. */
  kind: string
  /** The table of the current documents; absent = the table `catalog_record`, which several kinds share. */
  table?: string
  /** The kind in messages: `data product`. */
  called: string
  /** The heading of a list: `Data products`. */
  label: string
  /** The beginning of the names of its events. */
  event: string
  /** The kind in search and plans. */
  resourceType: string
  /** The first segment of the addresses of its pages. */
  pages: string
  /** The rank among equal matches of a search; 0 is first. */
  rank: number
  /** The beginning of the permissions on what teams own. Absent = only owners of the organization write it. */
  permissions?: ResourcePermissions
  /** Whether its documents follow a public standard, in several formats. */
  isStandardized?: boolean
  /** Whether a document can have an owner but need not. */
  mayBeUnowned?: boolean
  /** Whether the tags in its documents follow the tag policy of the organization. */
  hasManagedTags?: boolean
}

/** Every kind of document that has versions, events and a search entry. Records follow from their declarations. */
export const KINDS = {
  'data-product': {
    kind: 'data-product',
    table: 'data_product',
    called: 'data product',
    label: 'Data products',
    event: 'DataProduct',
    resourceType: 'DATA_PRODUCT',
    pages: 'data-products',
    rank: 0,
    permissions: 'DATAPRODUCT',
    isStandardized: true,
    hasManagedTags: true,
  },
  'data-contract': {
    kind: 'data-contract',
    table: 'data_contract',
    called: 'data contract',
    label: 'Data contracts',
    event: 'DataContract',
    resourceType: 'DATA_CONTRACT',
    pages: 'data-contracts',
    rank: 1,
    permissions: 'DATACONTRACT',
    isStandardized: true,
    mayBeUnowned: true,
    hasManagedTags: true,
  },
  asset: {
    kind: 'asset',
    table: 'asset',
    called: 'asset',
    label: 'Assets',
    event: 'Asset',
    resourceType: 'DATA_ASSET',
    pages: 'assets',
    rank: 3,
    permissions: 'ASSET',
    mayBeUnowned: true,
    hasManagedTags: true,
  },
  team: {
    kind: 'team',
    table: 'team',
    called: 'team',
    label: 'Teams',
    event: 'Team',
    resourceType: 'TEAM',
    pages: 'teams',
    rank: 2,
    hasManagedTags: true,
  },
  ...RECORD_KINDS,
} as const satisfies Readonly<Record<string, Kind>>

/** A kind of document, as it is stored. */
export type DocumentKind = keyof typeof KINDS

/** The kinds in the order of the API. */
export const ALL_KINDS: readonly (Kind & (typeof KINDS)[DocumentKind])[] = Object.values(KINDS)

/** The kinds in the order of their rank in search. */
export const RANKED_KINDS: readonly DocumentKind[] = ALL_KINDS.toSorted(
  (a, b) => a.rank - b.rank,
).map(({ kind }) => kind)

/** The kinds whose rows refer to their owner by `owner_team_id`. */
export const OWNED_KINDS = ALL_KINDS.filter(({ kind }) => kind !== 'team' && kind !== 'asset')

/** Lists the kinds with a property. */
export function listKindsWith(
  property: 'isStandardized' | 'mayBeUnowned' | 'hasManagedTags',
): DocumentKind[] {
  return ALL_KINDS.filter((kind) => kind[property] === true).map(({ kind }) => kind)
}

// The table of the current documents of all kinds of records.
const RECORD_TABLE = 'catalog_record'

/** Returns whether a kind is a kind of record. */
export function isRecordName(kind: DocumentKind): kind is RecordName {
  return Object.hasOwn(RECORD_KINDS, kind)
}

/** Returns the table that a kind is written to. */
export function getTable(kind: DocumentKind): string {
  return isRecordName(kind) ? RECORD_TABLE : KINDS[kind].table
}

/**
 * Returns the current documents of a kind as the item of an SQL from clause, which needs an alias. PostgreSQL plans
 * the subquery like a condition on the table.
 */
export function getRows(kind: DocumentKind): string {
  return isRecordName(kind)
    ? `(select * from ${RECORD_TABLE} where kind = '${kind}')`
    : getTable(kind)
}

/** Returns the beginning of a kind's permissions; undefined if only owners of the organization write it. */
export function getResourcePermissions(kind: DocumentKind): ResourcePermissions | undefined {
  const declared: Kind = KINDS[kind]
  return declared.permissions
}

/** Returns the field of a document that has its id. */
export function getIdField(kind: DocumentKind): string {
  const [name] = isRecordName(kind) ? RECORD_KINDS[kind].paths.id : ['id']
  return name
}
