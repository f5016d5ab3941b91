// Holding a document against the shape that its standard gives it. What would make the catalog misread the document is
// an error; what merely leaves the standard is a warning, unless the author asked for strictness.

import { canonicalText } from './canonical.ts'
import { didYouMean, flagAdvice, hasTypographicQuotes, listed } from './inspect-advice.ts'
import { nearestName } from './nearest.ts'
import { type Locator, type Position, type Problem } from '../text/problem.ts'
import { PROBLEMS_MAX, sortedProblems } from '../text/problem.ts'
import { allowsNull, any, chosen, fits } from './shape.ts'
import type { EitherShape, ListShape, MapShape, NumberShape, ObjectShape } from './shape.ts'
import type { PlainShape, Shape, TextShape } from './shape.ts'
import { expectedKinds, kindOf } from './shape-kind.ts'
import { FORMAT_HINTS, hasFormat } from './text-format.ts'
import { clip, dotted, ExactNumber, isObject, jsonText, valueAt } from '../text/value.ts'
import type { ObjectValue, Value } from '../text/value.ts'

export interface Findings {
  errors: Problem[]
  warnings: Problem[]
}

/** No findings, for values that were not inspected. */
export const NOTHING_FOUND: Findings = { errors: [], warnings: [] }

/** Options for reading a document. */
export interface ReadOptions {
  /** The id that it is stored under. */
  id: string
  /** Deviations from the official schema are errors, not warnings. */
  strict: boolean
  /** The document was accepted before, so its shape is not validated again. */
  isAccepted?: boolean
  /** External id of the team that owns the document if the document names no owner. */
  owner?: string | undefined
}

/** Options for reading a part of an accepted document, whose id is irrelevant. */
export const ACCEPTED: ReadOptions = { id: '', strict: false, isAccepted: true }

/** A text that locates its values and their notation. */
export interface Places extends Locator {
  spelled?(): Value
}

/**
 * Validates a document against its shape. Errors: a known field of a wrong type. Deviations (errors if
 * `strict`, otherwise warnings): null in a known field, a missing required field, a value that is not allowed
 * or outside of its format or range, an unknown field where the standard allows none, too few, too many or
 * repeated items, a violated rule. Always warnings: unusual values, missing recommended fields, and oddities
 * of fields that the official schema allows without naming them.
 */
export function inspectValue(
  value: Value,
  shape: Shape,
  source: Places,
  options: { strict: boolean },
): Findings {
  const inspection = new Inspection(source, { ...options, onlyOfficial: false })
  inspection.value(value, shape)
  return {
    errors: sortedProblems(inspection.errors),
    warnings: sortedProblems(inspection.warnings),
  }
}

/** For values whose positions are irrelevant. */
export const NOWHERE = { locate: (): Position => ({ line: 1, column: 1 }) }

/** Returns whether a value is valid by the official schema of a shape. */
export function conforms(value: Value, shape: Shape): boolean {
  const inspection = new Inspection(NOWHERE, { strict: true, onlyOfficial: true })
  inspection.value(value, shape)
  return inspection.errors.length === 0
}

class Inspection {
  readonly errors: Problem[] = []
  readonly warnings: Problem[] = []
  readonly #source: Places
  readonly #strict: boolean
  readonly #onlyOfficial: boolean
  readonly #path: (string | number)[] = []
  #spelled: Value | undefined
  #guesses = 0
  // Above 0 inside of a field that the official schema does not name: it allows any value there.
  #lenience = 0

  constructor(source: Places, options: { strict: boolean; onlyOfficial: boolean }) {
    this.#source = source
    this.#strict = options.strict
    this.#onlyOfficial = options.onlyOfficial
  }

