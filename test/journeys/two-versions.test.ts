/** Two packed versions on one database during an upgrade, and on the way back. */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  checkStore,
  checkThroughHttp,
  newLedger,
  registerTeam,
  startWriters,
  type Ledger,
} from '../faults/load.ts'
import { eventually } from '../eventually.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { onPlace } from '../operator.ts'
import { unpackPackages, type TwoPackages, type UnpackedPackage } from '../packages.ts'
import { createUnattendedStart, runProduct, startProduct, type ProductProcess } from '../process.ts'

const WRITERS = 4
const WRITES = 30
const NOTICED_WITHIN_MS = 5000
// Changes tables that every write uses.
const CHANGE = `
alter table data_product add column reviewed_at timestamptz;
alter table revision add column review text not null default 'none';
alter table event add column review text;
create index revision_review on revision (organization_id, review);
`

let packages: TwoPackages
before(async () => {
  packages = await unpackPackages()
})
after(() => packages.remove())

test('a migration that lets the older version write › both versions write at once, nothing is lost, and the older one starts again', async () => {
  await onPlace(async (place) => {
    const { older } = packages
    const start = createUnattendedStart(place)
    const newer = packages.newNewer({
      '9000_review.sql': `-- writable-by: ${older.version}\n${CHANGE}`,
    })
    const first = await open(older, start)
    await registerTeam(first.client)
    const ledger = newLedger(WRITERS)
    const firstWriters = startWriters(first.client, ledger)
    await firstWriters.acknowledged(WRITES)

    const migrated = await runProduct(start.environment, ['migrate'], { main: newer.main })
    assert.match(migrated.stdout, /^applied 9000_review\.sql\n/)
    assert.ok(migrated.stdout.includes(`version ${older.version} and newer go on writing`))
    const second = await open(newer, start)
    const secondLedger = newLedger(0)
    secondLedger.own = newLedger(WRITERS).own.map((own) => ({ ...own, id: `newer-${own.id}` }))
    const secondWriters = startWriters(second.client, secondLedger)
    await first.product.logged(({ msg }) => msg?.includes('goes on writing') === true)
    await Promise.all([firstWriters.acknowledged(WRITES), secondWriters.acknowledged(WRITES)])
    assert.equal((await first.client.send('GET', '/readyz?for=writes')).status, 200)
    await Promise.all([firstWriters.stop(), secondWriters.stop()])
    assertOnly([200, 503], ledger, secondLedger)
    await checkThroughHttp(second.client, ledger)
    await checkThroughHttp(first.client, secondLedger)
    await first.close()
    await second.close()

    const again = await open(older, start)
    await again.client.ok('PUT', '/api/teams/after', { body: { id: 'after', name: 'After' } })
    const backup = await runProduct(
      start.environment,
      ['backup', join(place.environment['PORTBOOK_DATA_DIR'] ?? '', 'backups')],
      { main: older.main },
    )
    assert.equal(backup.code, 1)
    assert.match(backup.stderr, /it has 9000_review\.sql; run this command with the version that/)
    await again.close()
    const verified = await runProduct(start.environment, ['verify'], { main: newer.main })
    assert.equal(verified.code, 0, verified.stdout)
    await checkStore(place, {
      ...ledger,
      acknowledged: new Map([...ledger.acknowledged, ...secondLedger.acknowledged]),
    })
  })
})

test('a migration without the line › the older version only reads, and does not start again', async () => {
  await onPlace(async (place) => {
    const { older } = packages
    const start = createUnattendedStart(place)
    const newer = packages.newNewer({
      '9000_review.sql': CHANGE,
      '9001_more.sql': `-- writable-by: ${older.version}\ncreate table more ();`,
    })
    const first = await open(older, start)
    await registerTeam(first.client)
    const ledger = newLedger(WRITERS)
    const writers = startWriters(first.client, ledger)
    await writers.acknowledged(WRITES)
    const migrated = await runProduct(start.environment, ['migrate'], { main: newer.main })
    assert.match(migrated.stdout, /older processes only read .* because of 9000_review\.sql\n/)
    const second = await open(newer, start)
    const isReadOnly = async (): Promise<boolean> =>
      (await first.client.send('PUT', '/api/teams/x', { body: { id: 'x', name: 'X' } })).status ===
      503
    await eventually(NOTICED_WITHIN_MS, isReadOnly, 'the older version rejects writes')
    await writers.stop()
    assertOnly([200, 503], ledger)
    const readiness = await first.client.send('GET', '/readyz')
    assert.equal(readiness.status, 503)
    assert.match(readiness.text, /schema_newer/)
    await checkThroughHttp(first.client, ledger)
    await second.client.ok('PUT', '/api/teams/x', { body: { id: 'x', name: 'X' } })
    await first.client.ok('GET', '/api/teams/x')
    await first.close()
    await second.close()
    const refused = await runProduct(start.environment, [], { main: older.main })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /newer than this program: it has 9000_review\.sql/)
    await checkStore(place, ledger)
  })
})

/** A serving process of a package, with a client. */
interface Opened {
  product: ProductProcess
  client: HttpClient
  close(): Promise<void>
}

async function open(
  { main }: UnpackedPackage,
  start: ReturnType<typeof createUnattendedStart>,
): Promise<Opened> {
  const product = await startProduct(start.environment, [], undefined, { main })
  const client = newHttpClient(product.url, start.key())
  return {
    product,
    client,
    async close() {
      client.close()
      await product.stop()
    },
  }
}

function assertOnly(statuses: readonly number[], ...ledgers: Ledger[]): void {
  for (const ledger of ledgers) {
    const others = [...ledger.statuses].filter(([status]) => !statuses.includes(status))
    assert.deepEqual(others, [])
  }
}
