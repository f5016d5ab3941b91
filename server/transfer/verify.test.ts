import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fillStore, type FullStore } from '../../test/full-store.ts'
import { openTestStore } from '../../test/stores.ts'
import { dcs, expectOk } from '../../test/world.ts'
import type { Store } from '../store.ts'
import { verifyStore } from './verify.ts'

let store: Store
let full: FullStore

before(async () => {
  store = await openTestStore()
  full = await fillStore(store)
})

after(async () => store.close())

async function run(statement: string): Promise<void> {
  await store.pool.query(statement)
}

async function listFindings(): Promise<string[]> {
  const results = await verifyStore(store.db)
  for (const { count, findings } of results) assert.equal(count, findings.length)
  const name = full.ingestion.organizationId
  return results.flatMap(({ rule, findings }) =>
    findings.map((one) => `${rule}: ${one.replace(/ \(organization .*?\)/, '').replace(name, '')}`),
  )
}

/** A manipulation of the database with SQL, the statement that undoes it, and the findings in between. */
interface Tampering {
  name: string
  change: string
  undo: string
  findings: RegExp[]
}

const COLUMNS = 'names, owners, members, roles and digests are those of the documents'
const ENTRIES = 'every entry of the search index matches its document'
const HISTORY = 'every current document is the last version of its history'

/** Returns a tampering that sets a column of one row. */
function setting(
  table: string,
  where: string,
  column: string,
  value: string,
  ...findings: RegExp[]
): Tampering {
  const copy = `tampered_${table}_${column}`.slice(0, 60)
  return {
    name: `${table}.${column} of ${where}`,
    change: `create table ${copy} as select ${column} from ${table} where ${where};
      update ${table} set ${column} = ${value} where ${where}`,
    undo: `update ${table} set ${column} = (select ${column} from ${copy}) where ${where};
      drop table ${copy}`,
    findings,
  }
}

const PRODUCT = `external_id = 'kept'`
const CONTRACT = `external_id = 'promise'`
const TEAM = `external_id = 'd'`
const MADE = `external_id = 'made'`
const DC = `kind = 'data-contract' and external_id = 'promise'`
const anotherTeam = (id: string): string =>
  `(select id from team where team.external_id = '${id}' and team.organization_id = data_product.organization_id)`

const EVENT = `product_id = 'kept'`
const RESULT = `external_id = 'tested'`

