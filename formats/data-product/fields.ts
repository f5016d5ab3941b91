// Shared by the readers of ODPS and DPS: required texts, lists of ports, keys of ports.

import type { Notes } from '../text/problem.ts'
import type { ReadOptions } from '../shape/inspect.ts'
import { clip, formatPath, getField, isObject, asText, valueAt } from '../text/value.ts'
import type { ObjectValue, Path, Value } from '../text/value.ts'
import { hasVariable } from '../text/variables.ts'

/** Returns a text that is not blank; undefined for blank texts and other values. */
export function nonBlankText(value: Value | undefined): string | undefined {
  const text = asText(value)
  return text === undefined || text.trim() === '' ? undefined : text
}

/** Returns the texts of a list; the shape reports other values. */
export function listTexts(value: Value | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Returns the objects of a list with their positions. */
export function listObjects(value: Value | undefined): { item: ObjectValue; at: number }[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item, at) => (isObject(item) ? [{ item, at }] : []))
}

/**
 * Returns the text at one of several positions. Different texts are an error; so is, with `required` (the advice), a
 * missing or blank text.
 */
export function agreedText(
  value: ObjectValue,
  places: readonly Path[],
  notes: Notes,
  required?: string,
): string | undefined {
  const given = places.filter((place) => (valueAt(value, place) ?? null) !== null)
  const [first = places[0] ?? []] = given
  const text = asText(valueAt(value, first))
  for (const other of given) {
    const otherText = asText(valueAt(value, other))
    if (text === undefined || otherText === undefined || text === otherText) continue
    const message = `This is "${clip(otherText)}", but ${formatPath(first)} is "${clip(text)}"; keep one of them.`
    notes.error(other, message)
  }
  if (required === undefined) return text
  if (given.length === 0) notes.error(first, `This field is missing; ${required}.`)
  else if (text?.trim() === '') notes.error(first, `This field is blank; ${required}.`)
  return text
}

/**
 * Returns the team that owns a data product: the one that the document names at one of several positions, or else the
 * one in the options. The owner is required, unless the product was accepted before.
 */
export function readProductOwner(
  value: ObjectValue,
  places: readonly Path[],
  notes: Notes,
  { owner, isAccepted = false }: ReadOptions,
): string | undefined {
  const required = owner === undefined && !isAccepted ? OWNER_ADVICE : undefined
  const stated = nonBlankText(agreedText(value, places, notes, required))
  return stated === undefined || hasVariable(stated) ? owner : stated
}

// Advice if a data product names no owner.
const OWNER_ADVICE = 'give the id of the team that owns the data product'

/** Compares the id in a document with the one it is stored under. */
export function checkId(own: string | undefined, place: Path, id: string, notes: Notes): void {
  if (own === undefined || own === id || hasVariable(own)) return
  const message = `The document has the id "${clip(own)}", but the address has "${clip(id)}"; make them equal, or remove the id.`
  notes.error(place, message)
}

/**
 * Joins name and version of a port to a key, `orders@1.0.0`; without a version it is the name. `@` and `%` in a name
 * are percent-encoded, so that keys are unique.
 */
export function portKey(name: string, version: string | undefined): string {
  const encoded = name.replaceAll('%', '%25').replaceAll('@', '%40')
  return version === undefined || version === '' ? encoded : `${encoded}@${version}`
}

/** Reports ports with the same key: lookups by key return the first one. */
export function noteRepeatedKeys(
  ports: readonly { key: string }[],
  listName: 'inputPorts' | 'outputPorts',
  value: ObjectValue,
  notes: Notes,
): void {
  const seen = new Set<string>()
  const positions = listObjects(getField(value, listName))
  ports.forEach((port, index) => {
    const at = positions[index]?.at ?? index
    if (seen.has(port.key)) {
      notes.warning(
        [listName, at],
        `Another port has the name "${clip(port.key)}"; rename one of them.`,
      )
    }
    seen.add(port.key)
  })
}
