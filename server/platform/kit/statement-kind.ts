// Whether a statement changes data decides what a lost connection means, so a doubt counts as a change.

const CHANGE =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate|create|alter|drop|copy|call|do)\b/i
/** Quoted texts and names, comments, and row locks. */
const NO_CHANGE =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\bfor\s+(?:no\s+key\s+)?update\b|\bdo\s+nothing\b/gi

// The texts of a process are few; beyond this number they are examined at each use.
const TEXTS_MAX = 2000
const kinds = new Map<string, boolean>()

/** Returns whether a statement may change data. Functions that it calls are assumed to only read. */
export function isChange(text: string): boolean {
  const existing = kinds.get(text)
  if (existing !== undefined) return existing
  const result = CHANGE.test(text.replaceAll(NO_CHANGE, ' '))
  if (kinds.size < TEXTS_MAX) kinds.set(text, result)
  return result
}
