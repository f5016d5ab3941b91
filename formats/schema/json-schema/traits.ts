// The restrictions of a JSON Schema beyond a model: unions, conditions, closed content, tuples. Every
// keyword that restricts instances is part of the model, one of these traits, or listed under
// `unanalyzed`.

import { JSON_SCHEMA } from '../json-schema-marks.ts'
import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { type CanonicalForms, plainKeyword, typeList } from './canonical.ts'
import { isRepresented, type ModelledKeywords } from './modelled.ts'
import { type SchemaPart, partAt, partsIn, type References } from './references.ts'
import { appliesTo, HOLDERS, isIneffective, isKnown, REFERENCES } from './keywords.ts'
import { sortedSet } from './sets.ts'
import type { Field, Model } from '../model.ts'

/** A schema that was read, and how much of it the model or field contains. */
interface Reading {
  /** The schemas that define it. */
  parts: readonly SchemaPart[]
  /** The model or field; undefined if its type is unknown, so that it contains none of the keywords. */
  subject: Field | Model | undefined
  /** The types that `type` lists, without null; undefined = the schema has no `type`. */
  types: readonly string[] | undefined
  modelled: ModelledKeywords
  /** Lists of choices that were replaced by one of their members. */
  resolved: ReadonlySet<Value>
  /** Schemas that are compared elsewhere, because this schema is inside itself. */
  elsewhere?: ReadonlySet<Value>
}
/** Reads the traits of a model or field. */
export function readTraits(
  forms: CanonicalForms,
  references: References,
  reading: Reading,
): { [name: string]: Value } {
  const collector = new Collector(forms, references, reading)
  for (const part of reading.parts) {
    if (reading.elsewhere?.has(part.schema) !== true) collector.collect(part)
  }
  return collector.traits()
}

// Keywords that change what `unevaluatedProperties` and `unevaluatedItems` apply to.
const EVALUATING = {
  unevaluatedProperties: ['patternProperties', 'additionalProperties', 'dependentSchemas'],
  unevaluatedItems: ['prefixItems', 'items', 'additionalItems', 'contains'],
}
const BRANCHING = ['anyOf', 'oneOf', 'not', 'if', 'then', 'else']

class Collector {
  readonly #forms: CanonicalForms
  readonly #references: References
  readonly #reading: Reading
  readonly #traits = new Map<string, Value>()
  // Constraints whose keyword another part of the schema also has.
  readonly #further = new Map<string, Value>()
  readonly #unknown: [string, Value][] = []
  // Computed when a keyword needs them.
  #declared: ReadonlySet<string> | undefined
  #fieldNames: ReadonlySet<Value> | undefined
  readonly #within = new Map<string, Value[]>()

  constructor(forms: CanonicalForms, references: References, reading: Reading) {
    this.#forms = forms
    this.#references = references
    this.#reading = reading
  }

