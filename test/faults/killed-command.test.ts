/** A command that is killed leaves no statement running on the server, also behind a pooler. */

import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { eventually } from '../eventually.ts'
import { onPgbouncer, startPgbouncer, type TestPgbouncer } from '../pgbouncer.ts'
import { runProduct, startCommand } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'

// A command starts within seconds, and its statement ends a few seconds after it; other tests delay both.
const WITHIN_MS = 60_000

/** A table that commands read, and that no start reads. */
const TABLE = 'lineage_event'

function checkCommands(getUrl: (databaseUrl: string) => string): void {
  let place: StorePlace
  let observer: Client
  let holder: Client
  before(async () => {
    place = await newStorePlace()
    const connectionString = place.environment['DATABASE_URL']
    observer = new Client({ connectionString })
    holder = new Client({ connectionString })
    await observer.connect()
    await holder.connect()
  })
  after(async () => {
    await observer?.end()
    await holder?.end()
    await place?.remove()
  })

  const countWaiting = async (): Promise<number> => {
    const { rows } = await observer.query<{ count: number }>(
      `select count(*)::integer as count
       from pg_stat_activity
       where datname = current_database()
         and pid <> pg_backend_pid()
         and state = 'active'
         and wait_event_type = 'Lock'`,
    )
    return rows[0]?.count ?? 0
  }

  const commands = [
    ['verify', () => []],
    ['export', () => [join(place.environment['PORTBOOK_DATA_DIR'] ?? '', 'killed.jsonl')]],
  ] as const
  for (const [name, getArguments] of commands) {
    test(`${name} › killed, its statement ends`, async () => {
      await holder.query('begin')
      await holder.query(`lock table ${TABLE} in access exclusive mode`)
      try {
        const environment = {
          ...place.environment,
          DATABASE_URL: getUrl(place.environment['DATABASE_URL'] ?? ''),
        }
        const command = startCommand(environment, [name, ...getArguments()])
        await eventually(WITHIN_MS, async () => (await countWaiting()) === 1, 'a statement waits')
        await command.kill('SIGKILL')
        await eventually(WITHIN_MS, async () => (await countWaiting()) === 0, 'the statement ends')
      } finally {
        await holder.query('rollback')
      }
    })
  }
}

describe('a killed command', () => {
  checkCommands((url) => url)
})

onPgbouncer(() => {
  let pgbouncer: TestPgbouncer
  before(async () => {
    pgbouncer = await startPgbouncer(process.env['PORTBOOK_TEST_POSTGRES'] ?? '')
  })
  after(async () => pgbouncer?.stop())
  checkCommands((url) => pgbouncer.through(url))

  test('verify › finds nothing behind a pooler', async () => {
    const place = await newStorePlace()
    try {
      const url = pgbouncer.through(place.environment['DATABASE_URL'] ?? '')
      const ended = await runProduct({ ...place.environment, DATABASE_URL: url }, ['verify'])
      if (ended.code !== 0) throw new Error(ended.stdout + ended.stderr)
    } finally {
      await place.remove()
    }
  })
})
