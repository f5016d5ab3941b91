/** The properties of a kind of document that do not depend on the content of its documents. */
interface Kind {
  /** The kind as it is stored. */
  kind: string
  /** The table of the current documents. */
  table: string
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
  /** Whether its documents follow a public standard, in several formats, and refer to their owner by `owner_team_id`. */
  isStandardized: boolean
  /** Whether a document can have an owner but need not. */
  mayBeUnowned: boolean
}

/** Every kind of document that has versions, events and a search entry. */
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
    isStandardized: true,
    mayBeUnowned: false,
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
    isStandardized: true,
    mayBeUnowned: true,
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
    isStandardized: false,
    mayBeUnowned: true,
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
    isStandardized: false,
    mayBeUnowned: false,
  },
} as const satisfies Readonly<Record<string, Kind>>

/** A kind of document, as it is stored. */
export type DocumentKind = keyof typeof KINDS

/** The kinds in the order of the API. */
export const ALL_KINDS = Object.values(KINDS)

/** The kinds in the order of their rank in search. */
export const RANKED_KINDS: readonly DocumentKind[] = ALL_KINDS.toSorted(
  (a, b) => a.rank - b.rank,
).map(({ kind }) => kind)

/** Lists the kinds with a property. */
export function listKindsWith(property: 'isStandardized' | 'mayBeUnowned'): DocumentKind[] {
  return ALL_KINDS.filter((kind) => kind[property]).map(({ kind }) => kind)
}
