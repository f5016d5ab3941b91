// Holding a document against the shape that its standard gives it. What would make the catalog misread the document is
// an error; what merely leaves the standard is a warning, unless the author asked for strictness.

import { nearestName } from './nearest.ts'
import { type Position, type Problem, PROBLEMS_MAX, sortedProblems } from './problem.ts'
import { chosen, type EitherShape, expectedKind, type Kind, kindOf } from './shape.ts'
import type { ListShape, MapShape, ObjectShape, Shape, TextShape } from './shape.ts'
import { FORMAT_HINTS, hasFormat } from './text-format.ts'
import { clip, dotted, fieldOf, isObject, jsonText, valueAt } from './value.ts'
import type { ObjectValue, Path, Value } from './value.ts'

export interface Findings {
  errors: Problem[]
  warnings: Problem[]
}

/** A text that knows where its values stand, and how they are spelled there. */
export interface Places {
  locate(path: Path): Position
  spelled?(): Value
}

/**
 * Compares a document with its shape. Errors: a known field of a wrong type. Deviations (errors when `strict`, else
 * warnings): null on a known field, a missing required field, a value that is not allowed or not in its format, an
 * unknown field where the standard allows none. Always warnings: unusual values, missing recommended fields.
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

/** For values whose places nobody asks for. */
export const NOWHERE = { locate: (): Position => ({ line: 1, column: 1 }) }

/** Tells whether a value is valid by the official schema that a shape describes. */
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

  constructor(source: Places, options: { strict: boolean; onlyOfficial: boolean }) {
    this.#source = source
    this.#strict = options.strict
    this.#onlyOfficial = options.onlyOfficial
  }

  value(value: Value, shape: Shape): void {
    const rule = chosen(shape, value)
    const expected = expectedKind(rule)
    if (expected !== undefined && kindOf(value) !== expected) this.#wrongType(value, expected, rule)
    else if (shape.kind === 'either' && rule === shape.seen) this.#seen(value, shape)
    else this.#inside(value, rule)
  }

  #inside(value: Value, shape: Shape): void {
    if (shape.kind === 'text' && typeof value === 'string') this.#text(value, shape)
    else if (shape.kind === 'list' && Array.isArray(value)) this.#list(value, shape)
    else if (shape.kind === 'map' && isObject(value)) this.#map(value, shape)
    else if (shape.kind === 'object' && isObject(value)) this.#object(value, shape)
  }

  #seen(value: Value, shape: EitherShape): void {
    this.#deviation(shape.hint)
    this.#inside(value, shape.seen)
  }

  #text(value: string, shape: TextShape): void {
    if (shape.allowed !== undefined && !shape.allowed.includes(value)) {
      this.#deviation(`“${clip(value)}” is not allowed; write ${listed(shape.allowed)}.`)
    }
    if (shape.format !== undefined && !hasFormat(value, shape.format)) {
      this.#deviation(`“${clip(value)}” should be ${FORMAT_HINTS[shape.format]}.`)
    }
    if (shape.customary !== undefined && !shape.customary.includes(value)) {
      const values = shape.customary.join(', ')
      this.#warning(`“${clip(value)}” is unusual; customary values are ${values}.`)
    }
  }

  #list(value: readonly Value[], shape: ListShape): void {
    value.forEach((item, at) => this.#member(at, () => this.value(item, shape.items)))
  }

  // The names in a map are the author's own, so no field of it is a known one: a wrong type only deviates.
  #map(value: ObjectValue, shape: MapShape): void {
    const expected = shape.values.kind === 'either' ? undefined : expectedKind(shape.values)
    for (const [name, member] of Object.entries(value)) {
      this.#member(name, () => {
        if (expected === undefined || kindOf(member) === expected) this.value(member, shape.values)
        else this.#deviation(`The standard wants ${expected} here, not ${kindOf(member)}.`)
      })
    }
  }

  #object(value: ObjectValue, shape: ObjectShape): void {
    for (const [name, member] of Object.entries(value)) {
      this.#member(name, () => this.#field(name, member, shape))
    }
    for (const name of shape.required) {
      if (!isGiven(value, name, shape)) {
        this.#member(name, () =>
          this.#deviation('This field is missing; the standard requires it.'),
        )
      }
    }
    for (const name of shape.recommended) {
      if (!isGiven(value, name, shape)) {
        this.#member(name, () =>
          this.#warning('This field is missing; the standard recommends it.'),
        )
      }
    }
  }

  #field(name: string, value: Value, object: ObjectShape): void {
    const shape =
      object.fields.get(name) ?? (this.#onlyOfficial ? undefined : object.seen.get(name))
    if (shape === undefined) {
      if (object.closed) this.#unknown(name, object)
      else this.#misspelt(name, object)
    } else if (value !== null || shape.kind === 'any') {
      this.value(value, shape)
    } else if (!object.required.includes(name)) {
      this.#deviation('This field is null, which is read as absent; leave it out.')
    }
  }

  #unknown(name: string, object: ObjectShape): void {
    if (this.#deviations.length > PROBLEMS_MAX) return
    const nearest = nearestName(name, object.fields.keys())
    const advice =
      nearest === undefined
        ? 'remove it, or keep it among the custom properties.'
        : `did you mean “${nearest}”?`
    this.#deviation(`The standard knows no field “${clip(name)}” here; ${advice}`)
  }

  // Where the standard allows other fields, only a near miss is worth a word.
  #misspelt(name: string, object: ObjectShape): void {
    if (this.warnings.length > PROBLEMS_MAX) return
    const nearest = nearestName(name, object.fields.keys())
    if (nearest === undefined) return
    this.#warning(`“${clip(name)}” is no field of the standard; did you mean “${nearest}”?`)
  }

  #wrongType(value: Value, expected: Kind, shape: Shape): void {
    const isBare =
      expected === 'a text' && (kindOf(value) === 'a number' || typeof value === 'boolean')
    const hint = 'hint' in shape ? shape.hint : undefined
    const advice =
      hint ?? (isBare ? `put it in quotes: "${clip(this.#spelling(value))}"` : undefined)
    const end = advice === undefined ? '.' : `; ${advice}.`
    this.#add(this.errors, `This must be ${expected}, not ${kindOf(value)}${end}`)
  }

  // A version that was written 1.0 is to be quoted as that, not as the number 1.
  #spelling(value: Value): string {
    this.#spelled ??= this.#source.spelled?.()
    return jsonText(valueAt(this.#spelled, this.#path) ?? value)
  }

  get #deviations(): Problem[] {
    return this.#strict ? this.errors : this.warnings
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
      const more = `There are more problems than these ${PROBLEMS_MAX}; mend these first.`
      problems.push({ field: '', message: more, ...this.#source.locate([]) })
    } else {
      problems.push({ field: dotted(this.#path), message, ...this.#source.locate(this.#path) })
    }
  }

  #member(step: string | number, look: () => void): void {
    this.#path.push(step)
    look()
    this.#path.pop()
  }
}

// A field that is null counts as absent, except where null is a value like any other.
function isGiven(value: ObjectValue, name: string, shape: ObjectShape): boolean {
  const field = fieldOf(value, name)
  return field !== undefined && (field !== null || shape.fields.get(name)?.kind === 'any')
}

function listed(values: readonly string[]): string {
  return values.map((value) => `“${value}”`).join(' or ')
}