  collect(part: SchemaPart): void {
    const { schema } = part
    if (schema === false) this.#add('not', true)
    else if (!isObject(schema) && schema !== true) this.#unknown.push(['schema', schema])
    if (!isObject(schema)) return
    for (const [name, value] of Object.entries(schema)) {
      if (isIneffective(name) || this.#reading.modelled.has(part, name)) continue
      if (!isKnown(name)) this.#unknown.push([name, value])
      else if (REFERENCES.includes(name)) this.#reference(part, name)
      else if (appliesTo(name, this.#reading.types)) this.#keyword(part, name, value)
    }
  }

  traits(): { [name: string]: Value } {
    const traits = Object.fromEntries(this.#traits)
    if (this.#further.size > 0) {
      const texts = [...this.#further.keys()].toSorted()
      traits[`${JSON_SCHEMA}allOf`] = texts.map((text) => this.#further.get(text) ?? null)
    }
    if (this.#unknown.length > 0) {
      const parts = this.#unknown.map(([name, value]) => Object.fromEntries([[name, value]]))
      traits['unanalyzed'] = sortedSet(parts)
    }
    return traits
  }

  #add(keyword: string, value: Value): void {
    const name = `${JSON_SCHEMA}${keyword}`
    const before = this.#traits.get(name)
    if (before === undefined) this.#traits.set(name, value)
    else if (canonicalText(before, any) !== canonicalText(value, any)) {
      this.#addFurther(Object.fromEntries([[keyword, value]]))
    }
  }

  #addFurther(constraint: ObjectValue): void {
    this.#further.set(canonicalText(constraint, any), constraint)
  }

  // The target of a reference is one of the parts, unless it is unresolved.
  #reference(part: SchemaPart, keyword: string): void {
    const reference = asText(getField(part.schema, keyword))
    const isMissing = reference !== undefined && !this.#references.find(reference, part.base)
    if (isMissing) this.#add('$ref', reference)
  }

  #keyword(part: SchemaPart, name: string, value: Value): void {
    const { subject, resolved } = this.#reading
    switch (name) {
      case 'type':
        if (subject === undefined) this.#addType(part)
        return
      case 'allOf':
        if (!Array.isArray(value)) this.#unknown.push([name, value])
        return
      case 'anyOf':
      case 'oneOf': {
        const isConstants = subject !== undefined && isRepresented(subject, part, name)
        if (!resolved.has(value) && !isConstants) this.#addForm(part, [name])
        return
      }
      case 'if':
        this.#addGroup(part, ['if', 'then', 'else'])
        return
      case 'contains':
        this.#addGroup(part, ['contains', 'minContains', 'maxContains'])
        return
      // These only have an effect together with another keyword.
      case 'then':
      case 'else':
      case 'minContains':
      case 'maxContains':
        return
      case 'required':
        this.#required(value)
        return
      case 'additionalProperties':
        this.#additionalProperties(part)
        return
      case 'unevaluatedProperties':
      case 'unevaluatedItems':
        this.#unevaluated(part, name)
        return
      case 'items':
      case 'additionalItems':
      case 'dependencies':
      case 'properties':
        this.#addForm(part, [name, 'items'])
        return
      default: {
        if (HOLDERS.has(name)) {
          this.#addForm(part, [name])
          return
        }
        const plain = plainKeyword(part.schema, name, value)
        const isHeld = subject !== undefined && isRepresented(subject, part, name)
        if (plain !== undefined && !isHeld) this.#add(...plain)
      }
    }
  }

  // Null is a trait of its own.
  #addType({ schema }: SchemaPart): void {
    const types = typeList(getField(schema, 'type') ?? null, false)
    const others = Array.isArray(types) ? types.filter((type) => type !== 'null') : [types]
    const isNull = types === 'null'
    this.#add('type', isNull ? [] : others.length === 1 ? (others[0] ?? null) : others)
  }

  // Adds the canonical form of some keywords of a part.
  #addForm(part: SchemaPart, names: readonly string[]): void {
    for (const [name, value] of Object.entries(this.#toCanonical(part, names)))
      this.#add(name, value)
  }

  // Adds keywords that only have a meaning together as one trait.
  #addGroup(part: SchemaPart, names: readonly string[]): void {
    const [first] = names
    const group = this.#toCanonical(part, names)
    if (first !== undefined && getField(group, first) !== undefined) this.#add(first, group)
  }

  #toCanonical(part: SchemaPart, names: readonly string[]): ObjectValue {
    const chosen = partsIn(part).filter(([name]) => names.includes(name))
    const schema = Object.fromEntries(chosen.map(([name, { schema }]) => [name, schema]))
    const form = this.#forms.toCanonical({ ...part, schema })
    return isObject(form) ? form : {}
  }

  // Names without a field: the others are marked at their fields.
  #required(value: Value): void {
    if (typeof value === 'boolean') return
    if (!Array.isArray(value)) return this.#add('required', value)
    this.#fieldNames ??= this.#findFieldNames()
    const names = value.filter((name) => this.#fieldNames?.has(name) !== true)
    if (names.length > 0) this.#add('required', sortedSet(names))
  }

  #findFieldNames(): ReadonlySet<Value> {
    const { modelled, parts } = this.#reading
    const read = parts.filter((part) => modelled.has(part, 'properties'))
    return new Set(read.flatMap((part) => Object.keys(objectAt(part, 'properties'))))
  }

  // The keyword applies to the names that its own schema does not declare. Usually there is only one schema.
  #additionalProperties(part: SchemaPart): void {
    const member = partAt(part, 'additionalProperties')
    if (member === undefined || member.schema === true) return
    this.#declared ??= namesDeclaredIn(this.#reading.parts)
    const value = this.#forms.toCanonical(member)
    if (namesDeclaredIn([part]).size === this.#declared.size)
      this.#add('additionalProperties', value)
    else {
      const names = ['properties', 'patternProperties'].flatMap((keyword) => {
        const declared = Object.keys(objectAt(part, keyword)).map((name) => [name, true] as const)
        return declared.length === 0 ? [] : [[keyword, Object.fromEntries(declared)] as const]
      })
      this.#addFurther({ additionalProperties: value, ...Object.fromEntries(names) })
    }
  }

  // Unevaluated content depends on many other keywords, also inside branches.
  #unevaluated(part: SchemaPart, name: 'unevaluatedProperties' | 'unevaluatedItems'): void {
    const member = partAt(part, name)
    if (member === undefined || member.schema === true) return
    const within = this.#within.get(name) ?? this.#findWithin([...EVALUATING[name], ...BRANCHING])
    this.#within.set(name, within)
    const form = this.#forms.toCanonical(member)
    this.#add(name, within.length === 0 ? form : { [name]: form, within })
  }

  #findWithin(names: readonly string[]): Value[] {
    const forms = this.#reading.parts.map((part) => this.#toCanonical(part, names))
    const within = sortedSet(forms.filter((form) => Object.keys(form).length > 0))
    return Array.isArray(within) ? within : []
  }
}

function objectAt(part: SchemaPart, keyword: string): ObjectValue {
  const value = getField(part.schema, keyword)
  return isObject(value) ? value : {}
}

function namesDeclaredIn(parts: readonly SchemaPart[]): Set<string> {
  const names = parts.flatMap((part) =>
    ['properties', 'patternProperties'].flatMap((keyword) =>
      Object.keys(objectAt(part, keyword)).map((name) => `${keyword} ${name}`),
    ),
  )
  return new Set(names)
}
