/** Listings of services, page by page. */

import { SourceFailure } from '../connector.ts'

const FACTOR = 8

/** A listing that a service returns in pages. */
interface PagedListing<Page> {
  /** The subject of an error: `The listing of its namespaces`. */
  name: string
  /** The number of entries that are requested first; undefined = as the service decides. */
  size?: number
  /** The number of entries after the first answer that is too large. */
  smallerSize: number
  /** Requests a page; the first one has no token. Errors: SourceFailure. */
  request(token: string, size: number | undefined): Promise<Page>
  /** Returns the token of the next page; empty after the last one. */
  getToken(page: Page): string | null | undefined
}

/**
 * Reads a listing page by page; a page may be empty and have a successor. While an answer is too large, the page is
 * requested with fewer entries. Errors: those of `request`, and SourceFailure protocol if the listing does not end.
 */
export async function* readPages<Page>(listing: PagedListing<Page>): AsyncGenerator<Page> {
  const tokens = new PageTokens(listing.name)
  let { size } = listing
  do {
    let page: Page
    for (;;) {
      try {
        page = await listing.request(tokens.next, size)
        break
      } catch (error) {
        const isTooLarge = error instanceof SourceFailure && error.kind === 'too_large'
        if (!isTooLarge || size === 1) throw error
        size =
          size === undefined || size > listing.smallerSize
            ? listing.smallerSize
            : Math.max(1, Math.floor(size / FACTOR))
      }
    }
    yield page
    tokens.follow(listing.getToken(page))
  } while (tokens.next !== '')
}

/** A listing with more pages than this is treated as endless. */
const PAGES_MAX = 100_000

/**
 * Follows a listing from page to page; a page may be empty, and only a missing token ends the
 * listing.
 */
export class PageTokens {
  readonly #listing: string
  readonly #seen = new Set<string>()
  /** The token of the next page; empty for the first page, and after the last one. */
  next = ''
  #pages = 0

  /** `listing` is the subject of an error. */
  constructor(listing: string) {
    this.#listing = listing
  }

  /** Accepts the token of an answer. Errors: SourceFailure protocol if the listing does not end. */
  follow(token: string | null | undefined): void {
    this.next = token ?? ''
    this.#pages += 1
    if (this.next === '') return
    if (this.#seen.has(this.next) || this.#pages >= PAGES_MAX) {
      throw new SourceFailure('protocol', `${this.#listing} does not end`)
    }
    this.#seen.add(this.next)
  }
}
