/** The properties of a kind of document that do not depend on the content of its documents. */
interface Kind {
  /** The table of the current documents. */
  table: string
  /** The kind in messages: `data product`. */
  called: string
  /** The beginning of the names of its events. */
  event: string
  /** The kind in search and plans. */
  resourceType: string
  /** The first segment of the addresses of its pages. */
  pages: string
}

/** Every kind of document that has versions, events and a search entry, in the order of its rank in search. */
export const KINDS = {
  'data-product': {
    table: 'data_product',
    called: 'data product',
    event: 'DataProduct',
    resourceType: 'DATA_PRODUCT',
    pages: 'data-products',
  },
  'data-contract': {
    table: 'data_contract',
    called: 'data contract',
    event: 'DataContract',
    resourceType: 'DATA_CONTRACT',
    pages: 'data-contracts',
  },
  team: { table: 'team', called: 'team', event: 'Team', resourceType: 'TEAM', pages: 'teams' },
  asset: {
    table: 'asset',
    called: 'asset',
    event: 'Asset',
    resourceType: 'DATA_ASSET',
    pages: 'assets',
  },
} as const satisfies Readonly<Record<string, Kind>>

/** A kind of document, as it is stored. */
export type DocumentKind = keyof typeof KINDS
