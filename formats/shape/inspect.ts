// Validates a document against the shape of its standard. Anything that would make the catalog misinterpret the
// document is an error; other deviations from the standard are warnings, unless the author requested strict
// validation.

import {
  didYouMean,
  flagAdvice,
  hasTypographicQuotes,
  joinValues,
  expectedKinds,
  getKind,
  isVariable,
} from './inspect-advice.ts'
import { nearestName } from './nearest.ts'
import { listRepeated, listRepeatedIds } from './repeated.ts'
import { type Locator, type Position, type Problem } from '../text/problem.ts'
import { PROBLEMS_MAX, sortedProblems } from '../text/problem.ts'
import { allowsNull, resolveShape, matchesKind } from './shape.ts'
import type { EitherShape, ListShape, MapShape, NumberShape, ObjectShape } from './shape.ts'
import type { PlainShape, Shape, TextShape } from './shape.ts'
import { FORMAT_HINTS, hasFormat } from './text-format.ts'
import { clip, formatPath, ExactNumber, isObject, jsonText, valueAt } from '../text/value.ts'
import type { ObjectValue, Value } from '../text/value.ts'

interface Findings {
  errors: Problem[]
  warnings: Problem[]
}

/** The findings of a document that was not inspected. */
export const NOTHING_FOUND: Findings = { errors: [], warnings: [] }

/** Options for parsing a document. */
export interface ReadOptions {
  /** The id under which the document is stored. */
  id: string
  /** Whether deviations from the official schema are errors instead of warnings. */
  strict: boolean
  /** Whether the document was accepted before, so that it is not validated again. */
  isAccepted?: boolean
  /** External id of the team that owns the document if the document names no owner. */
  owner?: string | undefined
  /** The same, and it takes precedence over a domain that would name the owner. */
  ownerOverDomain?: string | undefined
}

/** Options for part of an accepted document, whose id is irrelevant. */
export const ACCEPTED: ReadOptions = { id: '', strict: false, isAccepted: true }

/** A text that can locate its values and return their notation. */
export interface SourceMap extends Locator {
  spelled?(): Value
}

/**
 * Compares a document with its shape. Errors: a known field of a wrong type. Deviations (errors if `strict`, else
 * warnings): null in a known field, a missing required field, a value that is not allowed or not in its format or
 * range, an unknown field if the standard allows none, too few, too many or repeated items, a broken rule. Always
 * warnings: unusual values, missing recommended fields, and problems in fields that the official schema does not name
 * but allows. If `allowsVariables`, a text with a variable is never reported, because its value is unknown.
 */
export function inspectValue(
  value: Value,
  shape: Shape,
  source: SourceMap,
  options: { strict: boolean; allowsVariables?: boolean },
): Findings {
  const inspection = new Inspection(source, { ...options, onlyOfficial: false })
  inspection.value(value, shape)
  return {
    errors: sortedProblems(inspection.errors),
    warnings: sortedProblems(inspection.warnings),
  }
}

/** A locator for values whose positions are not needed. */
export const NOWHERE = { locate: (): Position => ({ line: 1, column: 1 }) }

/** Returns whether a value is valid under the official schema that a shape describes. */
export function conforms(value: Value, shape: Shape): boolean {
  const inspection = new Inspection(NOWHERE, { strict: true, onlyOfficial: true })
  inspection.value(value, shape)
  return inspection.errors.length === 0
}

class Inspection {
  readonly errors: Problem[] = []
  readonly warnings: Problem[] = []
  readonly #source: SourceMap
  readonly #strict: boolean
  readonly #onlyOfficial: boolean
  readonly #allowsVariables: boolean
  readonly #path: (string | number)[] = []
  #spelled: Value | undefined
  #suggestionCount = 0
  // Above 0 inside a field that the official schema does not name, which may have any value there.
  #lenience = 0

  constructor(
    source: SourceMap,
    options: { strict: boolean; onlyOfficial: boolean; allowsVariables?: boolean },
  ) {
    this.#source = source
    this.#strict = options.strict
    this.#onlyOfficial = options.onlyOfficial
    this.#allowsVariables = options.allowsVariables ?? false
  }

  value(value: Value, shape: Shape): void {
    if (this.#allowsVariables && isVariable(value, shape)) return
    if (!matchesKind(value, shape)) {
      this.#wrongType(value, shape)
    } else if (shape.kind === 'either') {
      this.#either(value, shape)
    } else {
      this.#inside(value, resolveShape(shape, value))
    }
  }

  #inside(value: Value, shape: PlainShape): void {
    if (shape.kind === 'text') {
      if (typeof value === 'string') this.#text(value, shape)
    } else if (shape.kind === 'object') {
      if (isObject(value)) this.#object(value, shape)
    } else if (shape.kind === 'list') {
      if (Array.isArray(value)) this.#list(value, shape)
    } else if (shape.kind === 'map') {
      if (isObject(value)) this.#map(value, shape)
    } else if (shape.kind === 'number') {
      this.#number(value, shape)
    }
  }

