// Converts ODPS to DPS, for a whole document or for one port.

import { conforms } from '../shape/inspect.ts'
import { compareText } from '../text/problem.ts'
import { type ObjectShape, shapeAt } from '../shape/shape.ts'
import { hasFormat } from '../shape/text-format.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../text/value.ts'
import { isReserved, type Table, type Row } from './convert-table.ts'
import { type Flat, flatten, isPath, splitPath, toPathStep, take, unflatten } from './flat.ts'
import { odpsShape } from './odps-shape.ts'
import { wrappedValue } from './to-odps.ts'

/**
 * Converts an ODPS object to DPS. Values that the table does not map become custom fields `odps.<path>`: unchanged if
 * they are valid under the official schema, else in a wrapper `{value: …}`; null marks a field as absent that DPS
 * implies.
 */
export function dpsObject(table: Table, odps: Value): ObjectValue {
  return new ToDps(table, odps, odpsShape(asText(getField(odps, 'apiVersion')))).result()
}

class ToDps {
  readonly #table: Table
  readonly #shape: ObjectShape
  // The values that are not converted yet, and the result.
  readonly #from: Flat
  readonly #to: Flat = new Map()
  // DPS fields that are marked as absent.
  readonly #absent = new Set<string>()
  // Custom properties that belong to a row of the table.
  readonly #rowValues = new Map<string, Value>()
  readonly #oddProperties: Value[] = []
  // The name in ODPS.
  #name: Value | undefined

  constructor(table: Table, odps: Value, shape: ObjectShape) {
    this.#table = table
    this.#shape = shape
    this.#from = flatten(odps, table.odpsOpened)
  }

  result(): ObjectValue {
    this.#customProperties()
    for (const [path, text] of this.#table.dpsFixed) this.#placeAt([path], text)
    for (const [path, text] of this.#table.odpsFixed) {
      if (this.#from.get(path) === text) this.#from.delete(path)
      else if (!this.#from.has(path)) this.#carry(path, null)
    }
    for (const row of this.#table.rows) this.#row(row)
    for (const [list, table] of this.#table.ports) this.#ports(list, table)
    this.#definitions()
    this.#oddList('customProperties', this.#oddProperties)
    for (const [path, value] of this.#from) this.#carryValue(path, value)
    return unflatten(this.#to)
  }

  // Values from DPS are restored first, so that the order of the list has no effect.
  #customProperties(): void {
    const list = this.#from.get('customProperties')
    if (!Array.isArray(list)) return
    const names = countNames(list, 'property')
    const plain: { property: string; value: Value }[] = []
    for (const item of list) {
      const property = asText(getField(item, 'property'))
      const value = getField(item, 'value')
      const isPlain = isObject(item) && Object.keys(item).length === 2 && value !== undefined
      if (isPlain && property !== undefined && names.get(property) === 1)
        plain.push({ property, value })
      else this.#oddProperties.push(item)
    }
    const returning = plain.filter(({ property }) => property.startsWith('dps.'))
    const others = plain.filter(({ property }) => !property.startsWith('dps.'))
    for (const item of [...returning.toSorted(compareByProperty), ...others]) {
      if (!this.#custom(item.property, item.value)) this.#oddProperties.push(item)
    }
  }

  // Maps one custom property; returns false if DPS has no equivalent.
  #custom(property: string, value: Value): boolean {
    if (property.startsWith('dps.')) return this.#return(property.slice(4), value)
    if (this.#table.rows.some((row) => row.custom === true && row.odps === property)) {
      this.#rowValues.set(property, value)
      return true
    }
    return (
      !isReserved(this.#table, property) && this.#placeAt([`custom.${toPathStep(property)}`], value)
    )
  }

  // Restores a value from a DPS document.
  #return(path: string, embedded: Value): boolean {
    if (!isPath(path, this.#table.dpsOpened) || this.#to.has(path)) return false
    const wrapped = wrappedValue(embedded)
    if (embedded === null) this.#absent.add(path)
    else this.#to.set(path, wrapped === undefined ? embedded : wrapped)
    return true
  }

  #row(row: Row): void {
    const value = row.custom === true ? this.#rowValues.get(row.odps) : this.#from.get(row.odps)
    if (row.isName === true) this.#name = value
    if (value === undefined) this.#missing(row)
    else if (this.#placed(row, value)) this.#from.delete(row.custom === true ? '' : row.odps)
    else if (row.custom === true) this.#oddProperties.push({ property: row.odps, value })
  }

  #missing(row: Row): void {
    if (row.otherwise !== undefined || row.isName === true) this.#carry(row.odps, null)
    const hasName = row.sameAsName === true && typeof this.#name === 'string'
    if (hasName) this.#placeAt(row.dps, this.#name ?? null)
  }

  #placed(row: Row, value: Value): boolean {
    if (!conforms(value, row.shape)) return false
    if (value === row.otherwise) return true
    // The reverse conversion would treat it as the default.
    if (row.sameAsName === true && value === this.#name) return false
    return this.#placeAt(row.dps, value) || row.isName === true
  }

  // Uses the first field that is neither set nor marked as absent.
  #placeAt(places: readonly string[], value: Value): boolean {
    const place = places.find((path) => !this.#absent.has(path) && !this.#to.has(path))
    if (place !== undefined) this.#to.set(place, value)
    return place !== undefined
  }

  #ports(list: string, table: Table): void {
    const ports = this.#from.get(list)
    const shape = shapeAt(this.#shape, [list, 0])
    if (!Array.isArray(ports) || !ports.every(isObject) || shape?.kind !== 'object') return
    this.#from.delete(list)
    this.#to.set(
      list,
      ports.map((port) => new ToDps(table, port, shape).result()),
    )
  }

  #definitions(): void {
    const definitions = this.#from.get('authoritativeDefinitions')
    if (!Array.isArray(definitions)) return
    const types = countNames(definitions, 'type')
    const odd = definitions.filter((item) => !this.#isLink(item, types))
    this.#oddList('authoritativeDefinitions', odd)
  }

  #isLink(item: Value, types: ReadonlyMap<string, number>): boolean {
    const type = asText(getField(item, 'type'))
    const url = asText(getField(item, 'url'))
    const isPlain = isObject(item) && Object.keys(item).length === 2
    if (!isPlain || type === undefined || types.get(type) !== 1) return false
    if (url === undefined || !hasFormat(url, 'uri')) return false
    return this.#placeAt([`links.${toPathStep(type)}`], url)
  }

  // Preserves the members of a list without an equivalent, and an empty list.
  #oddList(path: string, odd: Value[]): void {
    const items = take(this.#from, path)
    if (!Array.isArray(items)) {
      if (items !== undefined) this.#carryValue(path, items)
    } else if (odd.length > 0 || items.length === 0) {
      this.#carryValue(path, odd)
    }
  }

  #carryValue(path: string, value: Value): void {
    const shape = shapeAt(this.#shape, splitPath(path))
    this.#carry(path, shape !== undefined && conforms(value, shape) ? value : { value })
  }

  #carry(path: string, value: Value): void {
    this.#to.set(`custom.${toPathStep(`odps.${path}`)}`, value)
  }
}

// Counts the items of a list by name.
function countNames(list: readonly Value[], field: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  for (const item of list) {
    const name = asText(getField(item, field))
    if (name !== undefined) names.set(name, (names.get(name) ?? 0) + 1)
  }
  return names
}

function compareByProperty(a: { property: string }, b: { property: string }): number {
  return compareText(a.property, b.property)
}
