import type { Batch } from '../connector.ts'
import { COCKROACHDB } from './cockroachdb.ts'
import type { PostgresConnection } from './connection.ts'
import type { FlatDialect } from './flat-dialect.ts'
import { REDSHIFT } from './redshift.ts'

/** The product behind the protocol: PostgreSQL, possibly with an extension, or another product. */
export interface PostgresFlavour {
  name: string
  /** The prefix of its assets' types; undefined = the connector's name. */
  platform?: string
  /** Its own statements; undefined = those for PostgreSQL. */
  dialect?: FlatDialect
  /** Advice before reading it; undefined if there is none. */
  hint?: string
  isSupported: boolean
}

const UNSUPPORTED_HINT =
  'This product only has PostgreSQL’s protocol and is not supported yet: parts will be missing.'
const UNTESTED_HINT = 'It is read like the PostgreSQL that it is based on, which is not tested.'

const PRODUCTS: readonly (readonly [RegExp, PostgresFlavour])[] = [
  [
    /Redshift/i,
    { name: 'Amazon Redshift', platform: 'redshift', dialect: REDSHIFT, isSupported: true },
  ],
  [
    /CockroachDB/i,
    { name: 'CockroachDB', platform: 'cockroachdb', dialect: COCKROACHDB, isSupported: true },
  ],
  [/-YB-/, { name: 'YugabyteDB', platform: 'yugabytedb', hint: UNTESTED_HINT, isSupported: true }],
  [/Greenplum/i, { name: 'Greenplum', hint: UNSUPPORTED_HINT, isSupported: false }],
]

/** Detects the flavour from the result of `version()`. */
export function readFlavour(version: string): PostgresFlavour {
  const product = PRODUCTS.find(([pattern]) => pattern.test(version))
  return product?.[1] ?? { name: 'PostgreSQL', isSupported: true }
}

/** Requests the version, with a statement of every product. Errors: SourceFailure. */
export async function askVersion(connection: PostgresConnection): Promise<string> {
  try {
    const [row] = await connection.query<[string]>('ask version', 'select version()')
    return row?.[0] ?? ''
  } catch (error) {
    await connection.close()
    throw connection.failure(error)
  }
}

/** Sets the platform of the assets that have none. */
export async function* setPlatform(
  batches: AsyncIterable<Batch>,
  platform: string,
): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    yield { ...batch, assets: batch.assets.map((asset) => ({ platform, ...asset })) }
  }
}
