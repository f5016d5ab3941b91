/** Decisions about links, as rows: by place, platform, choice and port. */

import type { LinkWorld, TestAsset, TestSource } from './link-world.ts'

export const HERE = 'db.example:5432'
export const THERE = 'other.example:5432'
const PATH = ['db', 'public', 'orders']
export const SCOPE = '["db","public"]'
export const LINKED = 'linked orders location path:equal'

export const orders = (more: Partial<TestAsset> = {}): TestAsset => ({
  id: 'orders',
  path: PATH,
  ...more,
})
export const source = (more: Partial<TestSource> = {}): TestSource => ({
  name: 'source',
  addresses: [HERE],
  run: { scopes: { [SCOPE]: 'complete' } },
  ...more,
})
export const OURS = { source: 'source' }

/** A name, `state asset origin candidates rules` as far as they have values, and the world. */
export type LinkRow = readonly [name: string, expected: string, world: LinkWorld]

/** Returns a world of one promise with an address or another member, sources and assets. */
export function at(
  promise: LinkWorld['promises'][number],
  sources: readonly TestSource[] = [],
  assets: readonly TestAsset[] = [],
  more: Partial<LinkWorld> = {},
): LinkWorld {
  return { promises: [promise], sources, assets, ...more }
}

const PLACES: LinkRow[] = [
  ['equal address', `${LINKED} address:equal`, at({ address: HERE }, [source()], [orders(OURS)])],
  ['no address in the contract', `${LINKED} address:unknown`, at({}, [source()], [orders(OURS)])],
  [
    'no address of the source',
    `${LINKED} address:unknown`,
    at({ address: HERE }, [source({ addresses: [] })], [orders(OURS)]),
  ],
  ['an asset of a client', `${LINKED} address:unknown`, at({ address: HERE }, [], [orders()])],
  [
    'another address',
    'other_address orders address:different',
    at({ address: THERE }, [source()], [orders(OURS)]),
  ],
  [
    'one of several addresses',
    `${LINKED} address:equal`,
    at({ address: THERE }, [source({ addresses: [HERE, THERE] })], [orders(OURS)]),
  ],
  [
    'one of several brokers',
    'linked orders location path:equal address:equal',
    at(
      { platform: 'kafka', path: ['orders'], address: 'a:9092,b:9092' },
      [source({ platform: 'kafka', addresses: ['b:9092'] })],
      [orders({ path: ['orders'], type: 'kafka_topic', ...OURS })],
    ),
  ],
  [
    'an equal address before an unknown one',
    `${LINKED} address:equal`,
    at({ address: HERE }, [source()], [orders({ ...OURS }), orders({ id: 'copy' })]),
  ],
  [
    'an equal address before a different one',
    `${LINKED} address:equal`,
    at(
      { address: HERE },
      [source(), source({ name: 'staging', addresses: [THERE] })],
      [orders(OURS), orders({ id: 'copy', source: 'staging' })],
    ),
  ],
  [
    'an unknown address before a different one',
    `${LINKED} address:unknown`,
    at(
      { address: HERE },
      [source({ name: 'staging', addresses: [THERE] })],
      [orders(), orders({ id: 'copy', source: 'staging' })],
    ),
  ],
  [
    'an equal address in another spelling before an unknown one as written',
    'linked upper location path:any_case address:equal',
    at(
      { address: HERE },
      [source()],
      [orders({ id: 'upper', path: ['DB', 'PUBLIC', 'ORDERS'], ...OURS }), orders()],
    ),
  ],
  [
    'two at an equal address',
    'ambiguous orders second path:several',
    at(
      { address: HERE },
      [source(), source({ name: 'twin' })],
      [orders(OURS), orders({ id: 'second', source: 'twin' })],
    ),
  ],
  [
    'two at unknown addresses',
    'ambiguous orders second path:several',
    at({}, [], [orders(), orders({ id: 'second' })]),
  ],
  [
    'another case of letters',
    'linked upper location path:any_case address:unknown',
    at({}, [], [orders({ id: 'upper', path: ['DB', 'Public', 'ORDERS'] })]),
  ],
  [
    'the exact spelling before another case',
    `${LINKED} address:unknown`,
    at({}, [], [orders(), orders({ id: 'upper', path: ['DB', 'PUBLIC', 'ORDERS'] })]),
  ],
  [
    'two in other cases',
    'ambiguous lower upper path:several',
    at(
      { path: ['db', 'public', 'Orders'] },
      [],
      [orders({ id: 'lower' }), orders({ id: 'upper', path: ['DB', 'PUBLIC', 'ORDERS'] })],
    ),
  ],
  [
    'letters outside of ASCII keep their case',
    'no_source source:none',
    at({ path: ['db', 'public', 'größe'] }, [], [orders({ path: ['db', 'public', 'GRÖßE'] })]),
  ],
  [
    'a similar name',
    'no_source source:none',
    at({}, [], [orders({ path: ['db', 'public', 'orders2'] })]),
  ],
  ['a part more', 'no_source source:none', at({}, [], [orders({ path: ['x', ...PATH] })])],
  ['a part less', 'no_source source:none', at({}, [], [orders({ path: PATH.slice(1) })])],
  [
    'a dot in a part is no separator',
    'no_source source:none',
    at({}, [], [orders({ path: ['db', 'public.orders'] })]),
  ],
  ['a deleted asset', 'no_source source:none', at({}, [], [orders({ isDeleted: true })])],
  [
    'an asset of another platform',
    'no_source source:none',
    at({}, [], [orders({ platform: 'mysql', type: 'mysql_table' })]),
  ],
  [
    'a schema with the name of the table',
    'no_source source:none',
    at({}, [], [orders({ type: 'postgres_schema' })]),
  ],
]

