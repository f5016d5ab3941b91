// Finds the keywords in a document whose meaning depends on the draft of their schema.

import { isObject, type Value } from '../../text/value.ts'
import { mapRoots } from './documents.ts'
import { DEPENDENT, type Dialect, FORMS, isIgnored, listForms, readDialect } from './drafts.ts'
import { HOLDERS } from './keywords.ts'
import { mapMembers } from './plain.ts'

/** A keyword of a schema whose meaning depends on the draft. */
export interface DraftUse {
  /** The name of the keyword, or the form of its value. */
  keyword: string
  dialect: Dialect
  /** The steps from the document to the schema, as one text. */
  path: string
}

/** The dialects of the schemas in a document. */
export interface Dialects {
  dialects: ReadonlySet<Dialect>
  /** Whether validators ignore some keyword, because the draft of its schema does not have it. */
  hasIgnored: boolean
}

/** Finds the dialects of a document, without the time and memory that its uses need. */
export function findDialects(document: Value): Dialects {
  const dialects = new Set<Dialect>()
  let hasIgnored = false
  const scan = (schema: Value, outer: Dialect): void => {
    if (!isObject(schema)) return
    const dialect = readDialect(schema) ?? outer
    dialects.add(dialect)
    const isAny = typeof schema['$ref'] === 'string'
    for (const [name, value] of Object.entries(schema)) {
      const mayBeIgnored = !hasIgnored && (isAny || DEPENDENT.has(name))
      if (mayBeIgnored && isIgnored(schema, name, value, dialect)) hasIgnored = true
      if (typeof value === 'object' && value !== null) scanInner(name, value, dialect)
    }
  }
  const scanInner = (name: string, value: Value, dialect: Dialect): void => {
    const holds = getContent(name)
    if (holds === undefined) return
    if (Array.isArray(value)) for (const inner of value) scan(inner, dialect)
    else if (!isObject(value)) return
    else if (holds === 'map') for (const inner of Object.values(value)) scan(inner, dialect)
    else scan(value, dialect)
  }
  mapRoots(document, (schema, outer) => {
    scan(schema, outer)
    return schema
  })
  return { dialects, hasIgnored }
}

/** Lists the keywords of a document whose meaning depends on the draft, also in unused definitions. */
export function listDraftUses(document: Value): DraftUse[] {
  const uses: DraftUse[] = []
  const visit: Visit = (schema, outer, path) => {
    if (typeof schema === 'boolean' && path !== '') {
      uses.push({ keyword: FORMS.booleanSchema, dialect: outer, path })
    }
    if (!isObject(schema)) return schema
    const dialect = readDialect(schema) ?? outer
    for (const [name, value] of Object.entries(schema)) {
      for (const keyword of listForms(schema, name, value)) uses.push({ keyword, dialect, path })
    }
    return mapMembers(schema, (name, value) => mapInner(name, value, dialect, path, visit))
  }
  mapRoots(document, visit)
  return uses
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

function getContent(name: string) {
  return NAMED.has(name) ? 'map' : HOLDERS.get(name)
}

// Visits the schemas in the value of a keyword.
function mapInner(name: string, value: Value, dialect: Dialect, path: string, visit: Visit): Value {
  const holds = getContent(name)
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
