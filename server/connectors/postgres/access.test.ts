import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEveryPostgres, readSource, SourceDatabase } from '../../../test/postgres-source.ts'
import { catchFailure } from '../../../test/source-reading.ts'
import { DialRefused, newDialer } from '../../platform/kit/dialer.ts'
import type { Setup, SourceFailure } from '../connector.ts'
import { postgres } from './connector.ts'

onEveryPostgres((url) => {
  describe('log-in rejected', () => {
    let database: SourceDatabase
    before(async () => {
      database = await SourceDatabase.create(url(), 'create table t (id int)')
    })
    after(() => database.drop())

    const openFails = async (
      more: Parameters<SourceDatabase['setup']>[0],
      kind: SourceFailure['kind'],
      message: RegExp,
    ): Promise<void> => {
      const failure = await catchFailure(postgres.open(database.setup(more)))
      assert.equal(failure.kind, kind)
      assert.match(failure.message, message)
      const [finding] = await postgres.check(database.setup(more))
      assert.equal(finding?.state, 'error')
      assert.equal(finding?.hint, failure.message)
    }

    it('reports a wrong password as auth, in our wording', async () => {
      const secrets = { password: 'canary-of-a-password' }
      await openFails({ secrets }, 'auth', new RegExp(`rejects the password.*${database.user}`))
    })

    it('reports a missing password as auth, despite the environment', async (context) => {
      process.env['PGPASSWORD'] = database.password
      context.after(() => delete process.env['PGPASSWORD'])
      await openFails({ secrets: {} }, 'auth', /password|log-in/)
    })

    type Row = [
      what: string,
      configuration: Setup['configuration'],
      kind: SourceFailure['kind'],
      message: RegExp,
    ]
    const REJECTED: Row[] = [
      ['an unknown user', { user: 'nobody_at_all' }, 'auth', /nobody_at_all/],
      ['a closed port', { port: 1 }, 'unreachable', /Nothing listens at .*:1\./],
      ['an unknown host', { host: 'no-such-host.invalid' }, 'unreachable', /no-such-host\.invalid/],
    ]
    for (const [what, configuration, kind, message] of REJECTED) {
      it(`reports ${what} as ${kind}`, () => openFails({ configuration }, kind, message))
    }

    it('reports a forbidden address as unreachable, with the dialer’s message', async () => {
      const dialer = newDialer({ privateAddresses: 'deny', allowed: [], ownStore: undefined })
      const failure = await catchFailure(postgres.open(database.setup({ dialer })))
      assert.equal(failure.kind, 'unreachable')
      assert.ok(failure.cause instanceof DialRefused)
      assert.equal(failure.message, `${failure.cause.message}.`)
    })

    it('never treats a host as a path', () => {
      const { configuration } = postgres.description
      for (const host of ['/tmp', '..\\x', 'a b', 'user@host', '']) {
        assert.equal(configuration.safeParse({ host, user: 'u' }).success, false, host)
      }
      assert.deepEqual(configuration.parse({ host: 'db', user: 'u' }), {
        host: 'db',
        port: 5432,
        database: [],
        user: 'u',
        sslMode: 'require',
        includeViews: true,
        hideInaccessible: false,
        statementTimeoutMs: 300_000,
      })
    })
  })

  describe('privileges', () => {
    it('denies a database without CONNECT and reads the others', async () => {
      const open = await SourceDatabase.create(url(), 'create table t (id int)')
      const closed = await SourceDatabase.create(
        url(),
        `do $$ begin execute format('revoke connect on database %I from public', current_database()); end $$`,
      )
      const setup = open.setup({ configuration: { database: [open.name, closed.name] } })
      const { scopes, byPath } = await readSource(setup)
      assert.deepEqual(
        scopes.find(({ path }) => path[0] === closed.name),
        {
          path: [closed.name],
          kind: 'database',
          reading: closed.name,
          decision: 'denied',
          message: `${open.user} has no CONNECT privilege on ${closed.name}.`,
        },
      )
      assert.ok(byPath.has(`${open.name}/public/t`))
      const findings = await postgres.check(setup)
      const missing = findings.find(({ what }) => what.includes(closed.name))
      assert.equal(missing?.state, 'warning')
      assert.match(missing?.what ?? '', /no CONNECT privilege/)
      assert.match(missing?.hint ?? '', /^grant connect on database/)
      await open.drop()
      await closed.drop()
    })

    it('no privileges at all › shows everything, or denies it if configured', async () => {
      const database = await SourceDatabase.create(
        url(),
        'create schema inner_room; create table inner_room.t (id int)',
      )
      const shown = await readSource(database.setup())
      assert.ok(shown.byPath.has(`${database.name}/inner_room/t`))
      const hiding = database.setup({ configuration: { hideInaccessible: true } })
      const hidden = await readSource(hiding)
      const denied = hidden.scopes.find(({ path }) => path[1] === 'inner_room')
      assert.equal(denied?.decision, 'denied')
      assert.match(denied?.message ?? '', /no USAGE privilege on inner_room/)
      assert.ok(!hidden.byPath.has(`${database.name}/inner_room`))
      const findings = await postgres.check(hiding)
      assert.ok(
        findings.some(({ state, what }) => state === 'warning' && what.includes('inner_room')),
      )
      await database.drop()
    })

    it('USAGE lost after the listing › fails the scope without assets', async () => {
      const database = await SourceDatabase.create(url(), 'create table t (id int)')
      const setup = database.setup({ configuration: { hideInaccessible: true } })
      const { outcomes, assets } = await readSource(setup, () =>
        database.execute('revoke usage on schema public from public'),
      )
      assert.equal(assets.length, 1)
      assert.equal(outcomes[1]?.failure?.kind, 'permission')
      await database.drop()
    })

    it('check reports what it finds, in at most ten statements', async () => {
      const database = await SourceDatabase.create(url(), 'create table t (id int)')
      const setup = database.setup({ configuration: { database: [database.name, 'no_such'] } })
      const findings = await postgres.check(setup)
      assert.ok(setup.sentStatements.length <= 10)
      assert.deepEqual(
        findings.map(({ state }) => state),
        ['ok', 'warning', 'ok', 'ok', 'error', 'ok'],
      )
      assert.match(findings[2]?.what ?? '', /^PostgreSQL: PostgreSQL 1[58]/)
      assert.match(findings[4]?.what ?? '', /No database is named no_such/)
      await database.drop()
    })
  })
})
