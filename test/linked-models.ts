// Generates tables that refer to each other: by single and several fields, to themselves, in cycles, to columns that
// are no keys, of other types, and to tables that do not exist.

import * as fc from 'fast-check'
import type { Field, LogicalType, Model } from '../formats/schema/model.ts'
import { plainField, plainModel } from '../formats/schema/plain.ts'

const TABLES = ['orders', 'customers', 'order items', 'Kategorie "ä"']
const KEY_TYPES: readonly LogicalType[] = ['integer', 'string', 'date']

interface Draft {
  /** The types of the columns of the key, 1 or 2. */
  key: LogicalType[]
  uniqueType: LogicalType
  namespace: string | undefined
}

interface Link {
  from: number
  to: number
  kind: 'key' | 'unique' | 'plain' | 'part' | 'absent'
  isOtherType: boolean
}

/** Generates two to four tables with up to six links. */
export function linkedModelsArbitrary(): fc.Arbitrary<Model[]> {
  const table = fc.record({
    key: fc.array(fc.constantFrom(...KEY_TYPES), { minLength: 1, maxLength: 2 }),
    uniqueType: fc.constantFrom(...KEY_TYPES),
    namespace: fc.option(fc.constant('sales'), { nil: undefined, freq: 3 }),
  })
  const link = fc.record({
    from: fc.nat(3),
    to: fc.nat(3),
    kind: fc.constantFrom('key', 'key', 'key', 'unique', 'plain', 'part', 'absent'),
    isOtherType: fc.boolean(),
  })
  return fc
    .tuple(fc.array(table, { minLength: 2, maxLength: 4 }), fc.array(link, { maxLength: 6 }))
    .map(([tables, links]) => buildModels(tables, links as Link[]))
}

function buildModels(tables: readonly Draft[], links: readonly Link[]): Model[] {
  const models = tables.map((draft, at) => buildModel(TABLES[at] ?? '', draft))
  for (const [number, link] of links.entries()) {
    const [from, to] = [models[link.from % models.length], models[link.to % models.length]]
    const draft = tables[link.to % models.length]
    if (from !== undefined && to !== undefined && draft)
      addLink(from, to, draft, { ...link, number })
  }
  return models
}

function buildModel(name: string, { key, uniqueType, namespace }: Draft): Model {
  const model: Model = { ...plainModel(name, ''), kind: 'table' }
  if (namespace !== undefined) model.namespace = namespace
  for (const [at, type] of key.entries()) {
    model.fields.push({ ...column(`k${at}`, type), required: true, primaryKeyPosition: at + 1 })
    model.primaryKey.push(`k${at}`)
  }
  model.fields.push({ ...column('u', uniqueType), unique: true }, column('plain', 'integer'))
  return model
}

function addLink(from: Model, to: Model, draft: Draft, link: Link & { number: number }): void {
  const { kind, number } = link
  const path = to.namespace === undefined ? to.name : `${to.namespace}.${to.name}`
  const add = (name: string, type: LogicalType, reference: string): void => {
    const other = link.isOtherType ? 'timestamp' : type
    from.fields.push({ ...column(name, other), references: [reference] })
  }
  if (kind === 'absent') add(`f${number}`, 'integer', 'elsewhere.id')
  else if (kind === 'unique') add(`f${number}`, draft.uniqueType, `${path}.u`)
  else if (kind === 'plain') add(`f${number}`, 'integer', `${path}.plain`)
  else if (kind === 'part' || draft.key.length === 1) {
    add(`f${number}`, draft.key[0] ?? 'integer', `${path}.k0`)
  } else {
    // The second column of the key comes first.
    const fields = [`f${number}`, `g${number}`]
    const references = [`${path}.k1`, `${path}.k0`]
    for (const [at, name] of fields.entries()) {
      add(name, draft.key[1 - at] ?? 'integer', references[at] ?? '')
    }
    from.foreignKeys = [...(from.foreignKeys ?? []), { fields, references }]
  }
}

function column(name: string, type: LogicalType): Field {
  const field = plainField(name, type, '')
  if (type === 'string') field.maxLength = 20
  if (type === 'timestamp') field.withTimeZone = false
  return field
}