const TAMPERINGS: readonly Tampering[] = [
  setting('lineage_event', EVENT, 'run_id', `'other'`, /lineage event .*: its run_id is not that/),
  setting(
    'test_result',
    RESULT,
    'result',
    `'passed'`,
    /test result "tested": its result is not that/,
  ),
  setting('test_result', RESULT, 'server', 'null', /test result "tested": its server is not that/),
  setting('lineage_event', EVENT, 'job_name', 'null', /lineage event .*: its job_name is not that/),
  setting(
    'usage_day',
    `data_product_id = 'kept'`,
    'query_count',
    '7',
    /^every day of usage counts its stored spans: data product "kept" on [-\d]+: 7 queries with 5 rows are counted instead of 1 with 5$/,
    /^every month of usage counts its days: data product "kept" in the month from [-\d]+: 1 queries with 5 rows are counted instead of 7 with 5$/,
  ),
  setting(
    'usage_month',
    `data_product_id = 'kept'`,
    'row_count',
    '4',
    /^every month of usage counts its days: data product "kept" in the month from [-\d]+: 1 queries with 4 rows are counted instead of 1 with 5$/,
  ),
  setting(
    'team',
    TEAM,
    'member_roles',
    `array['Owner', 'Owner']`,
    new RegExp(
      `^${COLUMNS}: team "d": member_roles is \\["Owner","Owner"\\], but the document has`,
    ),
  ),
  setting(
    'directory_mapping',
    'position = 1',
    'role',
    `'Owner'`,
    /^the roles of groups are those of the mapping: mapping 1 has another row/,
  ),
  setting(
    'directory_group',
    'true',
    'display_name_key',
    `'grösse'`,
    /^the keys of groups are those of their names: the key "grösse"/,
  ),
  setting(
    'team',
    TEAM,
    'member_emails',
    `array['eve@x.example', 'jo@velmora.example']`,
    /team "d": member_emails/,
  ),
  setting(
    'team',
    `external_id = 'b'`,
    'parent_id',
    'null',
    /team "b": parent is null, but the document has "c"/,
  ),
  setting('team', TEAM, 'name', `'E'`, /team "d": name/),
  setting(
    'data_product',
    PRODUCT,
    'owner_team_id',
    anotherTeam('b'),
    /data product "kept": owner is "b"/,
    new RegExp(`${ENTRIES}: data product "kept": owner_team_id`),
    new RegExp(`${ENTRIES}: data product "kept": words`),
    /agreement ".*" belongs to team "a", and data product "kept" to team "b"/,
  ),
  setting('data_product', PRODUCT, 'status', `'retired'`, /data product "kept": status/),
  setting('data_product', PRODUCT, 'format', `'dps'`, /data product "kept": format/),
  setting('data_product', `external_id = 'user'`, 'assets', `'{}'`, /data product "user": assets/),
  setting(
    'data_product',
    PRODUCT,
    'document',
    `replace(document, 'Rail', 'Sail')`,
    new RegExp(`^${HISTORY}: data product "kept": its text is not that of version 2`),
    /domain/,
    /digest/,
    /domain|words/,
    /domain|words/,
  ),
  setting(
    'data_contract',
    `external_id = 'yaml'`,
    'document_json',
    `'{}'`,
    /data contract "yaml": document_json/,
  ),
  setting(
    'data_contract',
    CONTRACT,
    'digest',
    `'x'`,
    new RegExp(`^${HISTORY}: data contract "promise": its digest`),
    /data contract "promise": digest/,
  ),
  setting(
    'data_contract',
    CONTRACT,
    'contract_version',
    `'9'`,
    /data contract "promise": contract_version/,
  ),
  setting('asset', MADE, 'owner', `'b'`, /asset "made": owner is "b"/, /owner_team_id/, /words/),
  setting(
    'asset',
    `path like '%orders_2026%'`,
    'name',
    `'x'`,
    /name is "x", but the document has "orders_2026"/,
  ),
  setting(
    'revision',
    `${DC} and version = 1`,
    'document',
    `replace(document, 'Contract promise', 'Changed')`,
    /^every earlier version matches its digest: data contract "promise": version 1$/,
  ),
  setting(
    'revision',
    `${DC} and version = 1`,
    'digest',
    `'x'`,
    /data contract "promise": version 1$/,
  ),
  setting(
    'revision',
    `kind = 'asset' and format = 'ingested' and version = 1 and facts->>'path' like '%"sales","orders"%'`,
    'document',
    `replace(document, 'All orders', 'No orders')`,
    /^every earlier version .*: asset ".*": version 1$/,
  ),
  setting(
    'revision',
    `${DC} and version = 2`,
    'valid_from',
    `valid_from - interval '1 day'`,
    /version 2 does not begin after version 1/,
  ),
  setting(
    'revision',
    `${DC} and version = 2`,
    'deleted_at',
    'now()',
    /version 2 is marked as deleted/,
    /the event of the deletion of version 2 is missing/,
  ),
  setting(
    'search_document',
    DC,
    'name',
    `'x'`,
    new RegExp(`^${ENTRIES}: data contract "promise": name is "x"`),
  ),
  setting(
    'search_document',
    DC,
    'words',
    `''`,
    new RegExp(`^${ENTRIES}: data contract "promise": words`),
  ),
  setting(
    'search_document',
    `kind = 'asset' and name = 'orders_2026'`,
    'description',
    `'x'`,
    new RegExp(`^${ENTRIES}: asset ".*": description is "x"`),
  ),
  setting(
    'asset_annotation',
    'true',
    'lexemes',
    `'{}'`,
    new RegExp(`^${ENTRIES}: asset ".*": annotation`),
  ),
  setting(
    'organization',
    `(select count(*) from api_key where organization_id = organization.id) > 5`,
    'api_key_count',
    '3',
    /^API keys are counted: its count of API keys is 3 instead of 9/,
  ),
  setting(
    'credential',
    'true',
    'key_id',
    `'00000000'`,
    /^every credential is sealed .*: integration ".*": its password is sealed with the key 00000000/,
  ),
  {
    name: 'a version is deleted',
    change: `create table cut_out as select * from revision where ${DC} and version = 1;
      delete from revision where ${DC} and version = 1`,
    undo: `insert into revision select * from cut_out; drop table cut_out`,
    findings: [
      /version 1 is missing/,
      /every event belongs to a version: data contract "promise": event .* is of version 1/,
    ],
  },
  {
    name: 'an event is deleted',
    change: `create table cut_event as select * from event where subject = 'promise' and version = 2;
      delete from event where subject = 'promise' and version = 2`,
    undo: `insert into event overriding system value select * from cut_event; drop table cut_event`,
    findings: [/data contract "promise": the event of version 2 is missing/],
  },
  {
    name: 'events are swapped',
    change: `update event set transaction_id = (transaction_id::text::bigint + case version when 1 then 1 else -1 end * 1000000 * 1)::text::xid8
      where subject = 'promise' and version = 1`,
    undo: `update event set transaction_id = (transaction_id::text::bigint - 1000000)::text::xid8
      where subject = 'promise' and version = 1`,
    findings: [
      /^the events of a document are in the order of its versions: data contract "promise": event .* comes after/,
    ],
  },
  {
    name: 'entries are deleted from and added to the index',
    change: `create table cut_entry as select * from search_document where ${DC};
      update search_document set external_id = 'nothing' where ${DC}`,
    undo: `update search_document set external_id = 'promise' where external_id = 'nothing';
      drop table cut_entry`,
    findings: [
      /data contract "nothing": it is in the index, but does not exist/,
      /data contract "promise": it is not in the index/,
    ],
  },
]

describe('verify', () => {
  test('finds nothing in a database that only Portbook has written', async () => {
    assert.deepEqual(await listFindings(), [])
  })

  for (const { name, change, undo, findings } of TAMPERINGS) {
    test(`finds a change by SQL: ${name}`, async () => {
      await run(change)
      const actual = await listFindings()
      await run(undo)
      assert.equal(actual.length, findings.length, actual.join('\n'))
      for (const [at, pattern] of findings.entries()) assert.match(actual[at] ?? '', pattern)
    })
  }

  test('finds nothing once every change is undone', async () => {
    assert.deepEqual(await listFindings(), [])
  })

  test('shows the first of many findings, and counts all', async () => {
    const { world } = full
    const ids = Array.from({ length: 25 }, (_, at) => `many-${at}`)
    for (const id of ids) {
      await expectOk(world.as('O', 'PUT', `/api/datacontracts/${id}`, { body: dcs(id) }))
    }
    await run(`update data_contract set status = 'x' where external_id like 'many-%'`)
    const [result] = (await verifyStore(store.db)).filter(({ count }) => count > 0)
    assert.deepEqual([result?.count, result?.findings.length], [25, 20])
    assert.match(result?.repair ?? '', /Restore a backup/)
  })
})
