import { Notes } from '../text/problem.ts'
import { asText, getField, isObject, valueAt, type Path, type Value } from '../text/value.ts'
import { detectFormat } from './detect.ts'

// Pages find the owner without the readers, which are large.
const NO_SOURCE = { locate: () => ({ line: 1, column: 1 }) }

/** The path of the owner in a DCS document. */
export const DCS_OWNER_PATH: Path = ['info', 'owner']

/** Returns the path of the owner in a document. */
export function ownerPath(value: Value): Path {
  const format = isObject(value) ? detectFormat(value, new Notes(NO_SOURCE)) : undefined
  return format === 'dcs' ? DCS_OWNER_PATH : odcsOwnerPath(value)
}

/**
 * Returns the path of the owner: `team.name`, else the custom property `owner`, else `domain`; `team.name` if none of
 * them has content.
 */
export function odcsOwnerPath(value: Value): Path {
  const custom = getField(value, 'customProperties')
  const at = (Array.isArray(custom) ? custom : []).findIndex(
    (item) => getField(item, 'property') === 'owner',
  )
  const places: Path[] = [
    ['team', 'name'],
    ...(at === -1 ? [] : [['customProperties', at, 'value']]),
    ['domain'],
    ['datasetDomain'],
  ]
  return (
    places.find((place) => (asText(valueAt(value, place)) ?? '').trim() !== '') ?? ['team', 'name']
  )
}
