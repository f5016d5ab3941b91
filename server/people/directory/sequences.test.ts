import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson } from '../../../test/answers.ts'
import { newAddress, newDirectory } from '../../../test/directory.ts'
import type { Directory, ScimGroup, ScimList, ScimUser } from '../../../test/directory.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId } from '../../../test/world.ts'

// The requests of directories in their order and form, from the documentation of the vendors.

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

onStore((store) => {
  let directory: Directory
  before(async () => {
    directory = await newDirectory(await newWorld(newProduct(store())))
  })

  const find = async (kind: 'Users' | 'Groups', filter: string, more = ''): Promise<string[]> => {
    const query = `filter=${encodeURIComponent(filter)}${more}`
    const page = await directory.ask<ScimList<ScimUser>>('GET', `/${kind}?${query}`)
    return page.Resources.map(({ id }) => id)
  }

  test('Entra ID › tests the connection, creates, updates, suspends and restores a person, and fills a group', async () => {
    assert.deepEqual(await find('Users', `userName eq "${uniqueId()}"`), [])
    const mail = newAddress()
    const userName = newAddress()
    assert.deepEqual(await find('Users', `userName eq "${userName}"`), [])
    const { id, ...created } = await directory.ask<ScimUser>('POST', '/Users', {
      schemas: [`${CORE}:User`, ENTERPRISE],
      externalId: uniqueId(),
      userName,
      active: true,
      emails: [{ primary: true, type: 'work', value: mail }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      [ENTERPRISE]: { employeeNumber: '42', manager: { value: 'none' } },
      roles: [],
    })
    assert.equal(created.emails[0]?.value, mail)
    assert.deepEqual(await find('Users', `userName eq "${userName}"`), [id])
    const [renamed, address] = [newAddress(), newAddress()]
    const updated = await readJson<ScimUser>(
      directory.patch(`/Users/${id}`, [
        { op: 'Replace', path: 'emails[type eq "work"].value', value: address },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '555' },
        { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Sales' },
        { op: 'Replace', path: 'userName', value: renamed },
      ]),
    )
    assert.deepEqual(
      [updated.userName, updated.emails[0]?.value, updated.name.familyName],
      [renamed, address, 'updatedFamilyName'],
    )
    const set = (active: string): Promise<ScimUser> =>
      readJson(directory.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: active }]))
    assert.equal((await set('False')).active, false)
    assert.equal((await set('True')).active, true)
    // Periodic confirmations of what is so already are no errors.
    assert.equal((await set('True')).active, true)

    const displayName = `Group ${uniqueId()}`
    const filter = `displayName eq "${displayName}"`
    assert.deepEqual(await find('Groups', filter, '&excludedAttributes=members'), [])
    const group = await directory.ask<ScimGroup>('POST', '/Groups', {
      schemas: [
        `${CORE}:Group`,
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
      ],
      externalId: uniqueId(),
      displayName,
      meta: { resourceType: 'Group' },
    })
    const other = await directory.createUser()
    const members = [
      { $ref: null, value: id },
      { $ref: null, value: other.id },
    ]
    const path = `/Groups/${group.id}`
    assert.equal(
      await status(directory.patch(path, [{ op: 'Add', path: 'members', value: members }])),
      204,
    )
    assert.deepEqual(await find('Groups', `id eq "${group.id}" and members eq "${id}"`), [group.id])
    const leaving = [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }]
    assert.equal(await status(directory.patch(path, leaving)), 204)
    assert.deepEqual(await directory.getMembers(group.id), [other.id])
    const rename = [{ op: 'Replace', path: 'displayName', value: `${displayName} 2` }]
    assert.equal(await status(directory.patch(path, rename)), 204)
    assert.equal(await status(directory.send('DELETE', path)), 204)
    assert.equal(await status(directory.send('DELETE', `/Users/${id}`)), 204)
  })

  test('Okta › imports people, creates one, updates and deactivates, and pushes a group', async () => {
    const first = await directory.ask<ScimList<ScimUser>>('GET', '/Users?startIndex=1&count=2')
    assert.equal(first.itemsPerPage, 2)
    const userName = newAddress()
    assert.deepEqual(
      await find('Users', `userName eq "${userName}"`, '&startIndex=1&count=100'),
      [],
    )
    const body = {
      schemas: [`${CORE}:User`],
      userName,
      name: { givenName: 'Isaac', familyName: 'Brock' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Isaac Brock',
      locale: 'en-US',
      externalId: uniqueId(),
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    const user = await directory.ask<ScimUser>('POST', '/Users', body)
    assert.deepEqual(await directory.ask('GET', `/Users/${user.id}`), user)
    const renamed = { ...body, id: user.id, name: { givenName: 'I.', familyName: 'Brock' } }
    const put = await directory.ask<ScimUser>('PUT', `/Users/${user.id}`, renamed)
    assert.equal(put.name.givenName, 'I.')
    const set = (active: boolean): Promise<ScimUser> =>
      directory.ask('PATCH', `/Users/${user.id}`, {
        schemas: [PATCH_SCHEMA],
        Operations: [{ op: 'replace', value: { active } }],
      })
    assert.equal((await set(false)).active, false)
    assert.equal((await directory.ask<ScimUser>('GET', `/Users/${user.id}`)).active, false)
    assert.equal((await set(true)).active, true)

    const displayName = `Pushed ${uniqueId()}`
    const group = await directory.ask<ScimGroup>('POST', '/Groups', {
      schemas: [`${CORE}:Group`],
      displayName,
      members: [{ value: user.id, display: userName }],
    })
    const rename = { op: 'replace', value: { id: group.id, displayName: `${displayName} 2` } }
    assert.equal(await status(directory.patch(`/Groups/${group.id}`, [rename])), 204)
    const changes = [
      { op: 'remove', path: `members[value eq "${user.id}"]` },
      { op: 'add', path: 'members', value: [{ value: user.id, display: userName }] },
    ]
    assert.equal(await status(directory.patch(`/Groups/${group.id}`, changes)), 204)
    const after = await directory.ask<ScimGroup>('GET', `/Groups/${group.id}`)
    assert.equal(after.displayName, `${displayName} 2`)
    assert.deepEqual(
      after.members?.map(({ value }) => value),
      [user.id],
    )
  })
})

async function status(answer: Promise<Response>): Promise<number> {
  return (await answer).status
}
