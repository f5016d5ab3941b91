// The numbers of fields and enum values in exported Protobuf. Data on the wire has numbers and no names, so a number
// belongs to its name for ever: it is assigned when the name first appears, and stays reserved when the name is removed.

import { inside } from '../losses.ts'
import type { Field, Model, Numbering } from '../model.ts'

// These numbers belong to the implementation of Protobuf.
const RESERVED_FROM = 19_000
const RESERVED_TO = 19_999
const FIELD_MAX = 536_870_911
const ENUM_MAX = 2_147_483_647

/** Returns the path of the enumeration of a field, `orders.status=`. */
export function enumPath(fieldPath: string): string {
  return `${fieldPath}=`
}

/** Assigns numbers to the names of models, version by version from the oldest on. */
export class NumberAssigner {
  readonly #messages = new Map<string, Names>()

  /** Continues an earlier numbering. */
  constructor(numbering: Numbering = new Map()) {
    for (const [path, numbers] of numbering) {
      const names = this.#names(path)
      for (const [name, number] of numbers) names.set(name, number)
    }
  }

  get numbering(): Numbering {
    return new Map([...this.#messages].map(([path, { numbers }]) => [path, numbers]))
  }

  /** Adds the names of one version. Numbers of Protobuf models are kept. */
  add(models: readonly Model[]): void {
    for (const model of models) this.#message(model.name, model.fields)
  }

  #message(path: string, fields: readonly Field[]): void {
    const names = this.#names(path)
    for (const { name, traits } of fields) {
      const number = traits?.['protobuf.number']
      if (typeof number === 'number') names.set(name, number)
    }
    for (const { name } of fields) names.assign(name, 1, FIELD_MAX)
    for (const field of fields) this.#field(field, `${path}.${field.name}`)
  }

  #field(field: Field, path: string): void {
    const { logicalType, items, values, fields = [] } = field
    if (logicalType === 'array' && items !== undefined) this.#held(items, inside.items(path))
    else if (logicalType === 'map' && values !== undefined) this.#held(values, inside.values(path))
    else if (logicalType === 'object' && fields.length > 0) this.#message(path, fields)
    else this.#enum(field, enumPath(path))
  }

  #held(held: Field, path: string): void {
    const wrapped = wrapHolder(held)
    if (wrapped === undefined) this.#field(held, path)
    else this.#message(path, [wrapped])
  }

  #enum({ enum: words = [], traits }: Field, path: string): void {
    if (words.length === 0) return
    const names = this.#names(path)
    const numbers = traits?.['protobuf.enum']
    if (typeof numbers === 'object' && numbers !== null) {
      for (const [word, number] of Object.entries(numbers)) {
        if (typeof number === 'number') names.setAlias(word, number)
      }
    }
    for (const word of words) if (typeof word === 'string') names.assign(word, 0, ENUM_MAX)
  }

  #names(path: string): Names {
    const known = this.#messages.get(path)
    if (known !== undefined) return known
    const names = new Names()
    this.#messages.set(path, names)
    return names
  }
}

/** Returns the field of the message that Protobuf needs around a list or map in another one; undefined for others. */
export function wrapHolder(held: Field): Field | undefined {
  const { logicalType, items, values } = held
  if (logicalType === 'array' && items !== undefined) return { ...held, name: 'items' }
  if (logicalType === 'map' && values !== undefined) return { ...held, name: 'entries' }
  return undefined
}

/** The names of one message or enumeration. */
class Names {
  readonly numbers = new Map<string, number>()
  readonly #taken = new Map<number, string>()
  #last = -1

  /** Gives a name its number; another name that had the number loses it. */
  set(name: string, number: number): void {
    const other = this.#taken.get(number)
    if (other !== undefined && other !== name) this.numbers.delete(other)
    this.setAlias(name, number)
  }

  /** Gives a name a number that another name may have too. */
  setAlias(name: string, number: number): void {
    const before = this.numbers.get(name)
    if (before !== undefined && before !== number) this.#taken.delete(before)
    this.numbers.set(name, number)
    this.#taken.set(number, name)
    if (number <= FIELD_MAX / 2) this.#last = Math.max(this.#last, number)
  }

  /** Gives a new name the number after the last one, or the first free one. */
  assign(name: string, first: number, max: number): void {
    if (this.numbers.has(name)) return
    let number = Math.max(first, this.#last + 1)
    while (this.#taken.has(number) || isReserved(number)) number += 1
    if (number <= max) this.set(name, number)
  }
}

function isReserved(number: number): boolean {
  return number >= RESERVED_FROM && number <= RESERVED_TO
}
