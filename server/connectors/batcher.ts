import type { SourceAsset } from './connector.ts'

const ASSETS_MAX = 1000
const CHARACTERS_MAX = 500_000

/** Collects assets into batches with a limited number and size. */
export class Batcher {
  #full: SourceAsset[][] = []
  #open: SourceAsset[] = []
  #characters = 0

  /**
   * Adds an asset with this approximate number of characters. An asset larger than a batch gets a
   * separate batch.
   */
  add(asset: SourceAsset, characters: number): void {
    const isFull =
      this.#open.length === ASSETS_MAX || this.#characters + characters > CHARACTERS_MAX
    if (isFull && this.#open.length > 0) {
      this.#full.push(this.#open)
      this.#open = []
      this.#characters = 0
    }
    this.#open.push(asset)
    this.#characters += characters
  }

  /** Takes the full batches. */
  takeFull(): SourceAsset[][] {
    const full = this.#full
    this.#full = []
    return full
  }

  /** Takes the last batch, which may be empty; no asset can be added to it. */
  takeLast(): SourceAsset[] {
    const last = this.#open
    this.#open = []
    this.#characters = 0
    return last
  }
}
