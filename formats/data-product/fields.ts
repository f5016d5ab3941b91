// The common parts of reading ODPS and DPS: non-empty fields, lists of ports, keys of ports.

import type { Notes } from '../text/problem.ts'
import type { ReadOptions } from '../shape/inspect.ts'
import { clip, dotted, fieldOf, isObject, textOf, valueAt } from '../text/value.ts'
import type { ObjectValue, Path, Value } from '../text/value.ts'

/** Returns a non-blank text; undefined for other values. */
export function filled(value: Value | undefined): string | undefined {
  const text = textOf(value)
  return text === undefined || text.trim() === '' ? undefined : text
}

/** Gives the texts of a list; other values in it were noted by the shape. */
export function textsOf(value: Value | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Gives the objects of a list with their positions. */
export function objectsOf(value: Value | undefined): { item: ObjectValue; at: number }[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item, at) => (isObject(item) ? [{ item, at }] : []))
}

/**
 * Returns the text at one of several locations. It is an error if two locations disagree, and, with
 * `required` (the advice), if none has a non-blank text.
 */
export function agreedText(
  value: ObjectValue,
  places: readonly Path[],
  notes: Notes,
  required?: string,
): string | undefined {
  const given = places.filter((place) => (valueAt(value, place) ?? null) !== null)
  const [first = places[0] ?? []] = given
  const text = textOf(valueAt(value, first))
  for (const other of given) {
    const otherText = textOf(valueAt(value, other))
    if (text === undefined || otherText === undefined || text === otherText) continue
    const message = `The value is “${clip(otherText)}”, but ${dotted(first)} is “${clip(text)}”; keep one of them.`
    notes.error(other, message)
  }
  if (required === undefined) return text
  if (given.length === 0) notes.error(first, `This field is missing; ${required}.`)
  else if (text?.trim() === '') notes.error(first, `This field is blank; ${required}.`)
  return text
}

/**
 * Returns the team that owns a data product: the one that the document names at one of several places, else the one
 * that the options name. A product that was not accepted before needs an owner.
 */
export function readProductOwner(
  value: ObjectValue,
  places: readonly Path[],
  notes: Notes,
  { owner, isAccepted = false }: ReadOptions,
): string | undefined {
  const required = owner === undefined && !isAccepted ? OWNER_ADVICE : undefined
  return filled(agreedText(value, places, notes, required)) ?? owner
}

// What to do when a data product names no owner.
const OWNER_ADVICE = 'give the id of the team that owns the data product'

/** Compares the id in a document with the one it is stored under. */
export function checkId(own: string | undefined, place: Path, id: string, notes: Notes): void {
  if (own === undefined || own === id) return
  const message = `The document has the id “${clip(own)}”, but the address has “${clip(id)}”; make them equal, or leave the id out.`
  notes.error(place, message)
}

/**
 * Joins name and version of a port to a key, `orders@1.0.0`; without a version it is the name. `@` and `%` in a name
 * are percent-encoded, so that no two pairs share a key.
 */
export function portKey(name: string, version: string | undefined): string {
  const encoded = name.replaceAll('%', '%25').replaceAll('@', '%40')
  return version === undefined || version === '' ? encoded : `${encoded}@${version}`
}

/** Reports ports with the same key, of which only the first can be found. */
export function noteRepeatedKeys(
  ports: readonly { key: string }[],
  listName: 'inputPorts' | 'outputPorts',
  value: ObjectValue,
  notes: Notes,
): void {
  const seen = new Set<string>()
  const positions = objectsOf(fieldOf(value, listName))
  ports.forEach((port, index) => {
    const at = positions[index]?.at ?? index
    if (seen.has(port.key)) {
      notes.warning(
        [listName, at],
        `Another port is called “${clip(port.key)}” as well; rename one of them.`,
      )
    }
    seen.add(port.key)
  })
}
