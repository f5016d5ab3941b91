import known from './synonyms.json' with { type: 'json' }
import { joinParts, namesIn } from '../../../formats/text/words.ts'

/** Groups of words with the same meaning in searches. */
export type SynonymGroups = readonly (readonly string[])[]

/** The groups that every organization has. */
export const KNOWN_SYNONYMS: SynonymGroups = known

/** Returns the synonyms of a word in the form of the index. */
export type Synonyms = (word: string) => readonly string[]

/** Creates a lookup of synonyms; a word may be in several groups. */
export function createSynonyms(...sources: readonly SynonymGroups[]): Synonyms {
  const byWord = new Map<string, Set<string>>()
  for (const group of sources.flat()) {
    const words = group.map(toIndexWord).filter((word) => word !== '')
    for (const word of words) {
      const others = byWord.get(word) ?? new Set()
      for (const other of words) if (other !== word) others.add(other)
      byWord.set(word, others)
    }
  }
  return (word) => [...(byWord.get(word) ?? [])]
}

/** Returns a word as the index has it: folded, several words joined. Empty = it has no letter. */
export function toIndexWord(text: string): string {
  return joinParts(namesIn(text.normalize('NFC')).flat())
}
