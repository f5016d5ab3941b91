/** The product behind the protocol: PostgreSQL, possibly with an extension, or another product. */
export interface PostgresFlavour {
  name: string
  /** Advice before reading it; undefined if there is none. */
  hint?: string
  isSupported: boolean
}

const unsupportedHint =
  'This product only has PostgreSQL’s protocol and is not supported yet: parts will be missing.'

const products: readonly (readonly [RegExp, string])[] = [
  [/Redshift/i, 'Amazon Redshift'],
  [/CockroachDB/i, 'CockroachDB'],
  [/-YB-/, 'YugabyteDB'],
  [/Greenplum/i, 'Greenplum'],
]

/** Detects the flavour from the result of `version()` and the database's extensions. */
export function readFlavour(version: string, extensions: readonly string[]): PostgresFlavour {
  const product = products.find(([pattern]) => pattern.test(version))
  if (product !== undefined) return { name: product[1], hint: unsupportedHint, isSupported: false }
  if (extensions.includes('timescaledb')) {
    return {
      name: 'PostgreSQL with TimescaleDB',
      hint: 'Exclude the schemas _timescaledb_*, which hold the chunks of hypertables.',
      isSupported: true,
    }
  }
  return { name: 'PostgreSQL', isSupported: true }
}
