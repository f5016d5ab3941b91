import type { SourceAsset } from '../connector.ts'

const ASSETS_MAX = 1000
const CHARACTERS_MAX = 500_000

/** Collects assets into batches that are neither too many nor too large. */
export class Batcher {
  #full: SourceAsset[][] = []
  #open: SourceAsset[] = []
  #characters = 0

  /** Adds an asset of about so many characters. One that is larger than a batch is a batch alone. */
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

  /** Takes the batches that are full. */
  takeFull(): SourceAsset[][] {
    const full = this.#full
    this.#full = []
    return full
  }

  /** Takes the last batch, which nothing is added to any more; it may be empty. */
  takeLast(): SourceAsset[] {
    const last = this.#open
    this.#open = []
    this.#characters = 0
    return last
  }
}
