// Merges schemas that must all be valid into one schema with the same meaning, so that it does not matter how `allOf` and
// references split it.

import { type Form, FormBuilder, type FormPart, sortForms } from './form.ts'
import { sortedSet } from './sets.ts'

/** The keywords of all merged schemas of a document together; further schemas are not merged. */
const KEYWORDS_MAX = 200_000

/** Keywords of one schema that only have a meaning together. */
const GROUPS: readonly (readonly string[])[] = [
  ['properties', 'patternProperties', 'additionalProperties'],
  ['prefixItems', 'items'],
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
]
/** Keywords with schemas by name, each of which counts by itself unless `additionalProperties` excludes the other names. */
const MAPS = ['properties', 'patternProperties']
const LOWER_BOUNDS = ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum']
const UPPER_BOUNDS = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum']

/** A keyword, a group of keywords, or one schema in a map; the smallest parts of a schema. */
interface Atom {
  parts: ReadonlyMap<string, FormPart>
  form: Form
  /** The name of the schema in a map; undefined for whole keywords. */
  member?: string
}

/** Merges the schemas of one document. */
export class FormMerger {
  #keywordsLeft = KEYWORDS_MAX

  /** Returns the form of a schema with the keywords of a builder and further schemas that must be valid. */
  merge(own: FormBuilder, conjuncts: readonly Form[]): Form {
    const forms = own.isEmpty ? conjuncts : [own.form(), ...conjuncts]
    const [only] = forms
    if (forms.length === 1 && only !== undefined) return only
    const mergeable = conjuncts.filter(isMergeable)
    if (own.isOpen || mergeable.length === 0 || !this.#takes(forms)) {
      own.addList('allOf', sortForms(conjuncts, true))
      return own.form()
    }
    const others = conjuncts.filter((form) => !isMergeable(form))
    return this.#join(own.isEmpty ? mergeable : [own.form(), ...mergeable], others)
  }

  #takes(forms: readonly Form[]): boolean {
    this.#keywordsLeft -= forms.reduce((sum, form) => sum + countKeywords(form), 0)
    return this.#keywordsLeft >= 0
  }

  // `others` cannot be merged.
  #join(forms: readonly Form[], others: readonly Form[]): Form {
    const merged = new MergedSchema((members) => this.merge(new FormBuilder(), members))
    const rest = [...others]
    for (const atom of sortAtoms(forms.flatMap(listAtoms))) {
      if (!merged.add(atom)) rest.push(atom.form)
    }
    return merged.form(rest)
  }
}

// A schema that something inside refers to would be a different one. Unevaluated content depends on its own schema.
function isMergeable({ outermost, isRecursive = false, parts }: Form): boolean {
  if (parts === undefined || outermost < Infinity || isRecursive) return false
  return ![...parts.keys()].some((name) => name.startsWith('unevaluated'))
}

function countKeywords({ parts = new Map() }: Form): number {
  let count = 1
  for (const { members } of parts.values()) count += 1 + (members?.size ?? 0)
  return count
}

function listAtoms({ parts = new Map() }: Form): Atom[] {
  const atoms: Atom[] = []
  const left = new Map(parts)
  // These could not be merged into this schema.
  for (const form of left.get('allOf')?.members?.values() ?? []) {
    atoms.push(...(isMergeable(form) ? listAtoms(form) : [toAtom(form.parts ?? new Map(), form)]))
  }
  left.delete('allOf')
  if (!left.has('additionalProperties')) {
    for (const keyword of MAPS) {
      for (const [member, form] of left.get(keyword)?.members ?? []) {
        const map = new FormBuilder()
        map.addMap(keyword, [[member, form]])
        atoms.push({ ...toAtom(map.form().parts ?? new Map(), map.form()), member })
      }
      left.delete(keyword)
    }
  }
  for (const names of [...GROUPS, ...[...left.keys()].map((name) => [name])]) {
    const group = new FormBuilder()
    for (const name of names) {
      const part = left.get(name)
      if (part !== undefined) group.addPart(name, part)
      left.delete(name)
    }
    if (!group.isEmpty) atoms.push(toAtom(group.form().parts ?? new Map(), group.form()))
  }
  return atoms
}