  #either(value: Value, shape: EitherShape): void {
    if (matchesKind(value, shape.official)) {
      this.value(value, shape.official)
    } else {
      this.#deviation(shape.hint)
      this.value(value, shape.seen)
    }
  }

  #text(value: string, shape: TextShape): void {
    if (shape.allowed !== undefined && !shape.allowed.includes(value)) {
      const advice = this.#adviceFor(value, shape.allowed, shape.instead)
      this.#deviation(`"${clip(value)}" is not allowed; ${advice}`)
    }
    if (shape.format !== undefined && !hasFormat(value, shape.format)) {
      this.#deviation(`"${clip(value)}" should be ${FORMAT_HINTS[shape.format]}.`)
    }
    if (shape.customary !== undefined && !shape.customary.includes(value)) {
      const nearest = this.#nearestValue(value, shape.customary)
      const values = shape.customary.join(', ')
      const advice = nearest === undefined ? `common values are ${values}.` : didYouMean(nearest)
      this.#warning(`"${clip(value)}" is unusual; ${advice}`)
    }
    if (hasTypographicQuotes(value)) {
      this.#warning(
        'The typographic quotes around this text are part of the value; use straight quotes (") or none.',
      )
    }
  }

  #adviceFor(value: string, allowed: readonly string[], instead: TextShape['instead']): string {
    const known = instead?.get(value.toLowerCase())
    if (known !== undefined) return `${known}.`
    const nearest = this.#nearestValue(value, allowed)
    return nearest === undefined ? `write ${joinValues(allowed)}.` : didYouMean(nearest)
  }

  #number(value: Value, { isInteger, minimum, above }: NumberShape): void {
    const double = Number(value instanceof ExactNumber ? value.text : value)
    if (isInteger && !Number.isInteger(double)) {
      this.#deviation('This should be a number without a fraction.')
    }
    if (minimum !== undefined && double < minimum) {
      this.#deviation(`This should be ${minimum} or more.`)
    }
    if (above !== undefined && double <= above) this.#deviation(`This should be above ${above}.`)
  }

  #list(value: readonly Value[], shape: ListShape): void {
    const { itemsMin = 0, itemsMax = value.length } = shape
    if (value.length < itemsMin) this.#deviation(`At least ${itemsMin} items are required here.`)
    if (value.length > itemsMax) this.#deviation(`At most ${itemsMax} items are allowed here.`)
    this.#noteRepeated(value, shape.unique === true)
    for (let at = 0; at < value.length; at += 1) {
      this.#path.push(at)
      this.value(value[at] ?? null, shape.items)
      this.#path.pop()
    }
  }

  #noteRepeated(items: readonly Value[], isSet: boolean): void {
    for (const at of isSet ? listRepeated(items) : []) {
      this.#path.push(at)
      this.#deviation('This repeats an earlier item; remove one of them.')
      this.#path.pop()
    }
    for (const { at, id } of listRepeatedIds(items)) {
      this.#path.push(at, 'id')
      this.#warning(`Another item of this list has the id "${clip(id)}"; change one of them.`)
      this.#path.length -= 2
    }
  }

  // The names in a map are chosen by the author, so none of them is a known field: a wrong type is only a deviation.
  #map(value: ObjectValue, shape: MapShape): void {
    const names = Object.keys(value)
    if (shape.filled === true && names.length === 0) this.#deviation('This should not be empty.')
    for (const name of names) {
      const member = value[name] ?? null
      const known = shape.known?.get(name)
      this.#path.push(name)
      if (shape.names !== undefined && !hasFormat(name, shape.names)) {
        this.#deviation(`The name "${clip(name)}" should be ${FORMAT_HINTS[shape.names]}.`)
      }
      if (known !== undefined) this.value(member, known)
      else if (matchesKind(member, shape.values)) this.value(member, shape.values)
      else
        this.#deviation(
          `The standard requires ${joinKinds(shape.values)} here, not ${getKind(member)}.`,
        )
      this.#path.pop()
    }
  }

  #object(value: ObjectValue, shape: ObjectShape): void {
    for (const name of Object.keys(value)) {
      this.#path.push(name)
      this.#field(name, value[name] ?? null, shape)
      this.#path.pop()
    }
    for (const name of shape.required) {
      if (isGiven(value, name, shape)) continue
      this.#path.push(name)
      this.#deviation('This field is missing; the standard requires it.')
      this.#path.pop()
    }
    for (const name of shape.recommended) {
      if (isGiven(value, name, shape)) continue
      this.#path.push(name)
      this.#warning('This field is missing; the standard recommends it.')
      this.#path.pop()
    }
    for (const rule of shape.rules) {
      if (rule.holds(value)) continue
      this.#path.push(rule.field)
      this.#deviation(rule.message)
      this.#path.pop()
    }
  }

  #field(name: string, value: Value, object: ObjectShape): void {
    const shape =
      object.fields.get(name) ?? (this.#onlyOfficial ? undefined : object.seen.get(name))
    if (shape === undefined) {
      if (object.closed) this.#unknown(name, object)
      else this.#misspelt(name, object)
    } else if (value !== null || allowsNull(shape)) {
      const isLenient = !object.closed && !object.fields.has(name)
      if (isLenient) this.#lenience += 1
      this.value(value, shape)
      if (isLenient) this.#lenience -= 1
    } else if (!object.required.includes(name)) {
      this.#deviation('This field is null, which means absent; remove it.')
    }
  }

  #unknown(name: string, object: ObjectShape): void {
    if (this.#deviations.length > PROBLEMS_MAX) return
    const instead = object.instead.get(name)
    const nearest = instead === undefined ? this.#nearest(name, object.fields.keys()) : undefined
    const usual = 'remove it, or make it a custom property'
    const advice = nearest === undefined ? `${instead ?? usual}.` : didYouMean(nearest)
    this.#deviation(`Unknown field "${clip(name)}"; ${advice}`)
  }

  // If the standard allows other fields, only likely misspellings are reported.
  #misspelt(name: string, object: ObjectShape): void {
    const nearest = this.#nearest(name, object.fields.keys())
    if (nearest === undefined) return
    this.#warning(`"${clip(name)}" is not a field of the standard; ${didYouMean(nearest)}`)
  }

  // Very short values are often similar by chance.
  #nearestValue(value: string, known: readonly string[]): string | undefined {
    return value.length < 3 ? undefined : this.#nearest(value, known)
  }

  // Limited, because searching is slow and a document may have any number of custom fields.
  #nearest(name: string, known: Iterable<string>): string | undefined {
    this.#suggestionCount += 1
    return this.#suggestionCount > PROBLEMS_MAX ? undefined : nearestName(name, known)
  }

  #wrongType(value: Value, shape: Shape): void {
    const kinds = expectedKinds(shape)
    const isBare =
      kinds.includes('text') && (getKind(value) === 'a number' || typeof value === 'boolean')
    const hint = 'hint' in shape && shape.kind !== 'either' ? shape.hint : undefined
    const quoted = isBare ? `put it in quotes: "${clip(this.#spelling(value))}"` : undefined
    const advice = hint ?? flagAdvice(value, kinds) ?? quoted
    const end = advice === undefined ? '.' : `; ${advice}.`
    this.#add(
      this.#lenience > 0 ? this.warnings : this.errors,
      `This must be ${joinKinds(shape)}, not ${getKind(value)}${end}`,
    )
  }

  // A version written as 1.0 must be quoted as 1.0, not as 1.
  #spelling(value: Value): string {
    this.#spelled ??= this.#source.spelled?.()
    return jsonText(valueAt(this.#spelled, this.#path) ?? value)
  }

  get #deviations(): Problem[] {
    return this.#strict && this.#lenience === 0 ? this.errors : this.warnings
  }

  #deviation(message: string): void {
    this.#add(this.#deviations, message)
  }

  #warning(message: string): void {
    this.#add(this.warnings, message)
  }

  #add(problems: Problem[], message: string): void {
    if (problems.length > PROBLEMS_MAX) return
    if (problems.length === PROBLEMS_MAX) {
      const more = `There are more than ${PROBLEMS_MAX} problems; fix these first.`
      problems.push({ field: '', message: more, ...this.#source.locate([]) })
    } else {
      problems.push({ field: formatPath(this.#path), message, ...this.#source.locate(this.#path) })
    }
  }
}

// A null field counts as absent, unless null is a regular value of the field.
function isGiven(value: ObjectValue, name: string, shape: ObjectShape): boolean {
  if (!Object.hasOwn(value, name)) return false
  const field = shape.fields.get(name)
  return value[name] !== null || field === undefined || allowsNull(field)
}

function joinKinds(shape: Shape): string {
  return Array.from(new Set(expectedKinds(shape))).join(' or ')
}
