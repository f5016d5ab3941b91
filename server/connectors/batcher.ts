import type { Batch, SourceAsset, UnreadableAsset } from './connector.ts'

const ASSETS_MAX = 1000
const CHARACTERS_MAX = 500_000

/** Collects assets into batches with a limited number and size. */
export class Batcher {
  #full: SourceAsset[][] = []
  #open: SourceAsset[] = []
  #characters = 0
  #unreadable: UnreadableAsset[] = []

  /**
   * Adds an asset, with its approximate number of characters, or one that cannot be read. An asset larger than a batch
   * gets a separate batch.
   */
  add(asset: SourceAsset | UnreadableAsset, characters?: number): void {
    if ('message' in asset) {
      this.#unreadable.push(asset)
      return
    }
    const size = characters ?? JSON.stringify(asset).length
    const isFull = this.#open.length === ASSETS_MAX || this.#characters + size > CHARACTERS_MAX
    if (isFull && this.#open.length > 0) {
      this.#full.push(this.#open)
      this.#open = []
      this.#characters = 0
    }
    this.#open.push(asset)
    this.#characters += size
  }

  /** Takes the full batches, and one with what cannot be read. */
  *takeFull(): Generator<Batch> {
    const full = this.#full
    this.#full = []
    for (const assets of full) yield { assets }
    if (this.#unreadable.length > 0) yield { assets: [], ...this.#takeUnreadable() }
  }

  /** Takes the last batch, which may be empty. */
  takeLast(): Batch {
    const assets = this.#open
    this.#open = []
    this.#characters = 0
    return { assets, ...this.#takeUnreadable() }
  }

  #takeUnreadable(): Pick<Batch, 'unreadable'> {
    const unreadable = this.#unreadable
    this.#unreadable = []
    return unreadable.length === 0 ? {} : { unreadable }
  }
}
