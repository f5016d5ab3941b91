import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { readJson, readText } from '../../../test/answers.ts'
import { newDirectory, expectScimError } from '../../../test/directory.ts'
import type { Directory, ScimGroup, ScimList } from '../../../test/directory.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type Product } from '../../../test/world.ts'

const GROUPS = '/api/scim/v2/Groups'

onStore((store) => {
  let product: Product
  let directory: Directory
  let other: Directory
  let people: string[]
  before(async () => {
    product = newProduct(store())
    directory = await newDirectory(await newWorld(product))
    other = await newDirectory(await newWorld(product))
    people = []
    for (const name of ['Ada', 'Bea', 'Cem', 'Dan']) {
      people.push((await directory.createUser({ displayName: name })).id)
    }
  })

  async function countEntries(id: string): Promise<number> {
    const rows = await store()
      .db.selectFrom('activity_entry')
      .select('action')
      .where('subject', '=', id)
      .where('kind', '=', 'directory')
      .execute()
    return rows.length
  }

  const [a, b, c, d] = [0, 1, 2, 3].map((at) => () => people[at] ?? assert.fail())

  test(`POST ${GROUPS} › 201 with the group and its members, 409 for a second with the name or the external id`, async () => {
    const externalId = uniqueId()
    const displayName = `Öre ${uniqueId()}`
    const response = await directory.send('POST', '/Groups', {
      displayName,
      externalId,
      members: [
        { value: b?.().toUpperCase(), $ref: 'x', type: 'User' },
        { value: a?.() },
        { value: a?.() },
      ],
    })
    const { meta, id, ...group } = await readJson<ScimGroup>(Promise.resolve(response), 201)
    assert.equal(response.headers.get('location'), meta.location)
    assert.equal(response.headers.get('etag'), 'W/"1"')
    assert.deepEqual(group, {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      externalId,
      displayName,
      members: [toMember(a?.(), 'Ada'), toMember(b?.(), 'Bea')],
    })
    const names = [{ displayName: displayName.toUpperCase() }, { displayName: 'x', externalId }]
    for (const taken of names) {
      await expectScimError(directory.send('POST', '/Groups', taken), 409, 'uniqueness')
    }
    await other.createGroup([], { displayName, externalId })
    assert.equal(await countEntries(id), 1)
  })

  test(`POST ${GROUPS} › 400 for unknown, foreign and nested members, and nothing is written`, async () => {
    const displayName = `Group ${uniqueId()}`
    const foreign = await other.createUser()
    for (const member of [
      { value: randomUUID() },
      { value: foreign.id },
      { value: 'x' },
      { value: a?.(), type: 'Group' },
      { value: 5 },
      {},
    ]) {
      const body = { displayName, members: [{ value: a?.() }, member] }
      await expectScimError(directory.send('POST', '/Groups', body), 400, 'invalidValue')
    }
    for (const body of [
      {},
      { displayName: '' },
      { displayName: 'a\u0000b' },
      { displayName: 'x'.repeat(257) },
    ]) {
      const response = await directory.send('POST', '/Groups', body)
      assert.equal(response.status, 400)
    }
    const found = await directory.ask<ScimList<ScimGroup>>(
      'GET',
      `/Groups?filter=${encodeURIComponent(`displayName eq "${displayName}"`)}`,
    )
    assert.equal(found.totalResults, 0)
  })

  // Each list of operations has the members before and after.
  for (const [what, operations, expected] of [
    ['add of Entra ID', () => [{ op: 'Add', path: 'members', value: [{ value: c?.() }] }], 'abc'],
    ['add of one object', () => [{ op: 'add', path: 'members', value: { value: c?.() } }], 'abc'],
    [
      'add of a member twice',
      () => [{ op: 'add', path: 'members', value: [{ value: a?.() }] }],
      'ab',
    ],
    ['add without a path', () => [{ op: 'add', value: { members: [{ value: d?.() }] } }], 'abd'],
    ['remove by a filter', () => [{ op: 'remove', path: `members[value eq "${a?.()}"]` }], 'b'],
    [
      'remove in capitals',
      () => [{ op: 'Remove', path: `Members[Value EQ "${a?.().toUpperCase()}"]` }],
      'b',
    ],
    [
      'remove with a list of Entra ID',
      () => [{ op: 'Remove', path: 'members', value: [{ value: a?.() }] }],
      'b',
    ],
    ['remove with an empty list', () => [{ op: 'remove', path: 'members', value: [] }], 'ab'],
    [
      'remove of an unknown member',
      () => [{ op: 'remove', path: 'members', value: [{ value: randomUUID() }, { value: 'x' }] }],
      'ab',
    ],
    ['remove of all', () => [{ op: 'remove', path: 'members' }], ''],
    [
      'replace',
      () => [{ op: 'Replace', path: 'members', value: [{ value: b?.() }, { value: c?.() }] }],
      'bc',
    ],
    [
      'replace without a path',
      () => [
        { op: 'replace', value: { members: [{ value: c?.() }], displayName: `G ${uniqueId()}` } },
      ],
      'c',
    ],
    ['replace with nothing', () => [{ op: 'replace', path: 'members', value: null }], ''],
    [
      'a URN',
      () => [
        {
          op: 'add',
          path: 'urn:ietf:params:scim:schemas:core:2.0:Group:members',
          value: [{ value: d?.() }],
        },
      ],
      'abd',
    ],
    [
      'several in their order',
      () => [
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'members', value: [{ value: c?.() }, { value: d?.() }] },
        { op: 'remove', path: `members[value eq "${d?.()}"]` },
        { op: 'add', path: 'members', value: [{ value: a?.() }] },
      ],
      'ac',
    ],
  ] as const) {
    test(`PATCH ${GROUPS}/{id} › ${what}, and a repeat changes nothing`, async () => {
      const { id } = await directory.createGroup([a?.() ?? '', b?.() ?? ''])
      const twin = await directory.createGroup([a?.() ?? '', b?.() ?? ''])
      const sent = operations()
      const ids = people.filter((_, at) => expected.includes('abcd'.charAt(at))).toSorted()
      const first = await directory.patch(`/Groups/${id}`, sent)
      assert.equal(first.status, 204)
      assert.deepEqual(await directory.getMembers(id), ids)
      const again = await directory.patch(`/Groups/${id}`, sent)
      assert.equal(again.headers.get('etag'), first.headers.get('etag'))
      const entries = expected === 'ab' ? 1 : 2
      assert.equal(await countEntries(id), entries)
      assert.equal((await directory.getMembers(twin.id)).length, 2)
    })
  }

  test(`PATCH ${GROUPS}/{id} › renames as Okta does, with the id, and answers clients that send JSON`, async () => {
    const { id } = await directory.createGroup([a?.() ?? ''])
    const displayName = `Renamed ${uniqueId()}`
    const body = { Operations: [{ op: 'replace', value: { id, displayName, externalId: 'x' } }] }
    const json = { 'content-type': 'application/json' }
    const group = await readJson<ScimGroup>(directory.send('PATCH', `/Groups/${id}`, body, json))
    assert.deepEqual(
      [group.displayName, group.externalId, group.members?.length],
      [displayName, 'x', 1],
    )
    const selected = directory.send('PATCH', `/Groups/${id}?attributes=displayName`, body)
    assert.equal((await readJson<ScimGroup>(selected)).members, undefined)
  })

  test(`PATCH ${GROUPS}/{id} › 400 for an unknown member beside others, and nothing is written`, async () => {
    const group = await directory.createGroup([a?.() ?? ''])
    const operations = [
      { op: 'add', path: 'members', value: [{ value: b?.() }] },
      { op: 'replace', path: 'displayName', value: 'Other' },
      { op: 'add', path: 'members', value: [{ value: randomUUID() }] },
    ]
    await expectScimError(directory.patch(`/Groups/${group.id}`, operations), 400, 'invalidValue')
    assert.deepEqual(await directory.ask('GET', `/Groups/${group.id}`), group)
  })

  test(`PATCH ${GROUPS}/{id} › 412 for another version, 409 for a taken name`, async () => {
    const taken = await directory.createGroup([])
    const group = await directory.createGroup([])
    const body = { Operations: [{ op: 'replace', path: 'displayName', value: taken.displayName }] }
    const path = `/Groups/${group.id}`
    await expectScimError(directory.send('PATCH', path, body, { 'if-match': 'W/"9"' }), 412)
    await expectScimError(
      directory.send('PATCH', path, body, { 'if-match': group.meta.version }),
      409,
      'uniqueness',
    )
    await expectScimError(
      directory.send('PUT', path, { displayName: 'x' }, { 'if-match': '"9"' }),
      412,
    )
    await expectScimError(directory.send('DELETE', path, undefined, { 'if-match': '"9"' }), 412)
  })

  test(`PATCH ${GROUPS}/{id} › loses no member of many concurrent requests`, async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => directory.createUser()))
    const ids = users.map(({ id }) => id)
    const groups = [await directory.createGroup([]), await directory.createGroup([])]
    const answers = await Promise.all(
      ids.flatMap((value, at) =>
        (at % 2 === 0 ? groups : groups.toReversed()).map(({ id }) =>
          directory.patch(`/Groups/${id}`, [{ op: 'add', path: 'members', value: [{ value }] }]),
        ),
      ),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]))
    for (const { id } of groups) assert.deepEqual(await directory.getMembers(id), ids.toSorted())
  })

  test(`PATCH ${GROUPS}/{id} › ends in either order beside the removal of a member`, async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => directory.createUser()))
    const group = await directory.createGroup([])
    const answers = await Promise.all(
      users.flatMap(({ id: value }) => [
        directory.patch(`/Groups/${group.id}`, [
          { op: 'add', path: 'members', value: [{ value }] },
        ]),
        directory.send('DELETE', `/Users/${value}`),
      ]),
    )
    for (const { status } of answers) assert.ok(status === 204 || status === 400, String(status))
    assert.deepEqual(await directory.getMembers(group.id), [])
  })

  test(`PUT ${GROUPS}/{id} › replaces everything, and writes nothing when repeated`, async () => {
    const { id } = await directory.createGroup([a?.() ?? '', b?.() ?? ''], {
      externalId: uniqueId(),
    })
    const body = { displayName: `Other ${uniqueId()}`, members: [{ value: c?.() }] }
    const first = await directory.ask<ScimGroup>('PUT', `/Groups/${id}`, body)
    assert.deepEqual(
      first.members?.map(({ value }) => value),
      [c?.()],
    )
    assert.equal(first.externalId, undefined)
    assert.deepEqual(await directory.ask('PUT', `/Groups/${id}`, body), first)
    assert.equal(await countEntries(id), 2)
    const { members } = await directory.ask<ScimGroup>('PUT', `/Groups/${id}`, {
      displayName: body.displayName,
    })
    assert.deepEqual(members, [])
  })

  test(`GET ${GROUPS} › filters, excludes members, and pages in the order of creation`, async () => {
    const own = await newDirectory(await newWorld(product))
    const user = await own.createUser()
    const made: ScimGroup[] = []
    for (const externalId of ['x', 'Y', 'z']) {
      made.push(await own.createGroup(externalId === 'x' ? [] : [user.id], { externalId }))
    }
    const [x, y, z] = made.map(({ id }) => id)
    const list = async (query: string): Promise<(string | undefined)[]> => {
      const page = await own.ask<ScimList<ScimGroup>>('GET', `/Groups?${query}`)
      assert.deepEqual(page.resources, page.Resources)
      return page.Resources.map(({ id }) => id)
    }
    const filter = (text: string): Promise<(string | undefined)[]> =>
      list(`filter=${encodeURIComponent(text)}`)
    assert.deepEqual(await list(''), [x, y, z])
    assert.deepEqual(await list('startIndex=2&count=1'), [y])
    assert.deepEqual(await filter(`displayName eq "${made[0]?.displayName.toUpperCase()}"`), [x])
    assert.deepEqual(await filter('externalId eq "Y"'), [y])
    assert.deepEqual(await filter('externalId eq "y"'), [])
    for (const members of [
      `members eq "${user.id}"`,
      `members.value eq "${user.id.toUpperCase()}"`,
      `members[value eq "${user.id}"]`,
    ]) {
      assert.deepEqual(await filter(members), [y, z], members)
      assert.deepEqual(await filter(`id eq "${z}" and ${members}`), [z])
    }
    const refused = own.send('GET', `/Groups?filter=${encodeURIComponent('userName eq "x"')}`)
    await expectScimError(refused, 400, 'invalidFilter')
    const page = await own.ask<ScimList<ScimGroup>>('GET', '/Groups?excludedAttributes=members')
    assert.ok(page.Resources.every((group) => !('members' in group)))
    assert.equal(
      (
        await other.ask<ScimList<ScimGroup>>(
          'GET',
          `/Groups?filter=${encodeURIComponent(`id eq "${x}"`)}`,
        )
      ).totalResults,
      0,
    )
  })

  test(`DELETE ${GROUPS}/{id} › 204, then 404; not of another organization`, async () => {
    const { id } = await directory.createGroup([a?.() ?? ''])
    await expectScimError(other.send('DELETE', `/Groups/${id}`), 404)
    await expectScimError(other.send('GET', `/Groups/${id}`), 404)
    await expectScimError(other.send('PUT', `/Groups/${id}`, { displayName: 'x' }), 404)
    await readText(directory.send('DELETE', `/Groups/${id}`), 204)
    await expectScimError(directory.send('DELETE', `/Groups/${id}`), 404)
    await expectScimError(directory.patch(`/Groups/${id}`, []), 404)
  })

  test(`GET ${GROUPS}/{id} › another version after a member was removed from the organization`, async () => {
    const user = await directory.createUser()
    const { id, meta } = await directory.createGroup([user.id])
    await readText(directory.send('DELETE', `/Users/${user.id}`), 204)
    const group = await directory.ask<ScimGroup>('GET', `/Groups/${id}`)
    assert.deepEqual(group.members, [])
    assert.notEqual(group.meta.version, meta.version)
  })
})

function toMember(value: string | undefined, display: string) {
  return { value, display, type: 'User', $ref: `http://portbook.test/api/scim/v2/Users/${value}` }
}
