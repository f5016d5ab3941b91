import { sql } from 'kysely'
import pino from 'pino'
import { readConfig } from '../server/platform/config.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import type { Database } from '../server/platform/tables.ts'
import { settleDueTrust } from '../server/reality/trust/settle-service.ts'
import { listTrust } from '../server/reality/trust/service.ts'
import { openPools, openStore } from '../server/store.ts'
import { createFilled } from '../test/large-store/fill.ts'
import type { Figure, Row } from './figure.ts'
import { toSpread } from './rounds.ts'
import type { ServerKind, Stage } from './stage.ts'

const NAME = 'reality-trust'
const PRODUCTS_COUNT = 5000
const READ_COUNT = 100
const REPEATED = 50
const INDEX_READS_MAX = 3

/** The signals of the data products of a page, against the read of an index entry each. */
export const realityTrust: Figure = {
  name: NAME,
  title: `Trust of ${READ_COUNT} data products of ${PRODUCTS_COUNT.toLocaleString('en')}, against one index read each`,
  async *measure(stage) {
    for (const kind of stage.serverKinds) yield await measureOn(stage, kind)
  },
}

async function measureOn(stage: Stage, kind: ServerKind): Promise<Row> {
  const { environment } = await stage.newPlace(kind)
  const log = pino({ level: 'silent' })
  const store = await openStore(readConfig(environment), log, 'command')
  const pools = openPools(store, log, 1)
  try {
    const { organizationId } = await createFilled(store)
    const db = pools.bulkDb
    await fill(db, organizationId)
    const ratios: number[] = []
    for (let round = 0; round < stage.effort.rounds; round += 1) {
      const limit = await measure((at) => readIndex(db, organizationId, at))
      ratios.push((await measure((at) => readTrust(db, organizationId, at))) / limit)
    }
    return {
      figure: NAME,
      server: kind,
      subject: 'with time applied',
      limit: 'one statement that reads the index',
      result: toSpread(ratios),
      unit: 'times',
      goal: INDEX_READS_MAX,
      measured: ratios,
    }
  } finally {
    await pools.close()
    await store.close()
  }
}

// Products with one port, whose signals the upkeep settles.
async function fill(db: Database, organizationId: string): Promise<void> {
  await sql`
    insert into search_document (
      organization_id, kind, external_id, name, name_key, id_key, standing, tags, columns, ports, words,
      updated_at, output_ports
    )
    select ${organizationId}::uuid, 'data-product', 'trusted-' || number, 'Trusted ' || number,
      'trusted ' || number, 'trusted' || number, 0, '{}', '', 'orders', to_tsvector('trusted'),
      clock_timestamp(), '[{"name": "orders", "names": ["orders"], "contract": null, "status": null}]'
    from generate_series(1, ${PRODUCTS_COUNT}) as number
  `.execute(db)
  await sql`
    insert into trust_state (
      organization_id, kind, subject, tests, freshness, drift, standing, reasons, next_due_at, updated_at
    )
    select organization_id, kind, external_id, 1, 1, 1, 1, '{}', clock_timestamp(), clock_timestamp()
    from search_document
    where organization_id = ${organizationId}
      and external_id like 'trusted-%'
  `.execute(db)
  await settleDueTrust(db, storeClock)
  await sql`analyze search_document, trust_state`.execute(db)
}

async function measure(read: (at: number) => Promise<number>): Promise<number> {
  const startedAtMs = performance.now()
  for (let at = 0; at < REPEATED; at += 1) {
    const count = await read(at)
    if (count !== READ_COUNT) throw new Error(`${count} of ${READ_COUNT} data products`)
  }
  return performance.now() - startedAtMs
}

function listIds(at: number): string[] {
  return Array.from({ length: READ_COUNT }, (_, n) => `trusted-${at * READ_COUNT + n + 1}`)
}

async function readTrust(db: Database, organizationId: string, at: number): Promise<number> {
  const services = { db, clock: storeClock, baseUrl: 'https://portbook.example' }
  const requested = { products: listIds(at), contracts: [], assets: [], ports: [] }
  return (await listTrust(services, organizationId, requested)).length
}

async function readIndex(db: Database, organizationId: string, at: number): Promise<number> {
  const { rows } = await sql`
    select entry.*
    from unnest(${listIds(at)}::text[]) as given (id)
    cross join lateral (
      select external_id, name, standing, readers, output_ports
      from search_document
      where organization_id = ${organizationId}
        and kind = 'data-product'
        and external_id = given.id
      limit 1
    ) as entry
  `.execute(db)
  return rows.length
}
