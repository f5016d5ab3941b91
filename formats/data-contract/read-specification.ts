// Reads the schema of an older DCS document: `schema: {type, specification}`, in one of seven languages.

import { NOWHERE } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import type { Model } from '../schema/model.ts'
import { findLanguage, LANGUAGE_TYPES } from '../schema/languages.ts'
import { detectPlatform } from '../schema/sql/dialect.ts'
import { Specification } from '../schema/specification.ts'
import type { TypeReading } from '../schema/schema-language.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { getSchemaType } from './schema-type.ts'
import { clip, getField, type ObjectValue, asText, type Value } from '../text/value.ts'

/**
 * Returns the platform of a document's types: that of its schema language, or else of its servers.
 */
export function specificationPlatform(
  value: Value,
  platform: Platform | undefined,
): Platform | undefined {
  const schema = getField(value, 'schema')
  const language = findLanguage(asText(getField(schema, 'type')))
  return language?.platform ?? platform
}

/** Returns the platform that the text of a specification in SQL shows. */
export function detectSpecificationPlatform(value: Value): Platform | undefined {
  const schema = getField(value, 'schema')
  if (findLanguage(asText(getField(schema, 'type')))?.name !== 'sql') return undefined
  const text = asText(getField(schema, 'specification'))
  return text === undefined ? undefined : detectPlatform(text)
}

/** Reads the models of a document's specification; reports a warning if it cannot be read. */
export function specificationModels(
  value: ObjectValue,
  { platform, areTypesOpen = false }: Partial<TypeReading>,
  notes: Notes,
): Model[] {
  const schema = getField(value, 'schema')
  const given = getField(schema, 'specification') ?? null
  const type = getSchemaType(value)
  // The meaning of a custom specification is up to its author.
  if (given === null || type === undefined || type === 'custom') return []
  const language = findLanguage(type)
  if (language === undefined) {
    const languages = [...LANGUAGE_TYPES, 'custom'].join(', ')
    const message = `"${clip(type)}" is not a supported schema language; use one of ${languages}.`
    notes.warning(['schema', 'type'], message)
    return []
  }
  const path = ['schema', 'specification']
  return language.read(
    new Specification(given, path, notes),
    platform === undefined ? { areTypesOpen } : { platform, areTypesOpen },
  )
}

/**
 * Returns a reader of the definitions of two specifications for a comparison; undefined if the language has no such
 * reader, so that the models are compared. `read` returns the definitions of one document.
 */
export function findComparableReader(
  before: ObjectValue,
  after: ObjectValue,
): ((value: ObjectValue) => Model[]) | undefined {
  const [older, newer] = [before, after].map((value) => findLanguage(getSchemaType(value)))
  const read = newer?.readDefinitions
  if (read === undefined || older !== newer) return undefined
  return (value) => {
    const given = getField(getField(value, 'schema'), 'specification') ?? null
    return read(new Specification(given, ['schema', 'specification'], new Notes(NOWHERE)))
  }
}
