// The IRIs of resources: the addresses of their pages, and fragments of them. They stay the same as long as the public
// address of the installation does.

/** The IRIs of an installation. */
export interface Iris {
  catalog: string
  publisher: string
  /** Pages of the catalog are counted from 0. */
  catalogPage(page: number): string
  team(id: string): string
  product(id: string): string
  contract(id: string): string
  status(word: string): string
  domain(name: string): string
  /** The JSON Schema of a standard: `odcs-3.1.0`. */
  standard(name: string): string
}

/** Creates the IRIs below the public address of an installation, which has no slash at its end. */
export function newIris(baseUrl: string): Iris {
  const base = escapeIri(baseUrl)
  const catalog = `${base}/catalog`
  return {
    catalog,
    publisher: `${catalog}#publisher`,
    catalogPage: (page) => `${catalog}?p=${page}`,
    team: (id) => `${base}/teams/${encode(id)}`,
    product: (id) => `${base}/data-products/${encode(id)}`,
    contract: (id) => `${base}/data-contracts/${encode(id)}`,
    status: (word) => `${catalog}#status-${encode(word)}`,
    domain: (name) => `${catalog}#domain-${encode(name)}`,
    standard: (name) => `${base}/api/schemas/${encode(name)}.schema.json`,
  }
}

// Most names and addresses need no encoding, and a test is several times cheaper.
const PLAIN_NAME = /^[\w.~-]*$/
const PLAIN_ADDRESS = /^[\w\-.~:/?@!$&'()*+,;=]*$/

/** Encodes a name as a part of an IRI. */
export function encode(name: string): string {
  return PLAIN_NAME.test(name) ? name : encodeURIComponent(name.toWellFormed())
}

const IP_V6 = /^([a-z][\w+.-]*:\/\/)%5B([0-9a-f:.]+)%5D/i

/** Encodes the characters of an address that no URI has at their place, and percent signs that encode nothing. */
export function escapeIri(address: string): string {
  if (PLAIN_ADDRESS.test(address)) return address
  const [start = '', ...fragment] = address
    .toWellFormed()
    .replaceAll(/[^\w\-.~:/?#@!$&'()*+,;=%]/gu, encodeURIComponent)
    .replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(IP_V6, '$1[$2]')
    .split('#')
  return fragment.length === 0 ? start : `${start}#${fragment.join('%23')}`
}

/** Makes the fragments of the parts of a product unique: the second `port-orders` becomes `port-orders-2`. */
export class Fragments {
  readonly #next = new Map<string, number>()

  /** Returns an unused fragment that begins with a text. */
  take(wanted: string): string {
    let fragment = wanted
    while (this.#next.has(fragment)) {
      const number = this.#next.get(wanted) ?? 2
      this.#next.set(wanted, number + 1)
      fragment = `${wanted}-${number}`
    }
    this.#next.set(fragment, 2)
    return fragment
  }
}
