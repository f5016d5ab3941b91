import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { readJson, readText } from '../../../test/answers.ts'
import {
  expectScimError,
  newAddress,
  newDirectory,
  type Directory,
  type ScimList,
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
  let other: Directory
  before(async () => {
    product = newProduct(store())
    world = await newWorld(product)
    directory = await newDirectory(world)
    other = await newDirectory(await newWorld(product))
  })

  const find = (filter: string): Promise<ScimList<ScimUser>> =>
    directory.ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)

  async function addPerson(role: 'Owner' | 'Member' = 'Member'): Promise<string> {
    const person = { email: newAddress(), passwordHash: 'none', role }
    return await addMember(store().db, world.organizationId, person)
  }

  async function findAccount(id: string) {
    return await store()
      .db.selectFrom('user_account')
      .select(['email', 'name', 'managed_by', 'password_hash'])
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

  test(`POST ${USERS} › 201 with the user, whose account is managed and without a password`, async () => {
    const email = newAddress()
    const response = await directory.send('POST', '/Users', {
      userName: 'E-4711',
      externalId: uniqueId(),
      name: { givenName: 'Ada', familyName: 'Byron' },
      emails: [
        { value: newAddress(), type: 'home' },
        { value: email, type: 'work', primary: true },
      ],
      password: 'ignored',
      unknown: { nested: true },
    })
    const { meta, id, ...user } = await readJson<ScimUser & { schemas: string[] }>(
      Promise.resolve(response),
      201,
    )
    assert.equal(response.headers.get('content-type'), 'application/scim+json')
    assert.equal(response.headers.get('location'), `http://portbook.test${USERS}/${id}`)
    assert.equal(response.headers.get('etag'), meta.version)
    assert.equal(meta.resourceType, 'User')
    const { externalId, ...rest } = user
    assert.ok(externalId)
    assert.deepEqual(rest, {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'E-4711',
      name: { formatted: 'Ada Byron', givenName: 'Ada', familyName: 'Byron' },
      displayName: 'Ada Byron',
      emails: [{ value: email, type: 'work', primary: true }],
      active: true,
    })
    const account = await findAccount(id)
    assert.deepEqual(account, {
      email,
      name: 'Ada Byron',
      managed_by: world.organizationId,
      password_hash: '',
    })
  })

  test(`POST ${USERS} › 409 for a taken user name, external id or address, and without an address`, async () => {
    const email = newAddress()
    const externalId = uniqueId()
    const { id } = await directory.createUser({ userName: email, externalId })
    const number = { userName: uniqueId(), emails: [{ value: newAddress() }] }
    for (const [taken, by] of [
      [{ userName: email.toUpperCase() }, /email|userName/],
      [{ ...number, externalId }, /externalId/],
      [{ ...number, emails: [{ value: email }] }, /email/],
    ] as const) {
      const sentence = await expectScimError(
        directory.send('POST', '/Users', taken),
        409,
        'uniqueness',
      )
      assert.match(sentence, by)
      assert.ok(sentence.includes(id))
    }
    const without = directory.send('POST', '/Users', { userName: 'E-1' })
    assert.match(await expectScimError(without, 409, 'uniqueness'), /no e-mail address/)
    // Another organization has its own people.
    await other.createUser({ userName: email, externalId })
  })

  test(`POST ${USERS} › 409 for one of two at once with one user name`, async () => {
    for (const same of ['userName', 'emails'] as const) {
      const user = () => ({
        userName: same === 'userName' ? name : newAddress(),
        emails: [{ value: same === 'emails' ? name : newAddress() }],
      })
      const name = newAddress()
      const answers = await Promise.all(
        [1, 2, 3].map(() => directory.send('POST', '/Users', user())),
      )
      const statuses = answers.map(({ status }) => String(status)).toSorted()
      assert.deepEqual(statuses, ['201', '409', '409'])
    }
  })

  test(`POST ${USERS} › 400 for values of another type`, async () => {
    const userName = newAddress()
    for (const wrong of [
      {},
      { userName: '' },
      { userName: 5 },
      { userName, active: 'perhaps' },
      { userName, name: 'Ada' },
      { userName, displayName: 'a\u0007b' },
      { userName, displayName: 'x'.repeat(201) },
      { userName, emails: [{ value: 5 }] },
    ]) {
      await expectScimError(directory.send('POST', '/Users', wrong), 400, 'invalidValue')
    }
    await expectScimError(directory.send('POST', '/Users', '{'), 400, 'invalidSyntax')
  })

  test(`GET ${USERS} › finds people from before, by every attribute in any letter case`, async () => {
    const id = await addPerson()
    const { email } = await findAccount(id)
    const externalId = uniqueId()
    const made = await directory.createUser({ externalId, displayName: `Zoe ${externalId}` })
    for (const [filter, found] of [
      [`userName eq "${email.toUpperCase()}"`, [id]],
      [`username EQ "${email}" and active eq True`, [id]],
      [`emails eq "${email}"`, [id]],
      [`emails.value eq "${email}"`, [id]],
      [`emails[type eq "work"].value eq "${email}"`, [id]],
      [`emails[type eq "work" and value eq "${email}"]`, [id]],
      [`emails[type eq "home"].value eq "${email}"`, []],
      [`(id eq "${id}")`, [id]],
      [`id eq "none"`, []],
      [`externalId eq "${externalId}"`, [made.id]],
      [`externalId eq "${externalId.toUpperCase()}"`, []],
      [`displayName eq "zoe ${externalId}"`, [made.id]],
      [`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${made.userName}"`, [made.id]],
      [`userName eq "${made.userName}" and active eq false`, []],
    ] satisfies [string, string[]][]) {
      const { Resources, totalResults, resources } = await find(filter)
      assert.deepEqual(
        Resources.map(({ id: user }) => user),
        found,
        filter,
      )
      assert.equal(totalResults, found.length)
      assert.deepEqual(resources, Resources)
    }
    const theirs: ScimList<ScimUser> = await other.ask(
      'GET',
      `/Users?filter=${encodeURIComponent(`externalId eq "${externalId}"`)}`,
    )
    assert.equal(theirs.totalResults, 0)
  })

  test(`GET ${USERS} › 400 for filters that cannot be read or are not supported`, async () => {
    for (const filter of [
      'userName',
      'userName eq',
      'userName co "a"',
      'userName eq "a" or userName eq "b"',
      'not (userName eq "a")',
      'password eq "a"',
      'id eq 5',
      'id eq null',
      `${'('.repeat(21)}id eq "a"${')'.repeat(21)}`,
      `userName eq "${'x'.repeat(2000)}"`,
      '"'.repeat(30),
      '['.repeat(1999),
    ]) {
      const answer = directory.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      await expectScimError(answer, 400, 'invalidFilter')
    }
  })

  test(`GET ${USERS} › pages in the order of creation, with totals only for count=0`, async () => {
    const own = await newDirectory(await newWorld(product))
    const made: string[] = []
    for (const at of [1, 2, 3, 4]) made.push((await own.createUser({ displayName: `P ${at}` })).id)
    const page = (query: string): Promise<ScimList<ScimUser>> => own.ask('GET', `/Users?${query}`)
    const { Resources: last } = await page('startIndex=4&count=100')
    assert.deepEqual(
      last.map(({ id }) => id),
      made,
    )
    const { Resources, ...two } = await page('startIndex=5&count=2')
    assert.deepEqual(
      Resources.map(({ id }) => id),
      made.slice(1, 3),
    )
    const { totalResults, startIndex, itemsPerPage } = two
    assert.deepEqual(
      { totalResults, startIndex, itemsPerPage },
      { totalResults: 7, startIndex: 5, itemsPerPage: 2 },
    )
    assert.deepEqual((await page('count=0')).Resources, [])
    assert.equal((await page('count=0')).totalResults, 7)
    assert.equal((await page('startIndex=-3&count=-1')).startIndex, 1)
    assert.deepEqual((await page('startIndex=99')).Resources, [])
    assert.equal((await page('count=99999')).itemsPerPage, 7)
    await expectScimError(own.send('GET', '/Users?count=many'), 400, 'invalidValue')
  })

  test(`GET ${USERS} › selects and excludes attributes`, async () => {
    const { id } = await directory.createUser({ name: { givenName: 'Ada', familyName: 'Byron' } })
    const get = (query: string): Promise<object> => directory.ask('GET', `/Users/${id}?${query}`)
    assert.deepEqual(Object.keys(await get('attributes=userName')), [
      'schemas',
      'id',
      'userName',
      'meta',
    ])
    const { name } = (await get('attributes=name.familyName')) as ScimUser
    assert.deepEqual(name, { familyName: 'Byron' })
    const rest = (await get('excludedAttributes=emails,name.givenName,id')) as ScimUser
    assert.deepEqual(rest.name, { formatted: 'Ada Byron', familyName: 'Byron' })
    assert.equal(rest.id, id)
    assert.ok(!('emails' in rest))
  })

  test(`GET ${USERS}/{id} › 404 for unknown people and those of another organization, 304 for the same version`, async () => {
    const { id, meta } = await directory.createUser()
    for (const unknown of [randomUUID(), 'x']) {
      await expectScimError(directory.send('GET', `/Users/${unknown}`), 404)
    }
    await expectScimError(other.send('GET', `/Users/${id}`), 404)
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const body = method === 'PUT' ? { userName: 'x' } : { Operations: [] }
      await expectScimError(other.send(method, `/Users/${id}`, body), 404)
    }
    const headers = { 'if-none-match': meta.version }
    const same = await directory.send('GET', `/Users/${id}`, undefined, headers)
    assert.equal(same.status, 304)
  })

  test(`PUT ${USERS}/{id} › replaces attributes, keeps active, and writes nothing when repeated`, async () => {
    const { id } = await directory.createUser({ active: false, name: { givenName: 'Ada' } })
    const email = newAddress()
    const body = { userName: email, externalId: uniqueId(), displayName: 'Ada Byron' }
    const first = await directory.ask<ScimUser>('PUT', `/Users/${id}`, body)
    assert.equal(first.active, false)
    assert.equal(first.emails[0]?.value, email)
    assert.equal(first.name.givenName, undefined)
    assert.equal(await countEntries(id, 'updated'), 1)
    const again = await directory.ask<ScimUser>('PUT', `/Users/${id}`, body)
    assert.deepEqual(again, first)
    assert.equal(await countEntries(id, 'updated'), 1)
  })

  test(`PATCH ${USERS}/{id} › 412 if the version is not current, 200 if it is`, async () => {
    const { id, meta } = await directory.createUser()
    const body = { Operations: [{ op: 'replace', path: 'displayName', value: 'New' }] }
    const send = (version: string): Promise<Response> =>
      directory.send('PATCH', `/Users/${id}`, body, { 'if-match': version })
    await expectScimError(send('W/"other"'), 412)
    const changed = await readJson<ScimUser>(send(meta.version))
    assert.notEqual(changed.meta.version, meta.version)
    await expectScimError(send(meta.version), 412)
    const stale = { 'if-match': meta.version }
    await expectScimError(directory.send('DELETE', `/Users/${id}`, undefined, stale), 412)
  })

  test(`DELETE ${USERS}/{id} › 204, then 404, and the person is not a member`, async () => {
    const { id, userName } = await directory.createUser()
    await readText(directory.send('DELETE', `/Users/${id}`), 204)
    await expectScimError(directory.send('DELETE', `/Users/${id}`), 404)
    await expectScimError(directory.send('GET', `/Users/${id}`), 404)
    assert.equal((await find(`userName eq "${userName}"`)).totalResults, 0)
    // The same person comes back with the same account.
    assert.equal((await directory.createUser({ userName })).id, id)
  })

  test(`${USERS}/{id} › 403 for the last owner and a break-glass owner, and nothing changes`, async () => {
    const own = await newWorld(product)
    const mine = await newDirectory(own)
    const owner = own.userIds.Uo
    const expectProtected = async (id: string, sentence: RegExp): Promise<void> => {
      const path = `/Users/${id}`
      const user = await mine.ask<ScimUser>('GET', path)
      const suspend = { op: 'replace', path: 'active', value: 'False' }
      const rename = { op: 'replace', path: 'displayName', value: 'Other' }
      assert.match(await expectScimError(mine.send('DELETE', path), 403), sentence)
      assert.match(await expectScimError(mine.patch(path, [rename, suspend]), 403), sentence)
      const put = mine.send('PUT', path, { userName: 'x', active: false })
      assert.match(await expectScimError(put, 403), sentence)
      assert.deepEqual(await mine.ask('GET', path), user)
    }
    await expectProtected(owner, /last owner/)
    const second = await addMember(store().db, own.organizationId, {
      email: newAddress(),
      passwordHash: 'none',
      role: 'Owner',
    })
    await store()
      .db.insertInto('break_glass')
      .values({ organization_id: own.organizationId, user_id: second, created_by: 'system' })
      .execute()
    await expectProtected(second, /break-glass/)
    await readText(mine.send('DELETE', `/Users/${owner}`), 204)
  })
})