// The assets that servers of a platform can have.
const PLATFORMS: readonly (readonly [
  platform: string,
  source: string,
  type: string,
  fits: boolean,
])[] = [
  ['postgres', 'postgres', 'postgres_table', true],
  ['postgres', 'Postgres', 'postgres_view', true],
  ['postgres', 'postgres', 'cockroachdb_table', true],
  ['postgres', 'postgres', 'redshift_table', false],
  ['redshift', 'postgres', 'redshift_table', true],
  ['redshift', 'postgres', 'postgres_table', false],
  ['mysql', 'mysql', 'mysql_table', true],
  ['mysql', 'mariadb', 'mariadb_view', true],
  ['mysql', 'postgres', 'postgres_table', false],
  ['sqlserver', 'mssql', 'mssql_table', true],
  ['sqlserver', 'fabric', 'fabric_table', true],
  ['sqlserver', 'snowflake', 'snowflake_table', false],
  ['snowflake', 'snowflake', 'snowflake_table', true],
  ['bigquery', 'bigquery', 'bigquery_table', true],
  ['databricks', 'databricks', 'databricks_table', true],
  ['databricks', 'unity', 'unity_table', true],
  ['glue', 'glue', 'glue_table', true],
  ['glue', 'databricks', 'databricks_table', false],
  ['iceberg', 'iceberg', 'iceberg_table', true],
  ['kafka', 'confluent', 'kafka_topic', true],
  ['kafka', 'postgres', 'postgres_table', false],
  ['oracle', 'oracle', 'oracle_table', true],
  ['oracle', 'Oracle', 'oracle_table', true],
  ['oracle', 'db2', 'db2_table', false],
  ['postgres', 'postgres', 'postgres_database', false],
  ['databricks', 'unity', 'unity_catalog', false],
]

const PLATFORM_ROWS: LinkRow[] = PLATFORMS.map(([platform, from, type, fits]) => [
  `${platform} ${fits ? 'has' : 'has no'} asset ${type} of ${from}`,
  fits ? `${LINKED} address:unknown` : 'no_source source:none',
  at({ platform }, [], [orders({ platform: from, type })]),
])

const LOCATION_ROWS: LinkRow[] = ['s3', 'azure', 'sftp', 'local', 'kinesis', 'pubsub'].map(
  (platform) => [
    `${platform} offers what has the same location, and links nothing`,
    'ambiguous orders path:candidate_only',
    at(
      { platform, path: ['s3://bucket/orders'] },
      [],
      [orders({ path: ['s3://bucket/orders'], platform: 'files', type: 'file' })],
    ),
  ],
)

const UNPLACED: LinkRow[] = [
  ['a variable', 'unplaced server:unplaced', at({ path: null })],
  ['an API', 'not_applicable server:not_applicable', at({ path: null, platform: null })],
]

