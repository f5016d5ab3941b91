// Variables of a document, `${HOST}`, stay in what is copied as they are written. While a text is written, each is
// replaced by a word of letters and digits, which every language accepts without escapes.

import { findVariables } from '../text/variables.ts'

// The default of any other variable would need escapes, so it is treated like any other text.
const PLAIN_DEFAULT = /^(?!-)[\w.-]*$/

/** Replaces the variables of texts by words that no text contains, and back. */
export class VariableMask {
  readonly #stem: string
  readonly #words = new Map<string, string>()
  readonly #notations: string[] = []

  /** `texts` are all texts that are going to be masked. */
  constructor(texts: readonly string[]) {
    let stem = 'var'
    while (texts.some((text) => text.includes(stem))) stem += 'x'
    this.#stem = stem
  }

  /** The notations of the variables in masked texts, in the order of their first use. */
  get notations(): readonly string[] {
    return this.#notations
  }

  /** Replaces the variables of a text by words. */
  mask(text: string): string {
    let masked = ''
    let end = 0
    for (const { text: notation, default: fallback = '', at } of findVariables(text)) {
      if (!this.#notations.includes(notation)) this.#notations.push(notation)
      const isPlain = PLAIN_DEFAULT.test(fallback)
      masked += text.slice(end, at) + (isPlain ? this.#toWord(notation) : notation)
      end = at + notation.length
    }
    return masked + text.slice(end)
  }

  /** Replaces the words in a text that was written with them by their variables. */
  unmask(text: string): string {
    if (this.#words.size === 0) return text
    let whole = text
    for (const [notation, word] of this.#words) whole = whole.replaceAll(word, () => notation)
    return whole
  }

  /** Returns whether a text has a variable whose default no word can replace. */
  hasOddDefault(text: string): boolean {
    return findVariables(text).some(({ default: value = '' }) => !PLAIN_DEFAULT.test(value))
  }

  /** Replaces the words in a text by a letter, or by a digit where a port is, so that the rest can be checked. */
  toChecked(text: string): string {
    let whole = text
    for (const word of this.#words.values()) {
      whole = whole.replaceAll(`:${word}`, ':1').replaceAll(word, 'x')
    }
    return whole
  }

  #toWord(notation: string): string {
    const word = this.#words.get(notation) ?? `${this.#stem}${this.#words.size}z`
    this.#words.set(notation, word)
    return word
  }
}
