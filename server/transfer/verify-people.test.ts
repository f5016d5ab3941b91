/** The checks of `verify` on names of people beside the activity. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../test/world.ts'
import { withSnapshot } from './verify.ts'
import { PEOPLE_CHECK } from './verify/people.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    // Another organization, whose rows each finding must leave out.
    await newWorld(world)
  })

  const listFindings = (): Promise<string[]> =>
    withSnapshot(store().db, async (run, snapshot) => {
      const texts: string[] = []
      for await (const { rule, text } of PEOPLE_CHECK.findings(run, snapshot)) {
        texts.push(`${PEOPLE_CHECK.rules.indexOf(rule)} ${text.replace(/ \(organization .*/, '')}`)
      }
      return texts.toSorted()
    })

  /** Changes rows as an administrator of the database could, checks, and takes the change back. */
  async function tamper(...statements: string[]): Promise<string[]> {
    const client = await store().pool.connect()
    try {
      const copies = ['activity_entry', 'person_name', 'user_account']
      for (const table of copies) {
        await client.query(`create table kept_${table} as select * from ${table}`)
      }
      await client.query('alter table activity_entry drop constraint activity_entry_person')
      await client.query('alter table activity_entry disable trigger all')
      for (const statement of statements) {
        const { rowCount } = await client.query(statement)
        assert.ok((rowCount ?? 0) > 0, statement)
      }
      const findings = await listFindings()
      await client.query('delete from activity_entry')
      await client.query('delete from person_name')
      await client.query(
        'insert into activity_entry overriding system value select * from kept_activity_entry',
      )
      await client.query('insert into person_name select * from kept_person_name')
      await client.query(
        `update user_account
         set (name, email, email_key, password_hash, erased_at) = (
           select name, email, email_key, password_hash, erased_at
           from kept_user_account as kept
           where kept.id = user_account.id
         )`,
      )
      for (const table of copies) await client.query(`drop table kept_${table}`)
      await client.query('alter table activity_entry enable trigger all')
      await client.query(
        `alter table activity_entry add constraint activity_entry_person check (
           not names_person(kind, details) or name = ''
         )`,
      )
      return findings
    } finally {
      client.release()
    }
  }

  const person = (): string => world.userIds.Um
  const ofOrganization = (): string => `organization_id = '${world.organizationId}'`

  test('verify › finds nothing in what Portbook has written', async () => {
    assert.deepEqual(await listFindings(), [])
  })

  test('verify › finds an entry with a name', async () => {
    const where = `${ofOrganization()} and kind = 'member' and subject = '${person()}'`
    const findings = await tamper(`update activity_entry set name = 'Ada' where ${where}`)
    assert.equal(findings.length, 1)
    assert.match(findings[0] ?? '', /^0 joined member ".*" at .* has a name$/)
  })

  test('verify › finds a person in the activity without a name', async () => {
    const findings = await tamper(
      `delete from person_name where ${ofOrganization()} and id = '${person()}'`,
    )
    assert.ok(findings.includes(`1 member ${person()} has no name`), findings.join('\n'))
    assert.ok(findings.includes(`2 account ${person()} has another name, or none`))
    assert.ok(findings.every((text) => text.includes(person())))
  })

  test('verify › finds another name of a member, and of a personal key', async () => {
    for (const kind of ['account', 'api-key']) {
      const findings = await tamper(
        `update person_name set name = 'Other'
         where ${ofOrganization()} and kind = '${kind}' and person = '${person()}'`,
      )
      assert.ok(findings.length > 0)
      const pattern = new RegExp(`^2 ${kind} .* has another name, or none$`)
      for (const finding of findings) assert.match(finding, pattern)
    }
  })

  test('verify › finds an organization that requires its provider, and whose owners cannot sign in without it', async () => {
    const { pool } = store()
    const [organizationId, owner] = [world.organizationId, world.userIds.Uo]
    await pool.query(
      `insert into organization_sign_in (organization_id, rule, updated_by) values ($1, 'provider', 'test')`,
      [organizationId],
    )
    const missing = ['4 it has no break-glass owner with a password']
    assert.deepEqual(await listFindings(), missing)
    await pool.query(
      `insert into break_glass (organization_id, user_id, created_by) values ($1, $2, 'test')`,
      [organizationId, owner],
    )
    assert.deepEqual(await listFindings(), [])
    const obstacles = [
      ['update organization_member set suspended_at = now()', 'set suspended_at = null'],
      [`update organization_member set role = 'Member'`, `set role = 'Owner'`],
    ] as const
    for (const [change, undo] of obstacles) {
      const where = `where organization_id = '${organizationId}' and user_id = '${owner}'`
      await pool.query(`${change} ${where}`)
      assert.deepEqual(await listFindings(), missing, change)
      await pool.query(`update organization_member ${undo} ${where}`)
    }
    await pool.query(`update user_account set password_hash = '' where id = $1`, [owner])
    assert.deepEqual(await listFindings(), missing)
    await pool.query(`update organization_sign_in set rule = 'any'`)
    assert.deepEqual(await listFindings(), [])
  })

  test('verify › finds what is left of an erased person', async () => {
    const findings = await tamper(
      `update user_account
       set name = 'Erased person', email = 'erased:' || id, email_key = 'erased:' || id,
         password_hash = '', erased_at = now()
       where id = '${person()}'`,
    )
    const { rows } = await sql`select from session where user_id = ${person()}`.execute(store().db)
    const left = ['organization_member', 'person_name', ...(rows.length > 0 ? ['session'] : [])]
    assert.deepEqual(
      findings.filter((text) => text.startsWith('3')),
      left.map((table) => `3 the erased account ${person()} is still in ${table}`),
    )
  })
})
