import { parse, type Filter } from 'scim2-parse-filter'
import { clip } from '../../../formats/text/value.ts'
import { ApiError } from '../../platform/errors.ts'
import { toAttributeName } from './attribute.ts'

// Checked before parsing: the parser recurses, and overflows the stack.
const FILTER_CHARACTERS_MAX = 2000
const BRACKETS_MAX = 20

const QUOTED_OR_NOT = /"(?:[^"\\]|\\.)*"|[^"]+|"/gs

/** A comparison of a filter: the attribute equals the value. */
export interface Comparison {
  /** In lower case, with its part: `emails.value`. */
  attribute: string
  value: string | boolean
}

/**
 * Parses a filter of comparisons with `eq`, which are joined by `and` or in brackets after an attribute. `supported` are
 * the attributes as the documentation writes them. Errors: scim_filter_invalid.
 */
export function parseFilter(text: string, supported: readonly string[]): Comparison[] {
  if (text.length > FILTER_CHARACTERS_MAX) {
    throw invalidFilter(`The filter may have ${FILTER_CHARACTERS_MAX} characters at most.`)
  }
  const pieces = text.match(QUOTED_OR_NOT) ?? []
  const unquoted = pieces.filter((piece) => !piece.startsWith('"')).join(' ')
  if ((unquoted.match(/[([]/g)?.length ?? 0) > BRACKETS_MAX) {
    throw invalidFilter(`The filter may have ${BRACKETS_MAX} brackets at most.`)
  }
  const filter = parseText(pieces)
  const names = new Set(supported.map((name) => name.toLowerCase()))
  return listComparisons(filter, '').map((comparison) => {
    if (names.has(comparison.attribute)) return comparison
    throw invalidFilter(
      `The filter compares "${clip(comparison.attribute)}". Use one of ${supported.join(', ')}.`,
    )
  })
}

// The parser accepts the words of JSON in lower case only.
function parseText(pieces: readonly string[]): Filter {
  const text = pieces
    .map((piece) =>
      piece.startsWith('"')
        ? piece
        : piece.replaceAll(/\b(?:true|false|null)\b/gi, (word) => word.toLowerCase()),
    )
    .join('')
  try {
    return parse(text)
  } catch (error) {
    throw invalidFilter(
      'The filter cannot be read. Write it as userName eq "ada@example.com".',
      error,
    )
  }
}

function listComparisons(filter: Filter, outer: string): Comparison[] {
  if (filter.op === 'and') return filter.filters.flatMap((part) => listComparisons(part, outer))
  if (filter.op === '[]') {
    return listComparisons(filter.valFilter, `${outer}${toAttributeName(filter.attrPath)}.`)
  }
  if (filter.op !== 'eq') throw invalidFilter(`The filter uses "${filter.op}". Use eq and and.`)
  const attribute = `${outer}${toAttributeName(filter.attrPath)}`
  const value: unknown = filter.compValue
  if (typeof value === 'string' || typeof value === 'boolean') return [{ attribute, value }]
  throw invalidFilter(`The filter compares "${clip(attribute)}" with something other than a text.`)
}

function invalidFilter(message: string, cause?: unknown): ApiError {
  return new ApiError('scim_filter_invalid', message, { cause })
}
