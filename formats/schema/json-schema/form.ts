// Canonical forms of schemas, and how they are composed of those of other schemas.

import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { compareText } from '../../text/problem.ts'
import type { Value } from '../../text/value.ts'
import { hashText } from '../hash-text.ts'
import { sortedSet } from './sets.ts'

/** A larger schema is represented by its digest, which still shows that it changed. */
const FORM_CHARS_MAX = 8000

/** A keyword of a form. */
export interface FormPart {
  value: Value
  digest: Value
  size: number
  /** The schemas in its value, by name or by position. */
  members?: ReadonlyMap<string, Form>
}

/** The canonical form of a schema. */
export interface Form {
  value: Value
  /** About as many characters as the value has. */
  size: number
  digest: string
  /** The outermost schema on the way here that this one refers back to, by its depth; Infinity = none. */
  outermost: number
  /** Its keywords; undefined if it is not an object. */
  parts?: ReadonlyMap<string, FormPart>
  /** Whether a schema inside refers to this one. */
  isRecursive?: boolean
}

/** The form of a schema that allows everything. */
export const UNRESTRICTED: Form = {
  value: true,
  size: 4,
  digest: 'true',
  outermost: Infinity,
  parts: new Map(),
}

/** Collects the keywords of one form. */
export class FormBuilder {
  readonly #parts = new Map<string, FormPart>()
  #size = 2
  #outermost = Infinity

  get isEmpty(): boolean {
    return this.#parts.size === 0
  }

  /** Whether some keyword refers to a schema around this one. */
  get isOpen(): boolean {
    return this.#outermost < Infinity
  }

  addPlain(name: string, value: Value): void {
    const before = this.#parts.get(name)?.value
    const both = Array.isArray(before) && Array.isArray(value) && name === 'required'
    const given = both ? sortedSet([...before, ...value]) : value
    const text = canonicalText(given, any)
    this.addPart(name, { value: given, digest: hashText(text), size: text.length })
  }

  add(name: string, form: Form): void {
    this.#count(form)
    this.addPart(name, { value: form.value, digest: form.digest, size: form.size })
  }

  addList(name: string, forms: readonly Form[]): void {
    for (const form of forms) this.#count(form)
    this.addPart(name, {
      value: forms.map(({ value }) => value),
      digest: forms.map(({ digest }) => digest),
      size: forms.reduce((sum, form) => sum + form.size + 1, 2),
      members: new Map(forms.map((form, at) => [String(at), form])),
    })
  }

  addMap(name: string, forms: readonly (readonly [string, Form])[]): void {
    for (const [, form] of forms) this.#count(form)
    this.addPart(name, {
      value: Object.fromEntries(forms.map(([key, { value }]) => [key, value])),
      digest: Object.fromEntries(forms.map(([key, { digest }]) => [key, digest])),
      size: forms.reduce((sum, [key, form]) => sum + key.length + form.size + 4, 2),
      members: new Map(forms),
    })
  }

  /** Adds or replaces a keyword of another form that refers to no schema around it. */
  addPart(name: string, part: FormPart): void {
    this.#parts.set(name, part)
    this.#size += name.length + part.size + 4
  }

  form(): Form {
    if (this.isEmpty) return UNRESTRICTED
    const digests = [...this.#parts].map(([name, part]) => [name, part.digest] as const)
    const digest = hashText(canonicalText(Object.fromEntries(digests), any))
    const isLarge = this.#size > FORM_CHARS_MAX
    return {
      value: isLarge ? digestReference(digest) : this.#value(),
      size: isLarge ? 40 : this.#size,
      digest,
      outermost: this.#outermost,
      parts: this.#parts,
    }
  }

  #value(): Value {
    return Object.fromEntries([...this.#parts].map(([name, { value }]) => [name, value]))
  }

  #count({ outermost }: Form): void {
    this.#outermost = Math.min(this.#outermost, outermost)
  }
}

/** Returns the form of a value that contains no other schemas. */
export function leaf(value: Value): Form {
  const text = canonicalText(value, any)
  return { value, size: text.length, digest: hashText(text), outermost: Infinity }
}

/** Returns a schema that only shows whether another one changed. */
export function digestReference(digest: string): Value {
  return { $ref: `digest:${digest}` }
}

/** Returns forms in one order; those of a set only once each. */
export function sortForms(forms: readonly Form[], isSet: boolean): Form[] {
  const ordered = forms.toSorted((a, b) => compareText(a.digest, b.digest))
  return isSet ? ordered.filter(({ digest }, at) => digest !== ordered[at - 1]?.digest) : ordered
}
