import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, putOne } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { sealActivity } from './seal-service.ts'
import { insertSeal, type Seal } from './seal-store.ts'

const SETTLED_MS_MAX = 20_000
const RULES = [
  'no sealed entry of the activity was changed, deleted or inserted',
  'the seals of the activity are a chain',
  'no seal is missing at the end of the activity',
]

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  async function addTeams(...ids: string[]): Promise<void> {
    for (const id of ids) {
      // The entries are in this order.
      // oxlint-disable-next-line no-await-in-loop
      await putOne(world, 'teams', { id, name: id })
    }
  }

  const seal = () => sealActivity(world.services)

  const areSettled = async (): Promise<boolean> => {
    const { rows } = await sql`
      select
      from activity_entry
      where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())
      limit 1
    `.execute(store().db)
    return rows.length === 0
  }

  /** Seals every entry so far. Transactions of other tests on the same server delay that. */
  async function sealAll(): Promise<void> {
    await eventually(SETTLED_MS_MAX, areSettled, 'the entries are settled')
    await seal()
  }

  const listSeals = async (): Promise<(Seal & { total: number })[]> => {
    const { rows } = await sql<Seal & { total: number }>`
      select number, entry_count as "entryCount", encode(hash, 'hex') as hash,
        (sum(entry_count) over ())::integer as total
      from activity_seal
      where organization_id = ${world.organizationId}
      order by number
    `.execute(store().db)
    return rows
  }

  const countEntries = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count
      from activity_entry
      where organization_id = ${world.organizationId}
    `.execute(store().db)
    return rows[0]?.count ?? 0
  }

  test('sealing › goes on with other organizations if one cannot be sealed', async () => {
    const other = await newWorld(newProduct(store()))
    await addTeams('unhindered')
    await putOne(other, 'teams', { id: 'hindered', name: 'hindered' })
    const hinder = `
      create function hinder() returns trigger language plpgsql as $$
      begin
        if new.organization_id = '${other.organizationId}' then raise 'hindered'; end if;
        return new;
      end $$`
    await sql.raw(hinder).execute(store().db)
    await sql`
      create trigger hinder before insert on activity_seal for each row execute function hinder()
    `.execute(store().db)
    await sealAll()
    await sql`drop function hinder cascade`.execute(store().db)
    const countSeals = async (organizationId: string): Promise<number> => {
      const seals = store().db.selectFrom('activity_seal').select('number')
      return (await seals.where('organization_id', '=', organizationId).execute()).length
    }
    assert.ok((await countSeals(world.organizationId)) > 0)
    assert.equal(await countSeals(other.organizationId), 0)
  })

  const listFindings = async (): Promise<string[]> =>
    (await verifyStore(store().db))
      .filter(({ rule }) => RULES.includes(rule))
      .flatMap(({ findings }) => findings)

  /** Changes rows as an administrator of the database could, checks, and takes the change back. */
  async function tamper(...statements: string[]): Promise<string[]> {
    const client = await store().pool.connect()
    const tables = ['activity_entry', 'activity_seal']
    try {
      for (const table of tables) await client.query(`alter table ${table} disable trigger all`)
      await client.query('create temporary table kept_entry as select * from activity_entry')
      await client.query('create temporary table kept_seal as select * from activity_seal')
      for (const statement of statements) {
        const { rowCount } = await client.query(statement, [])
        assert.ok((rowCount ?? 0) > 0, statement)
      }
      const findings = await listFindings()
      await client.query('delete from activity_entry')
      await client.query('delete from activity_seal')
      await client.query(
        'insert into activity_entry overriding system value select * from kept_entry',
      )
      await client.query('insert into activity_seal select * from kept_seal')
      await client.query('drop table kept_entry, kept_seal')
      for (const table of tables) await client.query(`alter table ${table} enable trigger all`)
      return findings
    } finally {
      client.release()
    }
  }

  test('every settled entry is sealed once, and each seal follows from the one before', async () => {
    await sealAll()
    await addTeams('s1', 's2')
    await sealAll()
    await seal()
    const seals = await listSeals()
    assert.deepEqual(
      seals.map(({ number, entryCount }) => [number, entryCount]),
      [
        [1, (await countEntries()) - 2],
        [2, 2],
      ],
    )
    assert.deepEqual(await listFindings(), [])
    const newest = await readJson<Seal>(world.as('Or', 'GET', '/api/activity/seal'))
    assert.equal(newest.hash, seals[1]?.hash)
    const first = await readJson<Seal>(world.as('Or', 'GET', '/api/activity/seal?number=1'))
    assert.equal(first.hash, seals[0]?.hash)
    await expectProblem(world.as('Or', 'GET', '/api/activity/seal?number=3'), 404)
    await expectProblem(world.as('Or', 'GET', '/api/activity/seal?number=0'), 400)
  })

  test('of several processes that seal at once, one wins, and nothing is sealed twice', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `p${index}`)
    await addTeams(...ids)
    const { organizationId, services } = world
    for (let round = 0; round < 4; round += 1) {
      // oxlint-disable-next-line no-await-in-loop
      await Promise.all(
        [1, 2, 3, 4].map(() => insertSeal(store().db, services.clock, organizationId, 2)),
      )
    }
    await sealAll()
    const seals = await listSeals()
    assert.equal(seals.at(-1)?.total, await countEntries())
    assert.deepEqual(
      seals.map(({ number }) => number),
      seals.map((_, index) => index + 1),
    )
    assert.deepEqual(await listFindings(), [])
  })

  test('an entry of an open transaction is sealed after it commits, and no write waits', async () => {
    const client = await store().pool.connect()
    await client.query('begin')
    await client.query(
      `insert into activity_entry (organization_id, at, principal, kind, subject, name, action)
       values ($1, now(), 'system', 'team', 'slow', 'Slow', 'created')`,
      [world.organizationId],
    )
    await addTeams('during')
    await seal()
    assert.equal((await listSeals()).at(-1)?.total, (await countEntries()) - 1)
    await client.query('commit')
    client.release()
    await sealAll()
    assert.equal((await listSeals()).at(-1)?.total, await countEntries())
    assert.deepEqual(await listFindings(), [])
  })

  test('verify names a changed entry', async () => {
    const findings = await tamper(
      "update activity_entry set principal = 'user:other' where subject = 's1'",
    )
    assert.match(findings.join('\n'), /created team "s1" at .* was changed or inserted/)
    assert.match(findings.join('\n'), /1 of its 2 entries were changed or deleted/)
  })

  test('verify names the seal of a deleted entry, also of the last one of the seal', async () => {
    const first = await tamper("delete from activity_entry where subject = 's1'")
    assert.match(first.join('\n'), /seal 2 of .*: 1 of its 2 entries were changed or deleted/)
    const last = await tamper("delete from activity_entry where subject = 's2'")
    assert.match(last.join('\n'), /seal 2 of .*: 1 of its 2 entries were changed or deleted/)
    assert.doesNotMatch(last.join('\n'), /was changed or inserted/)
  })

  test('verify names an inserted entry', async () => {
    const findings = await tamper(
      `insert into activity_entry (
         organization_id, epoch, transaction_id, at, principal, kind, subject, name, action
       )
       select organization_id, epoch, transaction_id, at, principal, kind, 'forged', name, action
       from activity_entry
       where subject = 's1'`,
    )
    assert.match(findings.join('\n'), /"forged" at .* was changed or inserted/)
  })

  test('verify names missing and changed seals', async () => {
    assert.match(
      (await tamper('delete from activity_seal where number = 2')).join('\n'),
      /seal 3: seal 2 is missing/,
    )
    assert.match(
      (await tamper('update activity_seal set sealed_at = now() where number = 2')).join('\n'),
      /seal 2: its hash does not follow/,
    )
    const entries = `insert into activity_entry (
       organization_id, epoch, transaction_id, at, principal, kind, subject, name, action
     )
     select organization_id, 0, '1', now() - interval '2 days', 'system', 'team', 'old', 'Old', 'created'
     from activity_entry limit 1`
    assert.ok((await tamper(entries)).length > 0)
    const last = await tamper(
      "update activity_entry set at = at - interval '1 day'",
      'delete from activity_seal where number > 2',
      "update activity_seal set sealed_at = sealed_at + interval '1 day'",
    )
    assert.match(last.join('\n'), /entries from .* on have no seal/)
  })
})