function toAtom(parts: ReadonlyMap<string, FormPart>, form: Form): Atom {
  return { parts, form }
}

// Schemas that exclude other names come first, because the names of the others must be among theirs.
function sortAtoms(atoms: readonly Atom[]): Atom[] {
  const closed = atoms.filter(({ parts }) => parts.has('additionalProperties'))
  const open = atoms.filter(({ parts }) => !parts.has('additionalProperties'))
  return [closed, open].flatMap((part) => {
    const byForm = new Map(part.map((atom) => [atom.form, atom]))
    return sortForms([...byForm.keys()], false).flatMap((form) => byForm.get(form) ?? [])
  })
}

/** The keywords of a schema to which others are added. */
class MergedSchema {
  readonly #parts = new Map<string, FormPart>()
  readonly #maps = new Map(MAPS.map((name) => [name, new Map<string, Form>()]))
  readonly #mergeMembers: (forms: readonly Form[]) => Form

  constructor(mergeMembers: (forms: readonly Form[]) => Form) {
    this.#mergeMembers = mergeMembers
  }

  /** Adds keywords; returns false if that is not possible, because the schema has other ones. */
  add(atom: Atom): boolean {
    const { parts, member } = atom
    const [[name, part] = ['', undefined]] = parts
    if (part === undefined) return false
    if (member !== undefined) return this.#addMember(name, member, part)
    if (parts.has('additionalProperties')) return this.#addClosed(parts)
    const group = GROUPS.find((names) => names.includes(name))
    if (group === undefined && this.#parts.has(name)) return this.#narrow(name, part)
    if (group?.some((one) => this.#parts.has(one)) === true) return this.#hasGroup(group, parts)
    for (const [one, given] of parts) this.#parts.set(one, given)
    return true
  }

  form(rest: readonly Form[]): Form {
    const builder = new FormBuilder()
    for (const [name, members] of this.#maps) {
      if (members.size > 0) builder.addMap(name, [...members])
    }
    for (const [name, part] of this.#parts) builder.addPart(name, part)
    if (rest.length > 0) builder.addList('allOf', sortForms(rest, true))
    return builder.form()
  }

  #addMember(name: string, member: string, part: FormPart): boolean {
    const members = this.#maps.get(name)
    const form = part.members?.get(member)
    if (members === undefined || form === undefined) return false
    const before = members.get(member)
    if (before === undefined && this.#parts.has('additionalProperties')) return false
    const isSame = before?.digest === form.digest
    if (!isSame)
      members.set(member, before === undefined ? form : this.#mergeMembers([before, form]))
    return true
  }

  #addClosed(parts: ReadonlyMap<string, FormPart>): boolean {
    if (this.#parts.has('additionalProperties')) return false
    for (const [name, part] of parts) {
      const members = this.#maps.get(name)
      if (members === undefined) this.#parts.set(name, part)
      else for (const [member, form] of part.members ?? []) members.set(member, form)
    }
    return true
  }

  #hasGroup(names: readonly string[], parts: ReadonlyMap<string, FormPart>): boolean {
    return names.every((name) => {
      const part = parts.get(name)
      return part === undefined
        ? !this.#parts.has(name)
        : isSameDigest(this.#parts.get(name), part.digest)
    })
  }

  // Combines two values of one keyword.
  #narrow(name: string, part: FormPart): boolean {
    const before = this.#parts.get(name)
    if (before === undefined || isSameDigest(before, part.digest)) return true
    const [one, other] = [before.value, part.value]
    if (name === 'required' && Array.isArray(one) && Array.isArray(other)) {
      const both = new FormBuilder()
      both.addPlain(name, sortedSet([...one, ...other]))
      for (const [key, given] of both.form().parts ?? []) this.#parts.set(key, given)
      return true
    }
    const isLower = LOWER_BOUNDS.includes(name)
    if (!isLower && !UPPER_BOUNDS.includes(name)) return false
    if (typeof one !== 'number' || typeof other !== 'number') return false
    if (isLower ? other > one : other < one) this.#parts.set(name, part)
    return true
  }
}

function isSameDigest(part: FormPart | undefined, digest: FormPart['digest']): boolean {
  return part !== undefined && JSON.stringify(part.digest) === JSON.stringify(digest)
}
