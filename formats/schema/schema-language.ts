// A schema language: JSON Schema, Avro, SQL. Contracts contain specifications in it, and are exported to it.

import type { Value } from '../text/value.ts'
import type { Model, Numbering, Written } from './model.ts'
import type { Specification } from './specification.ts'
import type { Platform } from './types/native-type.ts'

export interface SchemaLanguage {
  /** The folder of the language, and the name of its export format. */
  name: string
  /** The values of `schema.type` in a data contract, in lower case; the usual one comes first. */
  types: readonly string[]
  mediaType: string
  /** Whether a text is JSON; a specification may also be YAML, and is exported as JSON. */
  isJson?: boolean
  /** The platform of its types; absent = that of the contract's servers. */
  platform?: Platform
  read: (specification: Specification, options: ReadLanguageOptions) => Model[]
  /** Reads the definitions for a comparison; absent = the models are compared. */
  readDefinitions?: (specification: Specification) => Model[]
  write: (models: readonly Model[], options: WriteOptions) => Written
  /**
   * Returns a canonical form of the meaning; undefined if the specification cannot be read. Absent = meanings cannot be
   * compared.
   */
  canonicalize?: (specification: Value) => string | undefined
}

/** The way to read types: for a platform, or without one, although the text of a script may show which one it is. */
export interface TypeReading {
  platform: Platform | undefined
  areTypesOpen: boolean
}

export interface ReadLanguageOptions {
  platform?: Platform
  areTypesOpen?: boolean
}

export interface WriteOptions {
  dialect?: Platform
  /** The name and id of the contract. */
  name: string
  id: string
  numbering?: Numbering
}
