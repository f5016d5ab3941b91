/** Returns whether each typed word begins a word of an item, ignoring case and accents. */
export function matches(typed: string, words: string): boolean {
  const known = wordsOf(words)
  return wordsOf(typed).every((word) => known.some((one) => one.startsWith(word)))
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}
