import { SourceFailure } from '../connector.ts'

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
  pages = 0

  /** `listing` is the subject of an error: `The listing of its namespaces`. */
  constructor(listing: string) {
    this.#listing = listing
  }

  /** Accepts the token of an answer. Errors: SourceFailure protocol if the listing does not end. */
  follow(token: string | null | undefined): void {
    this.next = token ?? ''
    this.pages += 1
    if (this.next === '') return
    if (this.#seen.has(this.next) || this.pages >= PAGES_MAX) {
      throw new SourceFailure('protocol', `${this.#listing} does not end`)
    }
    this.#seen.add(this.next)
  }
}
