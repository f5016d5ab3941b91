/** The views of a data contract's page. */
export const VIEWS = [
  { key: 'overview', title: 'Overview' },
  { key: 'quality', title: 'Quality' },
  { key: 'servers', title: 'Servers' },
  { key: 'use', title: 'Used by' },
  { key: 'exports', title: 'Exports' },
  { key: 'history', title: 'History' },
  { key: 'source', title: 'Source' },
] as const

/** One view of a data contract's page. */
export type ContractView = (typeof VIEWS)[number]['key']

/** What the page of a data contract keeps in its address. */
export const CONTRACT_URL_STATE = {
  view: 'overview',
  /** What is looked for among the fields, or the rules. */
  q: '',
  /** The export that is shown, and the dialect of its SQL. */
  as: 'odcs',
  dialect: '',
}
