import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import {
  expectScimError,
  newAddress,
  newDirectory,
  type Directory,
  type ScimUser,
} from '../../../test/directory.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type Product, type World } from '../../../test/world.ts'
import { addMember } from '../organizations/service.ts'

const USERS = '/api/scim/v2/Users'

onStore((store) => {
  let product: Product
  let world: World
  let directory: Directory
  before(async () => {
    product = newProduct(store())
    world = await newWorld(product)
    directory = await newDirectory(world)
  })

  async function addPerson(role: 'Owner' | 'Member' = 'Member'): Promise<string> {
    const person = { email: newAddress(), passwordHash: 'none', role }
    return await addMember(store().db, world.organizationId, person)
  }

  async function findAccount(id: string) {
    return await store()
      .db.selectFrom('user_account')
      .select(['email', 'name'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  }

  async function countEntries(id: string, action: string): Promise<number> {
    const rows = await store()
      .db.selectFrom('activity_entry')
      .select('action')
      .where('organization_id', '=', world.organizationId)
      .where('subject', '=', id)
      .where('kind', '=', 'directory')
      .where('action', '=', action)
      .execute()
    return rows.length
  }

  for (const [form, value, path] of [
    ['a truth value', false, 'active'],
    ['the text of Entra ID', 'False', 'active'],
    ['an object without a path', { active: false }, undefined],
    ['a URN', false, 'urn:ietf:params:scim:schemas:core:2.0:User:active'],
    [
      'a URN in an object',
      { 'urn:ietf:params:scim:schemas:core:2.0:User': { active: 'false' } },
      undefined,
    ],
    ['a list of values', [{ value: 'False' }], 'active'],
  ] as const) {
    test(`PATCH ${USERS}/{id} › suspends with ${form}, restores, and a repeat changes nothing`, async () => {
      const { id } = await directory.createUser()
      const set = (op: string, changed: unknown): Promise<ScimUser> =>
        directory.ask('PATCH', `/Users/${id}`, {
          Operations: [{ op, ...(path && { path }), value: changed }],
        })
      const suspended = await set('Replace', value)
      assert.equal(suspended.active, false)
      assert.deepEqual(await set('replace', value), suspended)
      assert.equal(await countEntries(id, 'suspended'), 1)
      const restored = await directory.ask<ScimUser>('PATCH', `/Users/${id}`, {
        operations: [{ op: 'add', value: { active: true } }],
      })
      assert.equal(restored.active, true)
      assert.equal(await countEntries(id, 'restored'), 1)
    })
  }

  test(`PATCH ${USERS}/{id} › applies the forms of directories to each attribute`, async () => {
    const { id } = await directory.createUser()
    const email = newAddress()
    const externalId = uniqueId()
    const changed = await readJson<ScimUser>(
      directory.patch(`/Users/${id}`, [
        { op: 'Replace', path: 'emails[type eq "work"].value', value: email },
        { op: 'Add', path: 'name.familyName', value: 'Byron' },
        {
          op: 'Replace',
          value: { 'name.givenName': 'Ada', displayName: 'Countess', id, nickName: 'A' },
        },
        { op: 'add', path: 'externalId', value: [{ value: externalId }] },
        {
          op: 'replace',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: 'x',
        },
        { op: 'add', path: 'emails[type eq "home"].value', value: newAddress() },
        { op: 'remove', path: 'emails[type eq "home"]' },
        { op: 'add', path: 'emails', value: [{ type: 'other', value: newAddress() }] },
      ]),
    )
    assert.equal(changed.emails[0]?.value, email)
    assert.deepEqual(changed.name, { formatted: 'Countess', givenName: 'Ada', familyName: 'Byron' })
    assert.equal(changed.externalId, externalId)
    const cleared = await readJson<ScimUser>(
      directory.patch(`/Users/${id}`, [
        { op: 'remove', path: 'externalId' },
        { op: 'remove', path: 'name' },
      ]),
    )
    assert.equal(cleared.externalId, undefined)
    assert.deepEqual(cleared.name, { formatted: 'Countess' })
  })

  for (const [what, operations, scimType] of [
    ['an unknown op', [{ op: 'move', path: 'active' }], 'invalidSyntax'],
    ['no op', [{ path: 'active', value: true }], 'invalidSyntax'],
    ['a path that cannot be read', [{ op: 'add', path: 'emails[', value: 'x' }], 'invalidPath'],
    [
      'a path with another comparison',
      [{ op: 'add', path: 'emails[value co "x"]', value: 'x' }],
      'invalidPath',
    ],
    ['removing without a path', [{ op: 'remove' }], 'invalidPath'],
    ['a value that is not an object', [{ op: 'replace', value: 'x' }], 'invalidValue'],
    ['removing the user name', [{ op: 'remove', path: 'userName' }], 'invalidValue'],
    [
      'active that is not true or false',
      [{ op: 'replace', path: 'active', value: 'no' }],
      'invalidValue',
    ],
  ] as const) {
    test(`PATCH ${USERS}/{id} › 400 for ${what}, and nothing is written`, async () => {
      const user = await directory.createUser()
      const all = [{ op: 'replace', path: 'displayName', value: 'Other' }, ...operations]
      await expectScimError(directory.patch(`/Users/${user.id}`, all), 400, scimType)
      assert.deepEqual(await directory.ask('GET', `/Users/${user.id}`), user)
    })
  }

  test(`PATCH ${USERS}/{id} › 400 without operations, 413 above 1,000 operations and above 5 MiB`, async () => {
    const { id } = await directory.createUser()
    await expectScimError(directory.send('PATCH', `/Users/${id}`, { x: [] }), 400, 'invalidSyntax')
    const operation = { op: 'replace', path: 'displayName', value: 'x' }
    const many = Array.from({ length: 1001 }, () => operation)
    await expectScimError(directory.patch(`/Users/${id}`, many), 413)
    await readText(directory.patch(`/Users/${id}`, many.slice(1)))
    const large = { Operations: [{ ...operation, value: 'x'.repeat(5 * 1024 * 1024) }] }
    await expectScimError(directory.send('PATCH', `/Users/${id}`, large), 413)
  })

  test(`PATCH ${USERS}/{id} › 409 for an address that another member has`, async () => {
    const { email } = await findAccount(await addPerson())
    const user = await directory.createUser()
    const operations = [{ op: 'replace', path: 'emails[type eq "work"].value', value: email }]
    await expectScimError(directory.patch(`/Users/${user.id}`, operations), 409, 'uniqueness')
    assert.deepEqual(await directory.ask('GET', `/Users/${user.id}`), user)
  })

  test(`PATCH ${USERS}/{id} › keeps the name and the address of a person who is in another organization, too`, async () => {
    const id = await addPerson()
    const { email, name } = await findAccount(id)
    const elsewhere = await newWorld(product)
    await store()
      .db.insertInto('organization_member')
      .values({ organization_id: elsewhere.organizationId, user_id: id, role: 'Member' })
      .execute()
    const operations = [
      { op: 'replace', path: 'displayName', value: 'Taken over' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: newAddress() },
      { op: 'replace', path: 'externalId', value: uniqueId() },
    ]
    const changed = await readJson<ScimUser>(directory.patch(`/Users/${id}`, operations))
    assert.ok(changed.externalId)
    const { email: emailAfter, name: nameAfter } = await findAccount(id)
    assert.deepEqual([emailAfter, nameAfter], [email, name])
  })

  test(`PATCH ${USERS}/{id} › a suspended person gets 401 here and goes on elsewhere`, async () => {
    const own = await newWorld(product)
    const mine = await newDirectory(own)
    const { Um } = own.userIds
    const body = { Operations: [{ op: 'replace', path: 'active', value: false }] }
    await mine.ask('PATCH', `/Users/${Um}`, body)
    await expectProblem(own.as('Um', 'GET', '/api/teams'), 401)
    await expectProblem(own.asPerson('Um', 'GET', '/ui/members'), 401)
    await mine.ask('PUT', `/Users/${Um}`, { userName: newAddress(), active: true })
    await readText(own.as('Um', 'GET', '/api/teams'))
    await readText(own.asPerson('Um', 'GET', '/ui/members'))
  })
})