const CHOICES: LinkRow[] = [
  [
    'a choice before the place',
    'linked second hand choice:chosen',
    at({}, [], [orders(), orders({ id: 'second', path: ['x'] })], {
      choices: [{ asset: 'second' }],
    }),
  ],
  [
    'an exclusion',
    'excluded hand choice:excluded',
    at({}, [], [orders()], { choices: [{ asset: null }] }),
  ],
  [
    'a choice that is gone',
    'not_found hand choice:gone',
    at({}, [], [orders()], { choices: [{ asset: 'second' }] }),
  ],
  [
    'a choice that was deleted',
    'not_found hand choice:gone',
    at({}, [], [orders({ isDeleted: true })], { choices: [{ asset: 'orders' }] }),
  ],
  [
    'a choice for an API',
    'linked orders hand choice:chosen',
    at({ path: null, platform: null }, [], [orders()], { choices: [{ asset: 'orders' }] }),
  ],
  [
    'a choice of another model',
    `${LINKED} address:unknown`,
    at({}, [], [orders()], { choices: [{ asset: null, model: 'other' }] }),
  ],
  [
    'a choice for another server',
    `${LINKED} address:unknown`,
    at({}, [], [orders()], { choices: [{ asset: null, server: 'test' }] }),
  ],
  [
    'a choice before a port',
    'linked second hand choice:chosen',
    at({}, [], [orders(), orders({ id: 'second', path: ['x'] })], {
      choices: [{ asset: 'second' }],
      named: [{ asset: 'orders' }],
    }),
  ],
]

const elsewhere = orders({ id: 'named', path: ['else', 'where', 'ORDERS'] })
const PORTS: LinkRow[] = [
  [
    'a named asset before the place',
    'linked named port port:named',
    at({}, [], [orders(), elsewhere], { named: [{ asset: 'named' }] }),
  ],
  [
    'a named asset for a server without a place',
    'linked named port port:named',
    at({ path: null, isProduction: false }, [], [elsewhere], { named: [{ asset: 'named' }] }),
  ],
  [
    'a named asset of another place for a server of tests',
    `${LINKED} address:unknown`,
    at({ isProduction: false }, [], [orders(), elsewhere], { named: [{ asset: 'named' }] }),
  ],
  [
    'a named asset at the place of a server of tests',
    'linked orders port port:named',
    at({ isProduction: false }, [], [orders()], { named: [{ asset: 'orders' }] }),
  ],
  [
    'a named asset with another name',
    'no_source source:none',
    at({}, [], [orders({ path: ['x', 'y', 'z'] })], { named: [{ asset: 'orders' }] }),
  ],
  [
    'a named asset of another contract',
    'no_source source:none',
    at({}, [], [elsewhere], { named: [{ asset: 'named', contract: 'other' }] }),
  ],
  [
    'a named asset of another platform',
    'no_source source:none',
    at({}, [], [{ ...elsewhere, platform: 'mysql' }], { named: [{ asset: 'named' }] }),
  ],
  [
    'a named asset that is gone',
    `${LINKED} address:unknown`,
    at({}, [], [orders(), { ...elsewhere, isDeleted: true }], { named: [{ asset: 'named' }] }),
  ],
  [
    'a named asset that does not exist',
    `${LINKED} address:unknown`,
    at({}, [], [orders()], { named: [{ asset: 'unknown' }] }),
  ],
  [
    'two named assets with the name, one at the place',
    'linked orders port port:named',
    at({}, [], [orders(), elsewhere], { named: [{ asset: 'named' }, { asset: 'orders' }] }),
  ],
  [
    'two named assets with the name elsewhere',
    `${LINKED} address:unknown`,
    at({}, [], [orders(), elsewhere, { ...elsewhere, id: 'twin', path: ['a', 'b', 'orders'] }], {
      named: [{ asset: 'named' }, { asset: 'twin' }],
    }),
  ],
  [
    'an asset that two products name',
    'linked named port port:named',
    at({}, [], [elsewhere], { named: [{ asset: 'named' }, { asset: 'named', product: 'second' }] }),
  ],
  [
    'a named asset for an API',
    'not_applicable server:not_applicable',
    at({ path: null, platform: null }, [], [elsewhere], { named: [{ asset: 'named' }] }),
  ],
]

/** The rows. */
export const LINK_ROWS: readonly LinkRow[] = [
  ...PLACES,
  ...PLATFORM_ROWS,
  ...LOCATION_ROWS,
  ...UNPLACED,
  ...CHOICES,
  ...PORTS,
]
