/** Decisions about promises without an asset, as rows: what the last good run of a source proves; and hostile names. */

import { HIDING_SOURCES } from '../server/reality/links/platform-assets.ts'
import { at, HERE, LINKED, orders, OURS, SCOPE, source, THERE, type LinkRow } from './link-rows.ts'
import type { TestSource } from './link-world.ts'

const run = (state: string, more = {}): TestSource =>
  source({ run: { scopes: { [SCOPE]: state }, ...more } })

// What the last good run proves about a promise at an equal address.
const EVIDENCE: LinkRow[] = [
  ['read completely', 'not_found source:read scope:read', at({ address: HERE }, [run('complete')])],
  [
    'read in another case of letters',
    'not_found source:read scope:read',
    at({ address: HERE }, [source({ run: { scopes: { '["DB","PUBLIC"]': 'complete' } } })]),
  ],
  ['denied', 'not_read source:denied scope:denied', at({ address: HERE }, [run('denied')])],
  ['failed', 'not_read source:denied scope:denied', at({ address: HERE }, [run('failed')])],
  ['missing', 'not_read source:denied scope:denied', at({ address: HERE }, [run('missing')])],
  ['filtered', 'not_read source:filtered scope:filtered', at({ address: HERE }, [run('skipped')])],
  [
    '13 days ago',
    'not_found source:read scope:read',
    at({ address: HERE }, [run('complete', { daysAgo: 13 })]),
  ],
  [
    '15 days ago',
    'not_read source:old scope:old',
    at({ address: HERE }, [run('complete', { daysAgo: 15 })]),
  ],
  [
    'never',
    'not_read source:never_read scope:never_read',
    at({ address: HERE }, [{ name: 'source', addresses: [HERE] }]),
  ],
  [
    'another database',
    'no_source source:not_listed scope:not_listed',
    at({ address: HERE }, [source({ run: { scopes: { '["other","public"]': 'complete' } } })]),
  ],
  [
    'a database without the schema',
    'not_found source:read scope:read',
    at({ address: HERE }, [source({ run: { scopes: { '["db"]': 'complete' } } })]),
  ],
  [
    'a denied database',
    'not_read source:denied scope:denied',
    at({ address: HERE }, [source({ run: { scopes: { '["db"]': 'denied' } } })]),
  ],
  [
    'a denied schema of a complete database',
    'not_read source:denied scope:denied',
    at({ address: HERE }, [
      source({ run: { scopes: { '["db"]': 'complete', [SCOPE]: 'denied' } } }),
    ]),
  ],
  ['at another address', 'no_source source:none', at({ address: THERE }, [run('complete')])],
  [
    'of another platform',
    'no_source source:none',
    at({ address: HERE }, [source({ platform: 'mysql' })]),
  ],
  [
    'by one of two sources at the address',
    'not_found source:read scope:read',
    at({ address: HERE }, [
      run('complete'),
      source({ name: 'twin', run: { scopes: { [SCOPE]: 'denied' } } }),
    ]),
  ],
  ['at an unknown address', 'not_found source:read scope:read', at({}, [run('complete')])],
  [
    'at an unknown address, another database',
    'no_source source:none',
    at({}, [source({ run: { scopes: { '["other","public"]': 'complete' } } })]),
  ],
  [
    'at an unknown address, only by one of two sources',
    'not_read source:denied scope:denied',
    at({}, [run('complete'), source({ name: 'twin', run: { scopes: { [SCOPE]: 'denied' } } })]),
  ],
  ...HIDING_SOURCES.flatMap((platform): LinkRow[] => [
    [
      `${platform} may hide a table that it never showed`,
      'not_read source:hidden scope:hidden',
      at({ address: HERE, platform }, [source({ platform })]),
    ],
    [
      `${platform} proved that a table is gone`,
      'not_found source:read scope:read',
      at(
        { address: HERE, platform },
        [source({ platform })],
        [orders({ isDeleted: true, type: `${platform}_table`, ...OURS })],
      ),
    ],
  ]),
  [
    'a deleted table of another source proves nothing about a hidden one',
    'not_read source:hidden scope:hidden',
    at(
      { address: HERE, platform: 'snowflake' },
      [
        source({ platform: 'snowflake' }),
        source({ name: 'twin', platform: 'snowflake', addresses: [THERE] }),
      ],
      [orders({ isDeleted: true, source: 'twin' })],
    ),
  ],
  [
    'BigQuery needs no address',
    'not_found source:read scope:read',
    at({ platform: 'bigquery' }, [source({ platform: 'bigquery', addresses: [] })]),
  ],
  [
    'BigQuery, another project',
    'no_source source:not_listed scope:not_listed',
    at({ platform: 'bigquery' }, [
      source({
        platform: 'bigquery',
        addresses: [],
        run: { scopes: { '["other","x"]': 'complete' } },
      }),
    ]),
  ],
]

const filters = (include: string[], exclude: string[]): object => ({
  include: include.length === 0 ? {} : { table: include },
  exclude: exclude.length === 0 ? {} : { table: exclude },
})

const FILTERS: readonly (readonly [include: string[], exclude: string[], isRead: boolean])[] = [
  [['ord*'], [], true],
  [['ORD*'], [], true],
  [['other*'], [], false],
  [[], ['ord*'], false],
  [[], ['other'], true],
  [['orders'], ['ord*'], true],
  [['order_'], [], false],
  [['order?'], [], true],
  [[String.raw`order\s`], [], false],
  [[], ['%'], true],
  [['*'], ['*s'], false],
]

const FILTER_ROWS: LinkRow[] = FILTERS.map(([include, exclude, isRead]) => [
  `tables ${JSON.stringify(include)} without ${JSON.stringify(exclude)}`,
  isRead ? 'not_found source:read scope:read' : 'not_read source:filtered scope:filtered',
  at({ address: HERE }, [source({ filters: filters(include, exclude) })]),
])

const VIEWS: LinkRow[] = [
  [
    'a source without views, a promise that may be a view',
    'not_read source:filtered scope:filtered',
    at({ address: HERE }, [source({ isWithoutViews: true })]),
  ],
  [
    'a source without views, a promised table',
    'not_found source:read scope:read',
    at({ address: HERE, kind: 'table' }, [source({ isWithoutViews: true })]),
  ],
]

const HOSTILE = [
  `Robert'); drop table asset; --`,
  '"quoted"',
  String.raw`back\slash`,
  'a.b.c',
  'dollar $1',
  'percent %_',
  '\u2028line',
  '😀 emoji',
  '__proto__',
  '["db","public"]',
  ' ',
]

const HOSTILE_ROWS: LinkRow[] = HOSTILE.map((name) => [
  `the name ${JSON.stringify(name)}`,
  `${LINKED} address:equal`,
  at(
    { path: [name, name, name], address: HERE },
    [source()],
    [
      orders({ path: [name, name, name], ...OURS }),
      orders({ id: 'other', path: [name, name, `${name}x`], ...OURS }),
    ],
  ),
])

/** The rows. */
export const EVIDENCE_ROWS: readonly LinkRow[] = [
  ...EVIDENCE,
  ...FILTER_ROWS,
  ...VIEWS,
  ...HOSTILE_ROWS,
]
