// Finds the keywords in a document whose meaning depends on the draft of their schema.

import { isObject, type Value } from '../../text/value.ts'
import { mapRoots } from './documents.ts'
import { type Dialect, FORMS, isIgnored, listForms, readDialect } from './drafts.ts'
import { HOLDERS } from './keywords.ts'
import { mapMembers } from './plain.ts'

/** A keyword of a schema whose meaning depends on the draft. */
interface DraftUse {
  /** The name of the keyword, or the form of its value. */
  keyword: string
  dialect: Dialect
  /** The steps from the document to the schema, as one text. */
  path: string
}

/** The dialects in a document, and the keywords that depend on them, also in unused definitions. */
export interface DraftUses {
  uses: readonly DraftUse[]
  /** The dialects of the roots and of all schemas with a `$schema`. */
  dialects: ReadonlySet<Dialect>
}

/** Finds the dialects of a document, and the keywords that depend on them. */
export function findDraftUses(document: Value): DraftUses {
  const uses: DraftUse[] = []
  const dialects = new Set<Dialect>()
  const visit: Visit = (schema, outer, path) => {
    if (typeof schema === 'boolean' && path !== '') {
      uses.push({ keyword: FORMS.booleanSchema, dialect: outer, path })
    }
    if (!isObject(schema)) return schema
    const dialect = readDialect(schema) ?? outer
    dialects.add(dialect)
    for (const [name, value] of Object.entries(schema)) {
      for (const keyword of listForms(schema, name, value)) uses.push({ keyword, dialect, path })
    }
    return mapMembers(schema, (name, value) => mapInner(name, value, dialect, path, visit))
  }
  mapRoots(document, visit)
  return { uses, dialects }
}

/**
 * Returns a document without the keywords that validators of its drafts ignore; the same value if there are none.
 * Without a known dialect every keyword counts.
 */
export function withoutIgnored(document: Value): Value {
  const visit: Visit = (schema, outer, path) => {
    if (!isObject(schema)) return schema
    const dialect = readDialect(schema) ?? outer
    return mapMembers(schema, (name, value) =>
      isIgnored(schema, name, value, dialect)
        ? undefined
        : mapInner(name, value, dialect, path, visit),
    )
  }
  return mapRoots(document, visit)
}

/** Visits a schema, and returns it or its replacement. */
type Visit = (schema: Value, outer: Dialect, path: string) => Value

const NAMED: ReadonlySet<string> = new Set(['$defs', 'definitions', 'dependencies'])
// These may be true or false in every draft.
const SWITCHES: ReadonlySet<string> = new Set(['additionalItems', 'additionalProperties'])

// Visits the schemas in the value of a keyword.
function mapInner(name: string, value: Value, dialect: Dialect, path: string, visit: Visit): Value {
  const holds = NAMED.has(name) ? 'map' : HOLDERS.get(name)
  const isSwitch = typeof value === 'boolean' && SWITCHES.has(name)
  if (holds === undefined || isSwitch) return value
  const here = `${path}/${name}`
  if (Array.isArray(value)) {
    const mapped = value.map((inner, at) => visit(inner, dialect, `${here}/${at}`))
    return mapped.every((inner, at) => inner === value[at]) ? value : mapped
  }
  if (holds !== 'map') return visit(value, dialect, here)
  return isObject(value)
    ? mapMembers(value, (key, inner) => visit(inner, dialect, `${here}/${key}`))
    : value
}
