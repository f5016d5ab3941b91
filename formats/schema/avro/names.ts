// The names of Avro's types. A record, enum or fixed is defined where it is first used, and later used by its name,
// with or without its namespace.

import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import type { Spot } from '../spot.ts'

/** A named type, its definition, and the namespace of undotted names in it and around it. */
interface NamedType {
  fullName: string
  schema: ObjectValue
  spot: Spot
  namespace: string | undefined
  outer: string | undefined
}

const NAMED = new Set<Value | undefined>(['record', 'error', 'enum', 'fixed'])

/** Returns whether a schema defines a named type. */
export function isNamedType(schema: Value | undefined): schema is ObjectValue {
  return isObject(schema) && NAMED.has(getField(schema, 'type'))
}

/** Gives a defined type's name with its namespace; '' when it has none. */
export function getFullName(schema: ObjectValue, outer: string | undefined): string {
  const name = asText(getField(schema, 'name')) ?? ''
  if (name.includes('.')) return name
  const namespace = asText(getField(schema, 'namespace')) ?? outer
  return namespace === undefined || namespace === '' || name === '' ? name : `${namespace}.${name}`
}

/** Returns the part before the last dot of a name. */
export function getNamespace(fullName: string): string | undefined {
  const dot = fullName.lastIndexOf('.')
  return dot <= 0 ? undefined : fullName.slice(0, dot)
}

/** Returns the part after the last dot of a name. */
export function lastName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1)
}

/** The types that a schema defines, by their full names; of two with one name the first counts. */
export class NamedTypes {
  readonly #types = new Map<string, NamedType>()

  constructor(schema: Value | undefined, spot: Spot, namespace: string | undefined) {
    this.#collect(schema, spot, namespace)
  }

  find(name: string, namespace: string | undefined): NamedType | undefined {
    const inner = namespace === undefined ? undefined : this.#types.get(`${namespace}.${name}`)
    return inner ?? this.#types.get(name)
  }

  // The calls nest as deep as the document does, which is at most 64.
  #collect(schema: Value | undefined, spot: Spot, outer: string | undefined): void {
    if (Array.isArray(schema)) {
      for (const [index, item] of schema.entries()) this.#collect(item, spot.at(index), outer)
    } else if (isObject(schema)) {
      const namespace = isNamedType(schema) ? this.#add(schema, spot, outer) : outer
      for (const step of ['type', 'fields', 'items', 'values']) {
        const inner = getField(schema, step)
        if (typeof inner === 'object') this.#collect(inner, spot.at(step), namespace)
      }
    }
  }

  #add(schema: ObjectValue, spot: Spot, outer: string | undefined): string | undefined {
    const fullName = getFullName(schema, outer)
    const namespace = getNamespace(fullName)
    if (fullName !== '' && !this.#types.has(fullName)) {
      this.#types.set(fullName, { fullName, schema, spot, namespace, outer })
    }
    return namespace
  }
}
