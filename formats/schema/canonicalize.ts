// Canonical forms of specifications that are values or texts in JSON or YAML.

import { canonicalText } from '../shape/canonical.ts'
import { any } from '../shape/shape.ts'
import { readInnerText } from '../text/text.ts'
import { isObject, type Value } from '../text/value.ts'

/** Returns the canonical form of a specification; undefined when it cannot be read. */
type Canonicalize = (specification: Value) => string | undefined

// Members whose names the author chooses.
const AUTHORS_NAMES: ReadonlySet<string> = new Set(['constraints', 'data_tests', 'labels', 'tests'])

/** Creates a function that canonicalizes a specification without its annotations. */
export function canonicalizeWithout(annotations: readonly string[]): Canonicalize {
  const names = new Set(annotations)
  return canonicalizeWith((value) => canonicalText(removeNames(value, names), any))
}

/** Creates a function that also canonicalizes a text in JSON or YAML. */
export function canonicalizeWith(canonicalize: (value: Value) => string): Canonicalize {
  return (specification) => {
    const value = typeof specification === 'string' ? parse(specification) : specification
    return value === undefined ? undefined : canonicalize(value)
  }
}

function parse(text: string): Value | undefined {
  const isJson = /^\s*[[{]/.test(text)
  const source = readInnerText(text, isJson ? 'application/json' : 'application/yaml')
  return source.ok ? source.value : undefined
}

/** Removes the members with these names, at every depth, but not the names that authors choose. */
export function removeNames(value: Value, names: ReadonlySet<string>): Value {
  if (Array.isArray(value)) return value.map((item) => removeNames(item, names))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(
    ([name, member]) => !names.has(name) && !isDefault(name, member),
  )
  return Object.fromEntries(
    kept.map(([name, member]) => [
      name,
      AUTHORS_NAMES.has(name) ? member : removeNames(member, names),
    ]),
  )
}

// BigQuery writes out the mode of every column or of none.
function isDefault(name: string, value: Value): boolean {
  return name === 'mode' && value === 'NULLABLE'
}
