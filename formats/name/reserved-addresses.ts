// The first segments of addresses that an organization cannot have: `https://catalog.example/<segment>/…`.

const SERVER = 'api assets guides healthz metrics openapi.json readyz ui'
const PAGES =
  'access activity api-keys certifications classification-schemes connectors data-contracts data-products definitions domains drift incidents integrations invitation my-data notifications policies reference requests reset-password search set-up settings sign-in source-systems tags teams test-results unsubscribe'
// The addresses of pages in other catalogs, which redirect to the pages here.
const CLIENTS = 'datacontracts dataproducts sourcesystems'

/** The segments with a meaning of their own, in lower case. The empty one is the home page. */
export const RESERVED_ADDRESSES: ReadonlySet<string> = new Set([
  '',
  ...`${SERVER} ${PAGES} ${CLIENTS}`.split(' '),
])

/**
 * The segments that became reserved after organizations could have them as their address, which they keep. None of their pages
 * has more than two segments: `/drift/datacontracts/orders` is a page of an organization.
 */
export const FORMER_ADDRESSES: ReadonlySet<string> = new Set(
  'access drift incidents my-data notifications requests unsubscribe'.split(' '),
)
