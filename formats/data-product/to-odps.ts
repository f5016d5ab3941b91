// One half of the conversion: from DPS to ODPS, for a whole document or for one port.

import { conforms } from '../shape/inspect.ts'
import { compareText } from '../text/problem.ts'
import { type ObjectShape, shapeAt } from '../shape/shape.ts'
import { hasFormat } from '../shape/text-format.ts'
import { fieldOf, isObject, type ObjectValue, textOf, type Value } from '../text/value.ts'
import { isReserved, type Table, type Row } from './convert-table.ts'
import { type Flat, flatten, isPath, namesOf, stepOf, take, unflatten } from './flat.ts'
import { odpsShape } from './odps-shape.ts'

/**
 * Converts a DPS object to ODPS; `name` is its name if it has none. Values without a row in the table become
 * custom properties `dps.<path>`, in which null means that a field which ODPS implies is absent.
 */
export function odpsObject(table: Table, dps: Value, name: string): ObjectValue {
  const carried = fieldOf(fieldOf(dps, 'custom'), 'odps.apiVersion')
  const version = carried === undefined ? 'v1.0.0' : textOf(carried)
  return new ToOdps(table, dps, odpsShape(version)).result(name)
}

class ToOdps {
  readonly #table: Table
  readonly #shape: ObjectShape
  // What is still to be placed, and what has been.
  readonly #from: Flat
  readonly #to: Flat = new Map()
  // Fields that ODPS has only because it must, and those that it lacks although it must have them.
  readonly #implied = new Set<string>()
  readonly #absent = new Set<string>()
  readonly #properties: Value[] = []
  readonly #marks: Value[] = []
  readonly #definitions: Value[] = []

  constructor(table: Table, dps: Value, shape: ObjectShape) {
    this.#table = table
    this.#shape = shape
    this.#from = flatten(dps, table.dpsOpened)
  }

