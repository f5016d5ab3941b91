// Resolves the references of a JSON Schema inside the document: by a pointer (`#/$defs/a`), by an
// anchor (`#a`), or by the `$id` of some part of the document. Nothing is ever fetched.

import {
  getField,
  isObject,
  jsonText,
  type ObjectValue,
  asText,
  type Value,
} from '../../text/value.ts'
import type { Spot } from '../spot.ts'

/** A schema, its location, and the URI against which its references are resolved. */
export interface SchemaPart {
  schema: Value
  spot: Spot
  base: string
}

// Relative references are resolved against this if a document has no `$id`; the name is reserved, so no
// document has it.
const NO_BASE = 'https://document.invalid/'

const ANCHORS = ['$anchor', '$dynamicAnchor', '$recursiveAnchor']

/** Returns the part at the top of a document. */
export function topPart(schema: Value, spot: Spot): SchemaPart {
  return { schema, spot, base: getBase(schema, NO_BASE) }
}

/** Returns the child of a part at a step. */
export function partAt(part: SchemaPart, step: string | number): SchemaPart | undefined {
  const { schema } = part
  const inner = typeof step === 'string' ? getField(schema, step) : undefined
  const value = Array.isArray(schema) && typeof step === 'number' ? schema[step] : inner
  if (value === undefined) return undefined
  return { schema: value, spot: part.spot.at(step), base: getBase(value, part.base) }
}

/** Returns the members of a part, by name for an object. */
export function partsIn(part: SchemaPart | undefined): [string, SchemaPart][] {
  if (part === undefined || typeof part.schema !== 'object' || part.schema === null) return []
  const { schema, spot, base } = part
  if (Array.isArray(schema)) {
    return schema.map((value, at) => [
      String(at),
      { schema: value, spot: spot.at(at), base: getBase(value, base) },
    ])
  }
  return Object.entries(schema).map(([name, value]) => [
    name,
    { schema: value, spot: spot.at(name), base: getBase(value, base) },
  ])
}

/** Finds the targets of references. */
export class References {
  readonly #top: SchemaPart
  readonly #found = new Map<string, SchemaPart | undefined>()
  // Filled by the first reference to a name; most documents only use pointers.
  #named: Map<string, SchemaPart> | undefined
  #usesUnevaluated: boolean | undefined

  constructor(top: SchemaPart) {
    this.#top = top
  }

  /** Whether some schema of the document restricts content that other keywords have not evaluated. */
  get usesUnevaluated(): boolean {
    this.#usesUnevaluated ??= jsonText(this.#top.schema).includes('"unevaluated')
    return this.#usesUnevaluated
  }

  /** Returns the target of a reference; undefined if it is not in the document. */
  find(reference: string, base: string): SchemaPart | undefined {
    const key = `${base} ${reference}`
    if (!this.#found.has(key)) this.#found.set(key, this.#search(reference, base))
    return this.#found.get(key)
  }

  #search(reference: string, base: string): SchemaPart | undefined {
    const uri = resolved(reference, base)
    const hash = uri.indexOf('#')
    const resource = hash === -1 ? uri : uri.slice(0, hash)
    const fragment = decoded(hash === -1 ? '' : uri.slice(hash + 1))
    const isHere = resource === this.#top.base
    const root = isHere ? this.#top : this.#names().get(resource)
    if (fragment === '') return root
    if (fragment.startsWith('/')) return root && walk(root, fragment)
    return this.#names().get(`${resource}#${fragment}`)
  }

  #names(): Map<string, SchemaPart> {
    if (this.#named === undefined) {
      this.#named = new Map()
      this.#collect(this.#top, this.#named)
    }
    return this.#named
  }

  // The calls are nested as deep as the document, which is at most 64.
  #collect(part: SchemaPart, names: Map<string, SchemaPart>): void {
    const { schema, base } = part
    if (isObject(schema)) {
      if (getId(schema) !== undefined && !names.has(base)) names.set(base, part)
      const fragment = getId(schema)?.startsWith('#') === true ? getId(schema)?.slice(1) : undefined
      for (const anchor of [...ANCHORS.map((name) => asText(getField(schema, name))), fragment]) {
        if (anchor !== undefined) names.set(`${base}#${anchor}`, part)
      }
    }
    for (const [, inner] of partsIn(part)) {
      if (typeof inner.schema === 'object') this.#collect(inner, names)
    }
  }
}

function walk(root: SchemaPart, fragment: string): SchemaPart | undefined {
  let here: SchemaPart | undefined = root
  for (const step of fragment.slice(1).split('/')) {
    if (here === undefined) return undefined
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    here = partAt(here, Array.isArray(here.schema) ? Number(name) : name)
  }
  return here
}

// `$id`, which was `id` up to draft-04. A property may also be called `id`, but its value is not a
// text.
function getId(schema: ObjectValue): string | undefined {
  return asText(getField(schema, '$id')) ?? asText(getField(schema, 'id'))
}

// Up to draft-07, an `$id` that is only a fragment names its schema, and changes no base.
function getBase(schema: Value, base: string): string {
  const id = isObject(schema) ? getId(schema) : undefined
  if (id === undefined || id.startsWith('#')) return base
  const uri = resolved(id, base)
  const hash = uri.indexOf('#')
  return hash === -1 ? uri : uri.slice(0, hash)
}

function resolved(reference: string, base: string): string {
  return reference.startsWith('#')
    ? `${base}${reference}`
    : (URL.parse(reference, base)?.href ?? reference)
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

// Longer ones would take long to search.
const NAME_CHARACTERS_MAX = 1000

/**
 * Returns a name for a schema from the last part of its `$id`: `order` for
 * `https://example.com/order.schema.json`.
 */
export function tailOfId(schema: Value): string | undefined {
  const id = isObject(schema) ? getId(schema) : undefined
  const tail = id
    ?.slice(-NAME_CHARACTERS_MAX)
    .replace(/[#?].*$/s, '')
    .replace(/\/+$/, '')
    .split(/[/:]/)
    .at(-1)
  const name = tail?.replace(/\.json$/, '').replace(/\.schema$/, '')
  return name === '' ? undefined : name
}
