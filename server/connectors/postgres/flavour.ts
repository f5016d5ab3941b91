/** What says it is PostgreSQL, and is: nothing else, an extension, or another product altogether. */
export interface Flavour {
  name: string
  /** What to know before reading it; undefined when there is nothing. */
  hint?: string
  isServed: boolean
}

const notServed =
  'This product only speaks like PostgreSQL, and is not served yet: parts will be missing.'

const products: readonly (readonly [RegExp, string])[] = [
  [/Redshift/i, 'Amazon Redshift'],
  [/CockroachDB/i, 'CockroachDB'],
  [/-YB-/, 'YugabyteDB'],
  [/Greenplum/i, 'Greenplum'],
]

/** Tells the flavour from what `version()` says and which extensions the database has. */
export function readFlavour(version: string, extensions: readonly string[]): Flavour {
  const product = products.find(([pattern]) => pattern.test(version))
  if (product !== undefined) return { name: product[1], hint: notServed, isServed: false }
  if (extensions.includes('timescaledb')) {
    return {
      name: 'PostgreSQL with TimescaleDB',
      hint: 'Exclude the schemas _timescaledb_*, where the chunks of hypertables lie.',
      isServed: true,
    }
  }
  return { name: 'PostgreSQL', isServed: true }
}
