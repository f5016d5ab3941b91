// The features of editions: what a declaration inherits from its file, its message and its own options. proto2 and
// proto3 are fixed sets of them.

import protobuf from 'protobufjs'

/** The features that change the data of a field or the values of an enumeration. */
export interface Features {
  field_presence: string
  enum_type: string
  repeated_field_encoding: string
  utf8_validation: string
  message_encoding: string
  json_format: string
}

const PROTO2: Features = {
  field_presence: 'EXPLICIT',
  enum_type: 'CLOSED',
  repeated_field_encoding: 'EXPANDED',
  utf8_validation: 'NONE',
  message_encoding: 'LENGTH_PREFIXED',
  json_format: 'LEGACY_BEST_EFFORT',
}

const PROTO3: Features = {
  ...PROTO2,
  field_presence: 'IMPLICIT',
  enum_type: 'OPEN',
  repeated_field_encoding: 'PACKED',
  utf8_validation: 'VERIFY',
  json_format: 'ALLOW',
}

/** Resolves the features of declarations in one text. */
export class FeatureResolver {
  readonly #defaults: Features
  readonly #resolved = new Map<protobuf.ReflectionObject, Features>()

  constructor(edition: string) {
    const editionDefaults = { ...PROTO3, field_presence: 'EXPLICIT' }
    this.#defaults = edition === 'proto2' ? PROTO2 : edition === 'proto3' ? PROTO3 : editionDefaults
  }

  /** Returns the features of a field, message, enumeration or namespace. */
  resolve(declaration: protobuf.ReflectionObject): Features {
    const known = this.#resolved.get(declaration)
    if (known !== undefined) return known
    const { parent } = declaration
    const inherited = parent === null ? this.#defaults : this.resolve(parent)
    const own = readFeatures(declaration)
    const features = own === undefined ? inherited : { ...inherited, ...own }
    if (!(declaration instanceof protobuf.Field)) this.#resolved.set(declaration, features)
    return features
  }
}

const EDITIONS: ReadonlySet<string> = new Set(['proto2', 'proto3', '2023', '2024'])

/** Returns whether the defaults of an edition, or of a syntax, are known. */
export function isKnownEdition(edition: string): boolean {
  return EDITIONS.has(edition)
}

const VALUES: ReadonlyMap<string, readonly string[]> = new Map([
  ['field_presence', ['EXPLICIT', 'IMPLICIT', 'LEGACY_REQUIRED']],
  ['enum_type', ['OPEN', 'CLOSED']],
  ['repeated_field_encoding', ['PACKED', 'EXPANDED']],
  ['utf8_validation', ['VERIFY', 'NONE']],
  ['message_encoding', ['LENGTH_PREFIXED', 'DELIMITED']],
  ['json_format', ['ALLOW', 'LEGACY_BEST_EFFORT']],
  // These do not change the data.
  ['enforce_naming_style', ['STYLE2024', 'STYLE_LEGACY']],
  ['default_symbol_visibility', ['EXPORT_ALL', 'EXPORT_TOP_LEVEL', 'LOCAL_ALL', 'STRICT']],
])

/** Returns whether the meaning of a feature with this value is known. */
export function isKnownFeature(name: string, value: string): boolean {
  return VALUES.get(name)?.includes(value) === true
}

const NAMES: ReadonlySet<string> = new Set(Object.keys(PROTO2))

// The parser stores `features.x = Y` under `features`, and copies those of the file to each top-level declaration.
function readFeatures({ options }: protobuf.ReflectionObject): Partial<Features> | undefined {
  const features: unknown = options?.['features']
  if (typeof features !== 'object' || features === null) return undefined
  return Object.fromEntries(
    Object.entries(features).filter(
      ([name, value]) => NAMES.has(name) && typeof value === 'string',
    ),
  )
}
