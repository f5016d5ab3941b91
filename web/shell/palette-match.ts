import { namesIn } from '../../formats/text/words.ts'

/** Returns whether each typed word begins a word of an item, ignoring case and accents. */
export function matches(typed: string, text: string): boolean {
  const words = listWords(text)
  return listWords(typed).every((word) => words.some((one) => one.startsWith(word)))
}

function listWords(text: string): string[] {
  return namesIn(text.normalize('NFC')).flatMap((name) => name.map(({ word }) => word))
}
