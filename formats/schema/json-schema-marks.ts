// Traits of JSON Schema that are not keywords.

/** The prefix of all trait names of JSON Schema. */
export const JSON_SCHEMA = 'json-schema.'

/** Implicit properties of a JSON Schema, which have no keyword. */
export const MARKS = {
  /** Null is valid. */
  null: `${JSON_SCHEMA}null`,
  /** The field is always present, although it may be null. */
  present: `${JSON_SCHEMA}present`,
  /** Values of other types are valid too, because the type only follows from other keywords. */
  untyped: `${JSON_SCHEMA}untyped`,
  /** A map may have keys that do not match the pattern of its keys. */
  otherKeys: `${JSON_SCHEMA}otherKeys`,
} as const

/** Traits that repeat `required` and null, so no export loses them. */
export const REPEATED_MARKS: ReadonlySet<string> = new Set([
  MARKS.null,
  MARKS.present,
  MARKS.untyped,
])
