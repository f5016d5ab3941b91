import { isEndingStatus } from '../../../formats/data-product/standing.ts'
import {
  asText,
  getField,
  isObject,
  type ObjectValue,
  type Value,
} from '../../../formats/text/value.ts'

/** The end that a document or an output port announces; null = it announces none. */
interface Ending {
  /** A status that ends; `deprecated` if only the flag of ODPS 1.1 is set. */
  status: string | null
  /** A date, as the document has it. */
  endOfSupport: string | null
  endOfLife: string | null
}

const DATE_CHARACTERS_MAX = 40

/**
 * Reads the end that a document or an item of its output ports announces: by its status, by `deprecated: true`, and by
 * the dates `endOfSupport` and `endOfLife` among its custom properties or, in ODCS, its service levels.
 */
export function readEnding(value: Value, status: string | undefined): Ending {
  const isFlagged = getField(value, 'deprecated') === true
  const dates = new Map(listProperties(value))
  return {
    status: isEndingStatus(status) ? status : isFlagged ? 'deprecated' : null,
    endOfSupport: dates.get('endofsupport') ?? null,
    endOfLife: dates.get('endoflife') ?? null,
  }
}

/** Returns whether an end announces anything. */
export function isEnding({ status, endOfSupport, endOfLife }: Ending): boolean {
  return status !== null || endOfSupport !== null || endOfLife !== null
}

// The names without case and separators, each with its date; a service level of an element is not that of the contract.
function listProperties(value: Value): [string, string][] {
  const custom = getField(value, 'custom')
  const pairs: [Value, Value][] = [
    ...listItems(value, 'slaProperties').filter((item) => getField(item, 'element') === undefined),
    ...listItems(value, 'customProperties'),
  ].map((item) => [getField(item, 'property') ?? null, getField(item, 'value') ?? null])
  if (isObject(custom)) pairs.push(...Object.entries(custom))
  return pairs.flatMap(([name, date]): [string, string][] => {
    const text = asText(date)?.trim().slice(0, DATE_CHARACTERS_MAX) ?? ''
    const normalized = (asText(name) ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')
    return text === '' ? [] : [[normalized, text]]
  })
}

function listItems(value: Value, name: string): ObjectValue[] {
  const items = getField(value, name)
  return Array.isArray(items) ? items.filter(isObject) : []
}
