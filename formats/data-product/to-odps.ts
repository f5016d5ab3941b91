// Converts DPS to ODPS, for a whole document or for one port.

import { conforms } from '../shape/inspect.ts'
import { compareText } from '../text/problem.ts'
import { type ObjectShape, shapeAt } from '../shape/shape.ts'
import { hasFormat } from '../shape/text-format.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../text/value.ts'
import { isReserved, type Table, type Row } from './convert-table.ts'
import { type Flat, flatten, isPath, splitPath, toPathStep, take, unflatten } from './flat.ts'
import { odpsShape } from './odps-shape.ts'

/**
 * Converts a DPS object to ODPS; `name` is the default name. Values that the table does not map become custom
 * properties `dps.<path>`; there null marks a field as absent that ODPS implies.
 */
export function odpsObject(table: Table, dps: Value, name: string): ObjectValue {
  const embedded = getField(getField(dps, 'custom'), 'odps.apiVersion')
  const version = embedded === undefined ? 'v1.0.0' : asText(embedded)
  return new ToOdps(table, dps, odpsShape(version)).result(name)
}

class ToOdps {
  readonly #table: Table
  readonly #shape: ObjectShape
  // The values that are not converted yet, and the result.
  readonly #from: Flat
  readonly #to: Flat = new Map()
  // Fields that are only set because ODPS requires them, and required fields that are missing.
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
    // The reverse conversion uses the first free field, so the fields before this one are marked as absent.
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
      const [parent, type] = splitPath(path)
      if (parent !== 'links' || type === undefined) continue
      if (typeof value !== 'string' || !hasFormat(value, 'uri')) continue
      this.#from.delete(path)
      this.#definitions.push({ type, url: value })
    }
  }

  #custom(): void {
    const reserved: { path: string; property: string; value: Value }[] = []
    for (const [path, value] of this.#from) {
      const [parent, property] = splitPath(path)
      if (parent !== 'custom' || property === undefined) continue
      if (isReserved(this.#table, property)) reserved.push({ path, property, value })
      else this.#properties.push({ property, value: take(this.#from, path) ?? null })
    }
    // Sorted, so that the result does not depend on the order in the document if two exclude each other.
    for (const { path, property, value } of reserved.toSorted(compareByPath)) {
      const isReturned = property.startsWith('odps.') && this.#return(property.slice(5), value)
      if (isReturned) this.#from.delete(path)
    }
  }

  // Restores a value from an ODPS document; returns false if it does not have the expected form.
  #return(path: string, embedded: Value): boolean {
    if (!isPath(path, this.#table.odpsOpened)) return false
    const wrapped = wrappedValue(embedded)
    const value = wrapped === undefined ? embedded : wrapped
    const shape = shapeAt(this.#shape, splitPath(path))
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

  // A field that both formats have is not stored in custom fields.
  #hasPlaceInDps(path: string): boolean {
    return this.#table.rows.some(
      (row) => row.custom !== true && row.odps === path && row.dps.length > 0,
    )
  }

  // Fields that ODPS implies, but that were missing in the original document.
  #readAbsent(): void {
    for (const [path, value] of this.#from) {
      const [parent, property = ''] = splitPath(path)
      if (parent !== 'custom' || value !== null || !property.startsWith('odps.')) continue
      const implied = property.slice(5)
      if (!this.#isImplied(implied)) continue
      this.#absent.add(implied)
      this.#from.delete(path)
    }
  }

  #isCarried(path: string): boolean {
    return this.#from.has(`custom.${toPathStep(`odps.${path}`)}`)
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

function compareByPath(a: { path: string }, b: { path: string }): number {
  return compareText(a.path, b.path)
}

// Null marks an absent field, so actual nulls, and values that look like a wrapper, are wrapped.
function needsWrapper(value: Value): boolean {
  return value === null || wrappedValue(value) !== undefined
}

/** Returns the value in a wrapper `{value: …}`; undefined if the value is not a wrapper. */
export function wrappedValue(value: Value): Value | undefined {
  return isObject(value) && Object.keys(value).length === 1 ? getField(value, 'value') : undefined
}
