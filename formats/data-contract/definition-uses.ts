// The definitions of the glossary that a data contract names.

import { asText, getField, isObject, type ObjectValue, type Value } from '../text/value.ts'

/** A part of a contract that names a definition. */
interface DefinitionUse {
  definitionId: string
  /** The names of the model and its fields, joined by dots: `orders.buyer.id`; empty = the contract itself. */
  location: string
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
  const add = (location: string, address: Value | undefined): void => {
    const definitionId = readDefinitionAddress(asText(address) ?? '')
    if (definitionId !== undefined && uses.length < DEFINITION_USES_MAX) {
      uses.push({ definitionId, location })
    }
  }
  const models = getField(contract, 'models')
  if (isObject(models)) walkNamed(models, '', add)
  else walkOdcs(contract, '', add)
  return uses
}

/** Returns whether an authoritative definition is one of a glossary, and not a tutorial or a similar page. */
export function namesDefinition(definition: Value): boolean {
  return DEFINITION_TYPES.has(asText(getField(definition, 'type')) ?? '')
}

type Add = (location: string, address: Value | undefined) => void

const ODCS_PARTS = ['schema', 'dataset', 'properties', 'columns', 'items']

function walkOdcs(part: ObjectValue, location: string, add: Add): void {
  for (const definition of listObjects(getField(part, 'authoritativeDefinitions'))) {
    if (namesDefinition(definition)) add(location, getField(definition, 'url'))
  }
  for (const name of ODCS_PARTS) {
    const inside = getField(part, name)
    // Items have no name of their own.
    if (isObject(inside)) walkOdcs(inside, location, add)
    for (const one of listObjects(inside)) {
      const oneName = asText(getField(one, 'name')) ?? asText(getField(one, 'column'))
      walkOdcs(one, joinLocation(location, oneName ?? asText(getField(one, 'table')) ?? ''), add)
    }
  }
}

// Models and fields of the Data Contract Specification, by name.
function walkNamed(parts: ObjectValue, above: string, add: Add): void {
  for (const [name, part] of Object.entries(parts)) {
    if (isObject(part)) walkField(part, joinLocation(above, name), add)
  }
}

function walkField(field: ObjectValue, location: string, add: Add): void {
  add(location, getField(field, '$ref'))
  const fields = getField(field, 'fields')
  if (isObject(fields)) walkNamed(fields, location, add)
  for (const name of ['items', 'keys', 'values']) {
    const inside = getField(field, name)
    if (isObject(inside)) walkField(inside, location, add)
  }
}

function joinLocation(above: string, name: string): string {
  return above === '' || name === '' ? `${above}${name}` : `${above}.${name}`
}

function listObjects(value: Value | undefined): ObjectValue[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
