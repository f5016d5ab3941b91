import { newTable } from '../../../formats/name/table.ts'

/** Why a result matched, as the search API returns it. */
interface Reason {
  field: string
  how: string
  path: string | null
}

/** A text of a result, with the ranges that match. */
interface Highlight {
  field: string
  text: string
  ranges: readonly (readonly number[])[]
}

/** A reason as it is displayed. */
interface DisplayedReason {
  words: string
  /** The matching text; null = none is displayed. */
  text: string | null
  ranges: readonly (readonly number[])[]
  /** Whether the text is a name in a schema. */
  isCode: boolean
}

// The result displays these fields and highlights what matches.
const DISPLAYED_FIELDS = ['id', 'name', 'description']

/**
 * Returns the reasons to display, in the order of the search. Leaves out matches that the result already
 * highlights, unless they differ from the query in spelling or wording.
 */
export function listReasons(
  why: readonly Reason[],
  highlights: readonly Highlight[],
): readonly DisplayedReason[] {
  const reasons = new Map<string, DisplayedReason>()
  for (const { field, how, path } of why) {
    const isMarked = highlights.some((one) => one.field === field)
    if (DISPLAYED_FIELDS.includes(field) && isMarked && how !== 'typo' && how !== 'synonym')
      continue
    const label =
      path === null ? (FIELD_LABELS[field] ?? 'text') : (NAMED_FIELD_LABELS[field] ?? 'text')
    const words = `${label}${QUALIFIERS[how] ?? ''}`
    for (const { text, ranges } of getTexts(field, path, highlights)) {
      reasons.set(`${words} ${text}`, { words, text, ranges, isCode: field === 'column' })
    }
  }
  return [...reasons.values()]
}

function getTexts(
  field: string,
  path: string | null,
  highlights: readonly Highlight[],
): Pick<DisplayedReason, 'text' | 'ranges'>[] {
  if (DISPLAYED_FIELDS.includes(field)) return [{ text: null, ranges: [] }]
  const marked = highlights.filter((one) => one.field === field)
  // The part that has the synonym is not what people look for.
  if (path === null || field === 'synonym')
    return marked.length > 0 ? marked : [{ text: null, ranges: [] }]
  return [{ text: path, ranges: marked.find(({ text }) => text === path)?.ranges ?? [] }]
}

// How a match differs from the query.
const QUALIFIERS = newTable<string>({
  typo: ', similar spelling',
  synonym: ', synonym',
})

const FIELD_LABELS = newTable<string>({
  id: 'ID',
  name: 'name',
  description: 'description',
  owner: 'owner',
  tag: 'tag',
  domain: 'domain',
  synonym: 'synonym',
  column: 'column',
  port: 'port',
  classification: 'classification',
})

const NAMED_FIELD_LABELS = newTable<string>({
  synonym: 'synonym',
  column: 'column',
  port: 'port',
  tag: 'tag',
  domain: 'domain',
})