  result(name: string): ObjectValue {
    this.#readAbsent()
    for (const [path, text] of this.#table.odpsFixed) this.#imply(path, text)
    for (const [path, text] of this.#table.dpsFixed) {
      if (this.#from.get(path) === text) this.#from.delete(path)
      else this.#markAbsent(path)
    }
    for (const row of this.#table.rows) this.#row(row, name)
    for (const [list, table] of this.#table.ports) this.#ports(list, table)
    this.#links()
    this.#custom()
    for (const [path, value] of this.#from)
      this.#mark(path, needsWrapper(value) ? { value } : value)
    this.#list('customProperties', [...this.#properties, ...this.#marks])
    this.#list('authoritativeDefinitions', this.#definitions)
    return unflatten(this.#to)
  }

  #row(row: Row, name: string): void {
    const place = row.dps.find((path) => this.#fits(row, this.#from.get(path)))
    const otherwise = row.isName === true ? name : row.otherwise
    if (place !== undefined) this.#place(row, take(this.#from, place) ?? null)
    else if (otherwise !== undefined) this.#imply(row.odps, otherwise)
    // The way back takes the first place that is free, so the ones before this one are marked.
    const source = row.isName === true ? row.odps : row.sameAsName === true ? 'name' : ''
    if (place === undefined && (!this.#to.has(source) || this.#isCarried(source))) return
    const passed = place === undefined ? row.dps : row.dps.slice(0, row.dps.indexOf(place))
    for (const path of passed) this.#markAbsent(path)
  }

  #fits(row: Row, value: Value | undefined): boolean {
    return value !== undefined && value !== row.otherwise && conforms(value, row.shape)
  }

  #place(row: Row, value: Value): void {
    if (row.sameAsName === true && value === this.#to.get('name')) return
    if (row.custom === true) this.#properties.push({ property: row.odps, value })
    else this.#to.set(row.odps, value)
  }

  #ports(list: string, table: Table): void {
    const ports = this.#from.get(list)
    const shape = shapeAt(this.#shape, [list, 0])
    if (!Array.isArray(ports) || !ports.every(isObject) || shape?.kind !== 'object') return
    this.#from.delete(list)
    this.#to.set(
      list,
      ports.map((port) => new ToOdps(table, port, shape).result('')),
    )
  }

  #links(): void {
    for (const [path, value] of this.#from) {
      const [parent, type] = namesOf(path)
      if (parent !== 'links' || type === undefined) continue
      if (typeof value !== 'string' || !hasFormat(value, 'uri')) continue
      this.#from.delete(path)
      this.#definitions.push({ type, url: value })
    }
  }

  #custom(): void {
    const reserved: { path: string; property: string; value: Value }[] = []
    for (const [path, value] of this.#from) {
      const [parent, property] = namesOf(path)
      if (parent !== 'custom' || property === undefined) continue
      if (isReserved(this.#table, property)) reserved.push({ path, property, value })
      else this.#properties.push({ property, value: take(this.#from, path) ?? null })
    }
    // Which of two that exclude each other comes first must not depend on their order in the document.
    for (const { path, property, value } of reserved.toSorted(byPath)) {
      const isReturned = property.startsWith('odps.') && this.#return(property.slice(5), value)
      if (isReturned) this.#from.delete(path)
    }
  }

  // Puts back what came from an ODPS document; false when this is not the way such a thing is carried.
  #return(path: string, carried: Value): boolean {
    if (!isPath(path, this.#table.odpsOpened)) return false
    const wrapped = wrappedValue(carried)
    const value = wrapped === undefined ? carried : wrapped
    const shape = shapeAt(this.#shape, namesOf(path))
    const isOfficial = shape !== undefined && conforms(value, shape)
    if (isOfficial !== (wrapped === undefined)) return false
    if (path === 'customProperties' || path === 'authoritativeDefinitions') {
      return this.#returnList(path, value)
    }
    const isFree =
      !this.#to.has(path) || (this.#implied.has(path) && !(isOfficial && this.#hasPlaceInDps(path)))
    if (isFree) this.#to.set(path, value)
    return isFree
  }

  // Where both formats have a place, the custom fields are not it.
  #hasPlaceInDps(path: string): boolean {
    return this.#table.rows.some(
      (row) => row.custom !== true && row.odps === path && row.dps.length > 0,
    )
  }

  // Fields that ODPS implies, but that the document which this one came from left out.
  #readAbsent(): void {
    for (const [path, value] of this.#from) {
      const [parent, property = ''] = namesOf(path)
      if (parent !== 'custom' || value !== null || !property.startsWith('odps.')) continue
      const implied = property.slice(5)
      if (!this.#isImplied(implied)) continue
      this.#absent.add(implied)
      this.#from.delete(path)
    }
  }

  #isCarried(path: string): boolean {
    return this.#from.has(`custom.${stepOf(`odps.${path}`)}`)
  }

  #isImplied(path: string): boolean {
    const { odpsFixed, rows } = this.#table
    const isOfRow = ({ odps, isName, otherwise }: Row) =>
      odps === path && (isName === true || otherwise !== undefined)
    return odpsFixed.has(path) || rows.some(isOfRow)
  }

  #returnList(path: 'customProperties' | 'authoritativeDefinitions', value: Value): boolean {
    if (!Array.isArray(value)) return false
    const list = path === 'customProperties' ? this.#properties : this.#definitions
    for (const item of value) list.push(item)
    this.#to.set(path, [])
    return true
  }

  #list(path: string, items: Value[]): void {
    if (items.length > 0) this.#to.set(path, items)
  }

  #imply(path: string, value: Value): void {
    if (this.#absent.has(path)) return
    this.#to.set(path, value)
    this.#implied.add(path)
  }

  #markAbsent(path: string): void {
    if (!this.#from.has(path)) this.#mark(path, null)
  }

  #mark(path: string, value: Value): void {
    this.#marks.push({ property: `dps.${path}`, value })
  }
}

function byPath(a: { path: string }, b: { path: string }): number {
  return compareText(a.path, b.path)
}

// Null marks an absent field, so a null that is really there travels in a wrapper, and so does what looks like one.
function needsWrapper(value: Value): boolean {
  return value === null || wrappedValue(value) !== undefined
}

/** Gives the value in a wrapper `{value: …}`; undefined when it is none. */
export function wrappedValue(value: Value): Value | undefined {
  return isObject(value) && Object.keys(value).length === 1 ? fieldOf(value, 'value') : undefined
}
