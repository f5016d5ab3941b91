import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { openPlace } from './database-place.ts'
import { OWNER_TEAM } from './documents.ts'
import type { Figure, Row } from './figure.ts'
import type { LoadResult } from './load.ts'
import { toReaderRow, type ReaderRound } from './reader-row.ts'
import { toSpread } from './rounds.ts'
import type { RunningServer } from './servers.ts'
import type { ServerKind, Stage } from './stage.ts'

const NAME = 'agreement-expiry'
const AGREEMENTS_COUNT = 10_000
const GETS_PER_SECOND = 200
const GET_CONNECTIONS = 4
const READ_MS = 20_000
const EXPIRED_S_MAX = 60
const GET_TIMES_MAX = 2

/** Agreements that end at the same moment: how long it takes, and how much it delays readers. */
export const agreementExpiry: Figure = {
  name: NAME,
  title: `${AGREEMENTS_COUNT.toLocaleString('en')} agreements that end at once, while ${GETS_PER_SECOND} GETs a second run`,
  async *measure(stage) {
    for (const kind of stage.serverKinds) yield* measureOn(stage, kind)
  },
}

/** One round: GETs without and with ending agreements, and the seconds until all have ended. */
interface Round extends ReaderRound {
  seconds: number
}

async function* measureOn(stage: Stage, kind: ServerKind): AsyncGenerator<Row> {
  const { product, bare, key, database } = await stage.getPair(kind)
  const { connection, close } = await openPlace(database)
  const db = new Client(connection)
  await db.connect()
  const readFrom = async ({ port }: RunningServer): Promise<LoadResult> =>
    await stage.load.run({
      kind: 'get',
      port,
      key,
      milliseconds: READ_MS,
      connections: GET_CONNECTIONS,
      perSecond: GETS_PER_SECOND,
    })
  try {
    const measureRound = async (server: RunningServer): Promise<Round> => {
      const quiet = await readFrom(server)
      const expiring = expireAll(db)
      const busy = await readFrom(server)
      return { quiet, busy, seconds: await expiring }
    }
    const ours: Round[] = []
    const limits: Round[] = []
    for (let round = 0; round < stage.effort.rounds; round += 1) {
      ours.push(await measureRound(product))
      limits.push(await measureRound(bare))
    }
    const seconds = ours.map((round) => round.seconds)
    yield {
      figure: `${NAME}, all of them`,
      server: kind,
      subject: 'from the moment at which they are due, with their events and activity',
      limit: '–',
      result: toSpread(seconds),
      unit: 's',
      goal: EXPIRED_S_MAX,
      measured: seconds,
    }
    const texts = { server: kind, during: '', without: 'them' }
    yield toReaderRow(ours, {
      ...texts,
      figure: `${NAME}, p99 of GETs at the same time`,
      goal: GET_TIMES_MAX,
    })
    // PostgreSQL, the load generator and the servers share the processors. This shows how much of the delay is theirs.
    yield toReaderRow(limits, {
      ...texts,
      figure: `${NAME}, the same with a bare server`,
      goal: undefined,
    })
  } finally {
    await db.end()
    await close()
  }
}

/** Inserts agreements that are due, and waits until all have ended. Returns the seconds. */
async function expireAll(db: Client): Promise<number> {
  await db.query(INSERT, [AGREEMENTS_COUNT, OWNER_TEAM.id, DOCUMENT])
  const startedAtMs = performance.now()
  for (;;) {
    const { rows } = await db.query(
      'select from access_agreement where next_due_at <= now() limit 1',
    )
    if (rows.length === 0) break
    await sleep(100)
  }
  const seconds = (performance.now() - startedAtMs) / 1000
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from access_agreement where state = 'active'`,
  )
  if (rows[0]?.count !== 0) throw new Error(`${rows[0]?.count} agreements did not end`)
  return seconds
}

const DOCUMENT = JSON.stringify({
  info: { purpose: 'Lead times of all terminals for the monthly review', status: 'approved' },
  provider: { teamId: OWNER_TEAM.id, dataProductId: 'shipment-events-0001', outputPortId: 'out' },
  consumer: { teamId: OWNER_TEAM.id },
  tags: ['review'],
})

const INSERT = `
  insert into access_agreement (
    organization_id, external_id, document, media_type, version, digest,
    provider_product, output_port, provider_team, consumer_type, consumer_team,
    purpose, roles, start_on, end_on, status, state,
    requested_at, requested_by, decided_at, decided_by, next_due_at, created_at, updated_at, updated_by
  )
  select
    organization.id, gen_random_uuid()::text, $3::text, 'application/json', 1, md5(at::text),
    'shipment-events-' || lpad((at % 1000)::text, 4, '0'), 'out', $2, 'team', $2,
    'Lead times of all terminals for the monthly review', '{}', current_date - 30, current_date,
    'approved', 'active', now(), 'system', now(), 'system', now(), now(), now(), 'system'
  from organization
  cross join generate_series(1, $1::integer) as at`
