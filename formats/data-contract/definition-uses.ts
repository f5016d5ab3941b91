// The definitions of the glossary that a data contract names.

import { listObjects } from '../data-product/fields.ts'
import {
  asText,
  getField,
  isObject,
  type ObjectValue,
  type Path,
  type Value,
} from '../text/value.ts'

/** A part of a contract that names a definition. */
interface DefinitionUse {
  definitionId: string
  /** The names of the model and its fields, joined by dots: `orders.buyer.id`; empty = the contract itself. */
  location: string
  /** The address, as the contract has it, and the path of its place. */
  address: string
  path: Path
}

/** The maximum number of uses of one contract; further ones are not listed. */
const DEFINITION_USES_MAX = 10_000

// Open Data Contract Standard 3, appendix: types of authoritative definitions.
const DEFINITION_TYPES: ReadonlySet<string> = new Set(['definition', 'businessDefinition'])
// An id has at most 256 characters; the rest is the host and percent-encoding.
const ADDRESS_CHARACTERS_MAX = 4096
const ADDRESS = /^(?:[^?#]*\/)?definitions\/([^?#]+)/

/**
 * Returns the id of the definition at an address, of the API or of a page, on any host:
 * `https://catalog.example/api/definitions/sales/customer_id`. Undefined for other addresses and for definitions of
 * the same document (`#/definitions/…`), and for addresses of more than 4,096 characters.
 */
export function readDefinitionAddress(address: string): string | undefined {
  if (address.length > ADDRESS_CHARACTERS_MAX) return undefined
  const path = ADDRESS.exec(address)?.[1]?.replace(/\/+$/, '')
  if (path === undefined || path === '') return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/**
 * Lists the definitions that a contract names: by `authoritativeDefinitions` of type `definition` or
 * `businessDefinition` in ODCS, and by `$ref` in the Data Contract Specification. Never throws.
 */
export function listDefinitionUses(contract: Value): DefinitionUse[] {
  const uses: DefinitionUse[] = []
  if (!isObject(contract)) return uses
  // The steps to the part that is visited; they are copied only for a use.
  const steps: (string | number)[] = []
  const add = (location: string, owner: Value, name: string): void => {
    const address = asText(getField(owner, name)) ?? ''
    const definitionId = readDefinitionAddress(address)
    if (definitionId !== undefined && uses.length < DEFINITION_USES_MAX) {
      uses.push({ definitionId, location, address, path: [...steps, name] })
    }
  }
  const models = getField(contract, 'models')
  if (isObject(models)) inside(steps, ['models'], () => walkNamed(models, '', { steps, add }))
  else walkOdcs(contract, '', { steps, add })
  return uses
}

function inside(steps: (string | number)[], more: Path, visit: () => void): void {
  steps.push(...more)
  visit()
  steps.length -= more.length
}

/** Returns whether an authoritative definition is one of a glossary, and not a tutorial or a similar page. */
export function namesDefinition(definition: Value): boolean {
  return DEFINITION_TYPES.has(asText(getField(definition, 'type')) ?? '')
}

interface Visit {
  steps: (string | number)[]
  add(location: string, owner: Value, name: string): void
}

const ODCS_PARTS = ['schema', 'dataset', 'properties', 'columns', 'items']

function walkOdcs(part: ObjectValue, location: string, visit: Visit): void {
  const { steps, add } = visit
  for (const { item, at } of listObjects(getField(part, 'authoritativeDefinitions'))) {
    if (!namesDefinition(item)) continue
    inside(steps, ['authoritativeDefinitions', at], () => add(location, item, 'url'))
  }
  for (const name of ODCS_PARTS) {
    const nested = getField(part, name)
    // Items have no name of their own.
    if (isObject(nested)) inside(steps, [name], () => walkOdcs(nested, location, visit))
    for (const { item: one, at } of listObjects(nested)) {
      const oneName = asText(getField(one, 'name')) ?? asText(getField(one, 'column'))
      const called = oneName ?? asText(getField(one, 'table')) ?? ''
      inside(steps, [name, at], () => walkOdcs(one, joinLocation(location, called), visit))
    }
  }
}

// Models and fields of the Data Contract Specification, by name.
function walkNamed(parts: ObjectValue, above: string, visit: Visit): void {
  for (const [name, part] of Object.entries(parts)) {
    if (!isObject(part)) continue
    inside(visit.steps, [name], () => walkField(part, joinLocation(above, name), visit))
  }
}

function walkField(field: ObjectValue, location: string, visit: Visit): void {
  const { steps, add } = visit
  add(location, field, '$ref')
  const fields = getField(field, 'fields')
  if (isObject(fields)) inside(steps, ['fields'], () => walkNamed(fields, location, visit))
  for (const name of ['items', 'keys', 'values']) {
    const nested = getField(field, name)
    if (isObject(nested)) inside(steps, [name], () => walkField(nested, location, visit))
  }
}

function joinLocation(above: string, name: string): string {
  return above === '' || name === '' ? `${above}${name}` : `${above}.${name}`
}