  value(value: Value, shape: Shape): void {
    if (!fits(value, shape)) {
      this.#wrongType(value, shape)
    } else if (shape.kind === 'either') {
      this.#either(value, shape)
    } else {
      this.#inside(value, chosen(shape, value))
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
    if (fits(value, shape.official)) {
      this.value(value, shape.official)
    } else {
      this.#deviation(shape.hint)
      this.value(value, shape.seen)
    }
  }

  #text(value: string, shape: TextShape): void {
    if (shape.allowed !== undefined && !shape.allowed.includes(value)) {
      const advice = this.#adviceFor(value, shape.allowed, shape.instead)
      this.#deviation(`“${clip(value)}” is not allowed; ${advice}`)
    }
    if (shape.format !== undefined && !hasFormat(value, shape.format)) {
      this.#deviation(`“${clip(value)}” should be ${FORMAT_HINTS[shape.format]}.`)
    }
    if (shape.customary !== undefined && !shape.customary.includes(value)) {
      const nearest = this.#nearestValue(value, shape.customary)
      const values = shape.customary.join(', ')
      const advice = nearest === undefined ? `customary values are ${values}.` : didYouMean(nearest)
      this.#warning(`“${clip(value)}” is unusual; ${advice}`)
    }
    if (hasTypographicQuotes(value)) {
      this.#warning(
        'The typographic quotes around this text are a part of it; write straight quotes (") or none.',
      )
    }
  }

  #adviceFor(value: string, allowed: readonly string[], instead: TextShape['instead']): string {
    const known = instead?.get(value.toLowerCase())
    if (known !== undefined) return `${known}.`
    const nearest = this.#nearestValue(value, allowed)
    return nearest === undefined ? `write ${listed(allowed)}.` : didYouMean(nearest)
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
    if (value.length < itemsMin) this.#deviation(`Expected at least ${itemsMin} items here.`)
    if (value.length > itemsMax) this.#deviation(`Expected at most ${itemsMax} items here.`)
    if (shape.unique === true) this.#noteRepeated(value)
    for (let at = 0; at < value.length; at += 1) {
      this.#path.push(at)
      this.value(value[at] ?? null, shape.items)
      this.#path.pop()
    }
  }

  #noteRepeated(items: readonly Value[]): void {
    const before = new Set<string>()
    items.forEach((item, at) => {
      const text = canonicalText(item, any)
      if (before.has(text)) {
        this.#path.push(at)
        this.#deviation('This is already in the list; remove one of them.')
        this.#path.pop()
      }
      before.add(text)
    })
  }

  // The names in a map are the author's own, so no field of it is a known one: a wrong type only deviates.
  #map(value: ObjectValue, shape: MapShape): void {
    const names = Object.keys(value)
    if (shape.filled === true && names.length === 0) this.#deviation('This should not be empty.')
    for (const name of names) {
      const member = value[name] ?? null
      const known = shape.known?.get(name)
      this.#path.push(name)
      if (shape.names !== undefined && !hasFormat(name, shape.names)) {
        this.#deviation(`The name “${clip(name)}” should be ${FORMAT_HINTS[shape.names]}.`)
      }
      if (known !== undefined) this.value(member, known)
      else if (fits(member, shape.values)) this.value(member, shape.values)
      else this.#deviation(`Expected ${expected(shape.values)} here, not ${kindOf(member)}.`)
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
      this.#deviation('This field is null, which is read as absent; leave it out.')
    }
  }

  #unknown(name: string, object: ObjectShape): void {
    if (this.#deviations.length > PROBLEMS_MAX) return
    const instead = object.instead.get(name)
    const nearest = instead === undefined ? this.#nearest(name, object.fields.keys()) : undefined
    const usual = 'remove it, or keep it among the custom properties'
    const advice = nearest === undefined ? `${instead ?? usual}.` : didYouMean(nearest)
    this.#deviation(`Unknown field “${clip(name)}” here; ${advice}`)
  }

  // Where the standard allows other fields, only a near miss is worth a word.
  #misspelt(name: string, object: ObjectShape): void {
    const nearest = this.#nearest(name, object.fields.keys())
    if (nearest === undefined) return
    this.#warning(`“${clip(name)}” is no field of the standard; ${didYouMean(nearest)}`)
  }

  // Very short values resemble each other by chance.
  #nearestValue(value: string, known: readonly string[]): string | undefined {
    return value.length < 3 ? undefined : this.#nearest(value, known)
  }

  // To guess is slow, and a document may have any number of fields of its own.
  #nearest(name: string, known: Iterable<string>): string | undefined {
    this.#guesses += 1
    return this.#guesses > PROBLEMS_MAX ? undefined : nearestName(name, known)
  }

  #wrongType(value: Value, shape: Shape): void {
    const kinds = expectedKinds(shape)
    const isBare =
      kinds.includes('a text') && (kindOf(value) === 'a number' || typeof value === 'boolean')
    const hint = 'hint' in shape && shape.kind !== 'either' ? shape.hint : undefined
    const quoted = isBare ? `put it in quotes: "${clip(this.#spelling(value))}"` : undefined
    const advice = hint ?? flagAdvice(value, kinds) ?? quoted
    const end = advice === undefined ? '.' : `; ${advice}.`
    this.#add(
      this.#lenience > 0 ? this.warnings : this.errors,
      `This must be ${expected(shape)}, not ${kindOf(value)}${end}`,
    )
  }

  // A version that was written 1.0 is to be quoted as that, not as the number 1.
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
      const more = `There are more problems than these ${PROBLEMS_MAX}; fix these first.`
      problems.push({ field: '', message: more, ...this.#source.locate([]) })
    } else {
      problems.push({ field: dotted(this.#path), message, ...this.#source.locate(this.#path) })
    }
  }
}

// A field that is null counts as absent, except where null is a value like any other.
function isGiven(value: ObjectValue, name: string, shape: ObjectShape): boolean {
  if (!Object.hasOwn(value, name)) return false
  const field = shape.fields.get(name)
  return value[name] !== null || field === undefined || allowsNull(field)
}

function expected(shape: Shape): string {
  return Array.from(new Set(expectedKinds(shape))).join(' or ')
}
