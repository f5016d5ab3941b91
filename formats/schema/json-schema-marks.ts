// Traits of JSON Schema that are not keywords.

/** The prefix of all trait names of JSON Schema. */
export const JSON_SCHEMA = 'json-schema.'

/** Implicit properties of a JSON Schema, which have no keyword. */
export const MARKS = {
  /** Null is valid (true); without a type, null is not valid (false). */
  null: `${JSON_SCHEMA}null`,
  /** The field is always present, although it may be null. */
  present: `${JSON_SCHEMA}present`,
  /** Values of other types are valid too, because the type only follows from other keywords. */
  untyped: `${JSON_SCHEMA}untyped`,
  /** A map may have keys that do not match the pattern of its keys. */
  otherKeys: `${JSON_SCHEMA}otherKeys`,
  /** The type of a model is not only `object`: its other types are traits, or anything is valid. */
  anyRoot: `${JSON_SCHEMA}anyRoot`,
  /** The records of a model are single values or lists, which its only field describes. */
  singleRoot: `${JSON_SCHEMA}singleRoot`,
} as const

/** Traits that repeat other properties of a model or field, so no export loses them. */
export const REPEATED_MARKS: ReadonlySet<string> = new Set([
  MARKS.null,
  MARKS.present,
  MARKS.untyped,
  MARKS.anyRoot,
  MARKS.singleRoot,
])
