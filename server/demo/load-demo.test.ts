/** The first load of the demo can be cut off after each step: the next start loads it again from nothing. */

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { eventually, toLimit } from '../../test/eventually.ts'
import { testConfig } from '../../test/full-store.ts'
import { onServer, onStore } from '../../test/stores.ts'
import { newProduct } from '../../test/world.ts'
import { sealActivity } from '../ledger/activity/seal-service.ts'
import { openSecretBox } from '../encryption.ts'
import type { Services } from '../requests/http/endpoint.ts'
import type { Store } from '../store.ts'
import { CHECKS, verifyStore } from '../transfer/verify.ts'
import { listOutdatedFreshness } from '../reality/freshness/settle-service.ts'
import { judgeResources } from '../reality/trust/settle-service.ts'
import { newFreshnessCheck, newTrustCheck } from '../transfer/verify/trust.ts'
import { keepUnfinishedDemo, LOAD_STEPS, loadDemo, type LoadStep } from './load-demo.ts'
import { STATES } from '../agreements/agreement.ts'
import { insertLoad } from './load-store.ts'
import { readMesh } from './mesh.ts'
import { listPeopleOfTeams, PEOPLE } from './people.ts'
import { findDemoSignIns } from './sign-ins.ts'
import { findDemoSource, UNAGREED_PRODUCT } from './source.ts'

class CutOff extends Error {}

// Each step from the history on takes as long as a whole load, and leaves a part of what the last one leaves.
const CUTS = LOAD_STEPS.filter(
  (step, at) => at < LOAD_STEPS.indexOf('history') || step === LOAD_STEPS.at(-1),
)

onStore((store: () => Store) => {
  let services: Services
  let directory: string
  let folder: string
  const serverUrl = process.env['PORTBOOK_TEST_POSTGRES'] ?? ''
  before(async () => {
    await openSecretBox(testConfig(), store().db)
    services = { ...newProduct(store()).services, ownSource: findDemoSource(store()) }
    folder = mkdtempSync(join(tmpdir(), 'portbook-demo-'))
    directory = join(folder, 'missing', 'data')
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    const [database = ''] = services.ownSource?.connection.database ?? []
    await onServer(serverUrl, `drop database if exists "${database}" with (force)`)
    await onServer(serverUrl, `drop role if exists "${services.ownSource?.connection.user}"`)
    await onServer(serverUrl, `drop role if exists "${database}_dp_${UNAGREED_PRODUCT}"`)
  })

  async function count(table: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${sql.table(table)}
    `.execute(store().db)
    return rows[0]?.count ?? 0
  }

  const sealAll = async (): Promise<boolean> => {
    await sealActivity(services)
    const { rows } = await sql<{ isSealed: boolean }>`
      select count(*) = (select sum(entry_count) from activity_seal) as "isSealed"
      from activity_entry
    `.execute(store().db)
    return rows[0]?.isSealed ?? false
  }

  const load = async (cutAfter?: LoadStep): Promise<void> =>
    await loadDemo(services, store(), directory, (step) => {
      if (step === cutAfter) throw new CutOff()
    })

  describe('the first load of the demo', () => {
    test('writes nothing if its files cannot be written', async () => {
      // A file where the folder should be is an error for every user.
      await assert.rejects(
        loadDemo(services, store(), join(import.meta.filename, 'data')),
        /^ConfigError: cannot write .*demo-api-key: .*Set PORTBOOK_DATA_DIR to a folder/,
      )
      assert.deepEqual([await count('organization'), await count('demo_load')], [0, 0])
    })

    test('is loaded again from nothing after it was cut off after any step', async () => {
      for (const step of CUTS) {
        await assert.rejects(load(step), CutOff, step)
        assert.equal(await count('demo_load'), 1, step)
      }
      await load()
      assert.equal(await count('demo_load'), 0)
      assert.deepEqual([await count('organization'), await count('integration')], [1, 4])
      assert.ok((await count('ingestion_run')) > 10)
      assert.ok(existsSync(join(directory, 'demo-api-key')))
      // A transaction of another database of the server keeps the newest entries from being settled.
      await eventually(toLimit(5000), sealAll, 'all entries are sealed')
      const results = await verifyStore(store().db, undefined, [
        ...CHECKS,
        newFreshnessCheck(listOutdatedFreshness),
        newTrustCheck(judgeResources),
      ])
      assert.deepEqual(
        results.flatMap(({ findings }) => findings),
        [],
      )
    })

    test('has all people of its teams as members, and three who can sign in', async () => {
      const { rows } = await sql<{ email: string; hasPassword: boolean }>`
        select email, password_hash <> '' as "hasPassword"
        from organization_member
        join user_account on user_account.id = organization_member.user_id
      `.execute(store().db)
      const members = rows.map(({ email }) => email)
      const named = [...listPeopleOfTeams(readMesh()).keys()]
      assert.deepEqual(
        named.filter((email) => !members.includes(email)),
        [],
      )
      assert.deepEqual(
        rows.flatMap(({ email, hasPassword }) => (hasPassword ? [email] : [])).toSorted(),
        PEOPLE.map(({ email }) => email).toSorted(),
      )
    })

    test('lists those who can sign in only while it is served as a demo, and finds their passwords', async () => {
      const installation = { ...services.installation, isDemo: true }
      const signIns = await findDemoSignIns({ ...services, installation }, directory)
      assert.deepEqual(
        signIns.map(({ email }) => email),
        PEOPLE.map(({ email }) => email),
      )
      for (const { password } of signIns) assert.match(password, /^demo_\w{20,}/)
      assert.deepEqual(await findDemoSignIns(services, directory), [])
      assert.deepEqual(await findDemoSignIns({ ...services, installation }, folder), [])
    })

    test('has access agreements in every state, with reports of connectors', async () => {
      const { rows } = await sql<{ facts: string }>`
        select distinct unnest(array[
          state, provisioning::json ->> 'status', 'changed: ' || contract_changed_level
        ]) as facts
        from access_agreement
      `.execute(store().db)
      const facts = rows.map((row) => row.facts)
      const expected = [
        ...STATES,
        'provisioned',
        'provisioning-failed',
        'deprovisioned',
        'changed: breaking',
      ]
      assert.deepEqual(
        expected.filter((fact) => !facts.includes(fact)),
        [],
      )
    })

    test('has notifications of every person who can sign in, read and unread', async () => {
      const { rows } = await sql<{ email: string; read: number; unread: number }>`
        select user_account.email, count(read_at)::integer as read, count(*) filter (where read_at is null)::integer as unread
        from notification_recipient
        join user_account on user_account.id = user_id
        where password_hash <> ''
        group by user_account.email
      `.execute(store().db)
      assert.equal(rows.length, PEOPLE.length)
      for (const { email, read, unread } of rows) assert.ok(read > 0 && unread > 0, email)
    })

    test('is kept as it is once a start without the demo has served it', async () => {
      await insertLoad(store().db)
      const events = await count('event')
      await keepUnfinishedDemo(services)
      assert.equal(await count('demo_load'), 0)
      await load()
      assert.equal(await count('event'), events)
    })

    test('is not repeated once it is complete', async () => {
      const [events, runs] = [await count('event'), await count('ingestion_run')]
      await load()
      assert.deepEqual([await count('event'), await count('ingestion_run')], [events, runs])
    })
  })
})
