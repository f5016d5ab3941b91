// What changed between two versions of a data contract, by meaning: what it promises about its models, where the data is,
// how it is served, and what only explains it.

import { odcsFromDcs } from '../data-contract/convert.ts'
import { platformAmong } from '../data-contract/contract-fields.ts'
import type { DataContract, Format, Server } from '../data-contract/data-contract.ts'
import { isOdcs2 } from '../data-contract/detect.ts'
import { ODCS_NEWEST } from '../data-contract/odcs-shape.ts'
import { readOdcsModels } from '../data-contract/odcs.ts'
import { canonicalShape } from '../data-contract/read.ts'
import { canonicalText } from '../canonical.ts'
import { NOWHERE } from '../inspect.ts'
import { Notes } from '../problem.ts'
import type { Model } from '../schema/model.ts'
import { any, type Shape } from '../shape.ts'
import { fieldOf, isObject, textOf, type Value } from '../value.ts'
import { contractDialect } from './contract-dialect.ts'
import type { Platforms } from './field-type.ts'
import { type Change } from './level.ts'
import { DCS_LAYOUT, type ModelLayout, ODCS_2_LAYOUT, ODCS_LAYOUT } from './model-layout.ts'
import { compareModels } from './models.ts'
import { without } from './pair.ts'
import { isSame } from './same.ts'
import { Walk } from './walk.ts'

/** A data contract as it was read. */
export interface ReadContract {
  contract: DataContract
  value: Value
  canonical: string
}

/**
 * Lists what changed from one version to the next; empty exactly when both mean the same. Two formats are compared by
 * the ODCS form of both, and the paths lead into that form.
 */
export function diffDataContracts(before: ReadContract, after: ReadContract): Change[] {
  if (before.contract.format !== after.contract.format) return diffFormats(before, after)
  // The canonical texts say the same, but would have to be written first.
  const { format } = after.contract
  const shapes = [before, after].map(({ value }) => shapeOfDocument(value, format))
  if (shapes[0] === shapes[1] && isSame(before.value, after.value, shapes[0] ?? any)) return []
  const changes = diffForms(formOf(before), formOf(after), before.contract.format === 'dcs')
  if (changes.length > 0) return changes
  const message = 'The document says the same in other words.'
  return [{ path: '', kind: 'changed', level: 'wording', before: null, after: null, message }]
}

function shapeOfDocument(value: Value, format: Format): Shape {
  return isObject(value) ? canonicalShape(value, format) : any
}

const NAMES = { odcs: 'ODCS', dcs: 'DCS' }

// A contract in the form in which it is compared.
interface Form {
  value: Value
  models: () => readonly Model[]
  servers: readonly Server[]
  platforms: Platforms['before']
}

function formOf({ contract, value }: ReadContract): Form {
  const { servers } = contract
  // The words of DCS are no platform's own types.
  const isOwn = contract.format === 'dcs' && contract.schemaType === undefined
  const platforms = isOwn ? undefined : platformAmong(servers).platform
  return { value, models: () => contract.models, servers, platforms }
}

function diffFormats(before: ReadContract, after: ReadContract): Change[] {
  const formats = { before: before.contract.format, after: after.contract.format }
  const message = `The document is in ${NAMES[formats.after]} now; it was in ${NAMES[formats.before]}.`
  const change: Change = { path: '', kind: 'changed', level: 'wording', ...formats, message }
  const changes = diffForms(odcsForm(before), odcsForm(after), false)
  return [change, ...changes.filter((one) => !isTrace(one))]
}

function odcsForm(read: ReadContract): Form {
  const form = formOf(read)
  if (read.contract.format === 'odcs') return form
  const value = odcsFromDcs(read.value, read.contract.id)
  const models = (): Model[] => (isObject(value) ? readOdcsModels(value, new Notes(NOWHERE)) : [])
  return { ...form, value, models }
}

// What the conversion adds, so that it can be told what stood where, is no part of the meaning.
function isTrace({ path, before, after }: Change): boolean {
  const item = after ?? before
  const isMark = textOf(fieldOf(item, 'property'))?.startsWith('dcs.') === true
  return ['/apiVersion', '/kind'].includes(path) || isMark
}

function diffForms(before: Form, after: Form, isDcs: boolean): Change[] {
  const isSchemaSame = before.platforms === after.platforms && haveSameSchema(before, after)
  const [older, newer] = isSchemaSame ? [[], []] : [before.models(), after.models()]
  const changes = compareModels(older, newer, {
    platforms: { before: before.platforms, after: after.platforms },
    isOrdered: !isDcs || isOrderTold(after.value),
    isMoved: isMoved(before.servers, after.servers),
  })
  const layout = isDcs ? DCS_LAYOUT : layoutOf(before.value, after.value)
  const walk = new Walk(contractDialect(isDcs, changes, layout))
  const shape = isDcs ? canonicalShape({}, 'dcs') : shapeOf(before.value, after.value)
  const [one, other] = [before, after].map(({ value }) =>
    isSchemaSame && isObject(value) ? without(value, SCHEMA_FIELDS) : value,
  )
  return [...changes.list, ...walk.documents(one ?? null, other ?? null, shape)]
}

// Where documents tell their models. Mostly nothing changed there, and then no models are built to find that out.
const SCHEMA_FIELDS = ['schema', 'dataset', 'models', 'definitions']

function haveSameSchema({ value: before }: Form, { value: after }: Form): boolean {
  return SCHEMA_FIELDS.every((name) => {
    const [older, newer] = [fieldOf(before, name), fieldOf(after, name)]
    if (older === undefined || newer === undefined) return older === newer
    return isSame(older, newer, any)
  })
}

// The order of a map's fields says nothing; that of a text's or of a list's does.
function isOrderTold(value: Value): boolean {
  const specification = fieldOf(fieldOf(value, 'schema'), 'specification')
  return specification !== undefined && fieldOf(value, 'models') === undefined
}

function shapeOf(before: Value, after: Value) {
  const isBoth2 = [before, after].every((value) => isObject(value) && isOdcs2(value))
  return isBoth2 && isObject(after) ? canonicalShape(after, 'odcs') : ODCS_NEWEST
}

function layoutOf(before: Value, after: Value): ModelLayout {
  return shapeOf(before, after) === ODCS_NEWEST ? ODCS_LAYOUT : ODCS_2_LAYOUT
}

// Whether data is no longer where it was.
function isMoved(before: readonly Server[], after: readonly Server[]): boolean {
  const places = new Set(after.map(placeOf))
  return before.some((server) => !places.has(placeOf(server)))
}

const NO_PLACE = ['id', 'description', 'roles', 'tags', 'customProperties']

function placeOf({ name, properties }: Server): string {
  return JSON.stringify([name, canonicalText(without(properties, NO_PLACE), any)])
}
