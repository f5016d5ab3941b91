// Removes the annotations of a JSON Schema. Only keywords are removed, so that a property called
// `description` stays.

import { isObject, type ObjectValue, type Value } from '../../text/value.ts'
import { HOLDERS, isAnnotation, isKnown } from './keywords.ts'

const DEFINING = new Set(['$defs', 'definitions', 'dependencies'])

/** Returns a schema, a list of schemas or an object of schemas without annotations. */
export function withoutAnnotations(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutAnnotations)
  if (!isObject(value)) return value
  // An unknown name at the top may contain a schema with that name.
  return mapMembers(value, (name, member) => {
    if (isObject(member) && !HOLDERS.has(name) && !DEFINING.has(name)) {
      return isKnown(name) && !isAnnotation(name) ? member : withoutAnnotations(member)
    }
    return plainMember(name, member)
  })
}

function plainSchema(schema: Value): Value {
  return isObject(schema) ? mapMembers(schema, plainMember) : schema
}

function plainMember(name: string, member: Value): Value | undefined {
  if (isAnnotation(name)) return undefined
  const holds = DEFINING.has(name) ? 'map' : HOLDERS.get(name)
  if (holds === undefined) return member
  if (Array.isArray(member)) return member.map(plainSchema)
  return holds === 'map' && isObject(member)
    ? mapMembers(member, (_, inner) => plainSchema(inner))
    : plainSchema(member)
}

/** Maps the members of an object; undefined leaves one out. Returns the same object if all members stay the same. */
export function mapMembers(
  value: ObjectValue,
  map: (name: string, member: Value) => Value | undefined,
): ObjectValue {
  let isSame = true
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const mapped = map(name, member)
    isSame &&= mapped === member
    return mapped === undefined ? [] : [[name, mapped] as const]
  })
  return isSame ? value : Object.fromEntries(entries)
}
