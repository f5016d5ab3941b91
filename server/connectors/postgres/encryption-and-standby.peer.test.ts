import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { onPostgres15, startStandby15, type TestPostgres15 } from '../../../test/postgres-15.ts'
import {
  cancelWhileLocked,
  LARGE_ESTATE,
  LARGE_TABLES,
  startReading,
} from '../../../test/postgres-readings.ts'
import { readSource, SourceDatabase } from '../../../test/postgres-source.ts'
import { catchFailure } from '../../../test/source-reading.ts'
import type { SourceFailure } from '../connector.ts'
import { NO_FILTERS } from '../filter.ts'
import { postgres } from './connector.ts'

describe('TLS', () => {
  onPostgres15((server) => {
    let database: SourceDatabase
    before(async () => {
      database = await SourceDatabase.create(
        server().url,
        'create table t (id int, twice int generated always as (id * 2) stored)',
      )
    })
    after(() => database.drop())

    it('accepts the certificates that each mode allows', async () => {
      const { authority, stranger } = server().certificates
      const modes: [Record<string, string>, string | undefined][] = [
        [{ sslMode: 'require' }, undefined],
        [{ sslMode: 'require', ca: authority }, undefined],
        [{ sslMode: 'require', ca: stranger }, 'unreachable'],
        [{ sslMode: 'verify-ca' }, 'unreachable'],
        [{ sslMode: 'verify-ca', ca: authority }, undefined],
        [{ sslMode: 'verify-ca', ca: stranger }, 'unreachable'],
        // The certificate is only for localhost.
        [{ sslMode: 'verify-full', ca: authority }, 'unreachable'],
        [{ sslMode: 'verify-full', ca: authority, host: 'localhost' }, undefined],
      ]
      for (const [configuration, kind] of modes) {
        const setup = database.setup({ configuration })
        const outcome = await readSource(setup).then(
          () => undefined,
          (error: SourceFailure) => error.kind,
        )
        assert.equal(outcome, kind, JSON.stringify(configuration))
      }
    })

    it('cancels through TLS', async () => {
      const setup = database.setup({ configuration: { sslMode: 'require' } })
      await cancelWhileLocked(database, setup.configuration)
    })

    it('reports an invalid client key', async () => {
      const pem = '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----'
      const setup = database.setup({
        configuration: { sslMode: 'require', clientCertificate: pem },
        secrets: { password: database.password, clientKey: 'none' },
      })
      const failure = await catchFailure(postgres.open(setup))
      assert.equal(failure.kind, 'auth')
      assert.match(failure.message, /not valid PEM/)
    })
  })
})

describe('a standby', () => {
  onPostgres15((server) => {
    let primary: SourceDatabase
    let standby: TestPostgres15
    let copy: SourceDatabase
    before(async () => {
      primary = await SourceDatabase.create(
        server().url,
        `${LARGE_ESTATE}; create schema changed; create table changed.t as select 1 as id`,
      )
      standby = await startStandby15(server(), { max_standby_streaming_delay: '0' })
      copy = primary.elsewhere(standby.url)
    })
    after(async () => {
      await standby.stop()
      await primary.drop()
    })

    it('reports no count of changes, because a standby counts none', async () => {
      const filters = { ...NO_FILTERS, include: { schema: ['changed'] } }
      const counts = [primary, copy].map(async (database) => {
        const { byPath } = await readSource(database.setup({ filters }))
        return byPath.get(`${primary.name}/changed/t`)?.statistic?.changeCount
      })
      assert.deepEqual(await Promise.all(counts), [1, undefined])
    })

    it('that cancels for its primary: continues the reading where it was', async () => {
      const setup = copy.setup()
      const session = await postgres.open(setup)
      const { reading, first } = await startReading(session, primary.name)
      await primary.execute('drop table t1, t2, t3')
      for (const table of ['pg_class', 'pg_attribute']) await primary.execute(`vacuum ${table}`)
      // While the client does not read, the standby cannot cancel, and closes the connection.
      const isGone = async (): Promise<boolean> => (await copy.countSessions()) === 0
      await eventually(20_000, isGone, 'the standby closes the connection')
      const batches = [first, ...(await Array.fromAsync(reading))]
      assert.ok(setup.loggedLines.some((line) => line.includes('retrying')))
      const paths = batches.flatMap(({ assets }) => assets.map(({ path }) => path.join('/')))
      assert.equal(new Set(paths).size, paths.length)
      for (let at = 4; at <= LARGE_TABLES; at += 1) {
        assert.ok(paths.includes(`${primary.name}/public/t${at}`))
      }
      const findings = await postgres.check(setup)
      assert.ok(findings.some(({ what }) => what.includes('a standby')))
      await session.close()
    })
  })
})
