/** Why something was found, as the search tells it. */
export interface Reason {
  field: string
  how: string
  path: string | null
}

/** A text with the places that match in it. */
interface Highlight {
  field: string
  text: string
  ranges: readonly (readonly number[])[]
}

/** One reason in words, and the text in which it is seen. */
export interface Told {
  words: string
  /** Null = the words say it all. */
  text: string | null
  ranges: readonly (readonly number[])[]
  /** Whether the text is a name in a schema, and not words of people. */
  isCode: boolean
}

// These stand in the result itself, where what matches is marked.
const SEEN_ANYWAY = ['id', 'name', 'description']

/**
 * Says why something was found, the most telling first: a column, a port, a tag. What is marked in the
 * result itself needs no words, unless it is spelled otherwise than what was asked.
 */
export function reasonsTold(
  why: readonly Reason[],
  highlights: readonly Highlight[],
): readonly Told[] {
  const told = new Map<string, Told>()
  for (const { field, how, path } of why) {
    const isMarked = highlights.some((one) => one.field === field)
    if (SEEN_ANYWAY.includes(field) && isMarked && how !== 'typo' && how !== 'synonym') continue
    const place = path === null ? (PLACES[field] ?? 'its text') : (NAMED_PLACES[field] ?? 'text')
    const words = `${place}${QUALIFIERS[how] ?? ''}`
    for (const { text, ranges } of textsOf(field, path, highlights)) {
      told.set(`${words} ${text}`, { words, text, ranges, isCode: field === 'column' })
    }
  }
  return [...told.values()]
}

function textsOf(
  field: string,
  path: string | null,
  highlights: readonly Highlight[],
): Pick<Told, 'text' | 'ranges'>[] {
  if (SEEN_ANYWAY.includes(field)) return [{ text: null, ranges: [] }]
  const marked = highlights.filter((one) => one.field === field)
  if (path === null) return marked.length > 0 ? marked : [{ text: null, ranges: [] }]
  return [{ text: path, ranges: marked.find(({ text }) => text === path)?.ranges ?? [] }]
}

// How a match differs from what was typed.
const QUALIFIERS: Readonly<Record<string, string>> = {
  typo: ', spelled similarly',
  synonym: ', a word of similar meaning',
}

const PLACES: Readonly<Record<string, string>> = {
  id: 'the id',
  name: 'the name',
  description: 'the description',
  owner: 'the owner',
  tag: 'tag',
  domain: 'domain',
  column: 'column',
  port: 'port',
  classification: 'classification',
}

const NAMED_PLACES: Readonly<Record<string, string>> = {
  column: 'column',
  port: 'port',
  tag: 'tag',
  domain: 'domain',
}
