import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { readJson } from '../../../test/answers.ts'
import { untilBlocked } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type Product, type World } from '../../../test/world.ts'
import { writeSecretFile } from '../../platform/kit/secret-file.ts'
import { PERMISSIONS } from '../../requests/access/permission.ts'
import type { FirstOwner } from './organization.ts'
import {
  addMember,
  createOrganization,
  isEmpty,
  isOpenSetupToken,
  newSetupToken,
  setUp,
} from './service.ts'
import { matchPassword } from '../users/password.ts'
import { lockSetup } from './store.ts'

const OWNER: FirstOwner = {
  organization: 'Rail & Co',
  email: 'Owner@rail.example',
  password: 'a long enough password',
}

let directory: string
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'portbook-organizations-'))
})
after(() => rmSync(directory, { recursive: true, force: true }))

onStore((store) => {
  let services: Product['services']
  before(() => {
    services = newProduct(store()).services
  })

  /** Counts the organizations, accounts, members and keys. */
  async function counts(): Promise<number[]> {
    const { rows } = await sql<{ counts: number[] }>`
      select array[
        (select count(*) from organization),
        (select count(*) from user_account),
        (select count(*) from organization_member),
        (select count(*) from api_key)
      ]::int[] as counts
    `.execute(store().db)
    return rows[0]?.counts ?? []
  }

  describe('setUp', () => {
    beforeEach(async () => {
      await sql`truncate organization, user_account, setup_link cascade`.execute(store().db)
    })

    test('setUp › creates an organization, its owner and a working organization key', async () => {
      const { db } = store()
      assert.equal(await isEmpty(db), true)
      const kept: string[] = []
      const done = await setUp(services, OWNER, (secret) => kept.push(secret))
      assert.equal(await isEmpty(db), false)
      assert.deepEqual(kept, [done?.key])
      const settings = await readJson<{ organizationId: string; name: string; caller: object }>(
        newProduct(store()).call('GET', '/api/organization/settings', { key: done?.key }),
      )
      assert.equal(settings.organizationId, done?.organizationId)
      assert.equal(settings.name, 'Rail & Co')
      assert.deepEqual(await counts(), [1, 1, 1, 1])
      const user = await db.selectFrom('user_account').selectAll().executeTakeFirstOrThrow()
      assert.equal(user.email, OWNER.email)
      assert.deepEqual(
        await matchPassword(services.passwordCost, [user.password_hash], OWNER.password),
        [true],
      )
      const member = await db.selectFrom('organization_member').selectAll().executeTakeFirst()
      assert.equal(member?.role, 'Owner')
    })

    test('setUp › creates no key without keepKey', async () => {
      const done = await setUp(services, OWNER)
      assert.equal(done?.key, undefined)
      assert.deepEqual(await counts(), [1, 1, 1, 0])
    })

    test('setUp › does nothing the second time', async () => {
      await setUp(services, OWNER)
      const second = { ...OWNER, organization: 'Another', email: 'x@y.example' }
      const kept: string[] = []
      const keep = (secret: string): number => kept.push(secret)
      assert.equal(await setUp(services, second, keep), undefined)
      assert.deepEqual(kept, [])
      assert.deepEqual(await counts(), [1, 1, 1, 0])
    })

    test('setUp › succeeds exactly once for four concurrent calls', async () => {
      const kept: string[] = []
      const attempts = Array.from({ length: 4 }, async (_, at) => {
        const owner = { ...OWNER, organization: `O${at}`, email: `o${at}@rail.example` }
        return await setUp(services, owner, (secret) => kept.push(secret))
      })
      const done = (await Promise.all(attempts)).filter((outcome) => outcome !== undefined)
      assert.equal(done.length, 1)
      assert.deepEqual(kept, [done[0]?.key])
      assert.deepEqual(await counts(), [1, 1, 1, 1])
    })

    test('setUp › waits for a concurrent setup, and then does nothing', async () => {
      const { db } = store()
      let waiting: Promise<unknown> | undefined
      await db.transaction().execute(async (other) => {
        await lockSetup(other)
        waiting = setUp(services, OWNER)
        await untilBlocked(db)
        await createOrganization(other, 'The first')
      })
      assert.equal(await waiting, undefined)
      assert.deepEqual(await counts(), [1, 0, 0, 0])
    })

    test('setUp › leaves an empty database and no file if the key cannot be saved', async () => {
      const taken = join(directory, 'taken')
      mkdirSync(taken, { recursive: true })
      for (const path of [join(directory, 'missing', 'key'), taken]) {
        const before = readdirSync(directory)
        await assert.rejects(setUp(services, OWNER, (secret) => writeSecretFile(path, secret)))
        assert.deepEqual(await counts(), [0, 0, 0, 0])
        assert.deepEqual(readdirSync(directory), before)
      }
      const path = join(directory, 'key')
      const done = await setUp(services, OWNER, (secret) => writeSecretFile(path, secret))
      assert.equal(readFileSync(path, 'utf8'), `${done?.key}\n`)
    })

    test('newSetupToken › all open links expire when the database is set up', async () => {
      const { db } = store()
      const [one, other] = [await newSetupToken(db), await newSetupToken(db)]
      assert.match(one, /^pbs_\w{49}$/)
      for (const token of [one, other]) assert.equal(await isOpenSetupToken(db, token), true)
      for (const token of ['', one.slice(0, -1), `${one}x`, one.replace('pbs_', 'pbk_')]) {
        assert.equal(await isOpenSetupToken(db, token), false)
      }
      const { rows } = await sql<{ text: string }>`
        select setup_link::text as text from setup_link
      `.execute(db)
      assert.ok(!rows.some(({ text }) => text.includes(one.slice(4, 20))))
      await setUp(services, OWNER)
      for (const token of [one, other]) assert.equal(await isOpenSetupToken(db, token), false)
    })
  })

  describe('members and settings', () => {
    let world: World
    before(async () => {
      world = await newWorld(newProduct(store()))
    })

    test('addMember › uses one account for a person in several organizations, in any letter case', async () => {
      const { db } = store()
      const other = await newWorld(newProduct(store()))
      const person = { passwordHash: 'first', role: 'Member' as const }
      const first = await addMember(db, world.organizationId, {
        ...person,
        email: 'Anna@x.example',
      })
      const second = await addMember(db, other.organizationId, {
        email: 'ANNA@X.example',
        passwordHash: 'second',
        role: 'Owner',
      })
      assert.equal(second, first)
      const user = await db
        .selectFrom('user_account')
        .selectAll()
        .where('id', '=', first)
        .executeTakeFirst()
      assert.deepEqual(
        [user?.email, user?.name, user?.password_hash],
        ['Anna@x.example', 'Anna', 'first'],
      )
    })

    for (const [caller, scope, teamId, readOnly] of [
      ['Uo', 'user', null, false],
      ['Ur', 'user_read', null, true],
      ['T', 'team', 'a', false],
      ['Tr', 'team_read', 'a', true],
      ['O', 'organization', null, false],
      ['Or', 'organization_read', null, true],
    ] as const) {
      test(`GET /api/organization/settings › 200 for scope ${scope}, without data of other organizations`, async () => {
        const answer = await world.as(caller, 'GET', '/api/organization/settings')
        assert.equal(answer.headers.get('content-type'), 'application/json')
        const settings = (await answer.json()) as {
          name: string
          vanityUrl: string
          caller: Record<string, unknown>
        }
        const { name, vanityUrl } = settings
        const { organizationApiKeyId, ...rest } = settings.caller
        assert.match(String(organizationApiKeyId), /^[0-9a-f-]{36}$/)
        const permissions = readOnly ? [] : PERMISSIONS
        assert.deepEqual(
          { ...settings, caller: rest },
          {
            organizationId: world.organizationId,
            name,
            vanityUrl,
            host: 'http://portbook.test',
            fullName: name,
            logoUrl: '',
            caller: { displayName: scope, scope, teamId, readOnly, permissions },
          },
        )
      })
    }
  })
})
