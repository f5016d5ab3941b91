import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as fc from 'fast-check'
import { newAddress, newDirectory } from '../../../test/directory.ts'
import type { Directory, ScimGroup, ScimList, ScimUser } from '../../../test/directory.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type Product } from '../../../test/world.ts'
import { endAccessOfPerson } from '../../agreements/occasion-service.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { removeSuspendedMembers } from '../organizations/suspension-service.ts'

/** A write of a directory about one of a few people and groups. */
type Write = PersonWrite | Change

interface PersonWrite {
  kind: 'create' | 'delete'
  person: number
}

/** A change of what exists. */
type Change =
  | { kind: 'set'; person: number; active: boolean }
  | { kind: 'join' | 'leave'; person: number; group: number }
  | { kind: 'fill'; group: number; people: number[] }

const PEOPLE = 4
const GROUPS = 2
const person = fc.integer({ min: 0, max: PEOPLE - 1 })
const group = fc.integer({ min: 0, max: GROUPS - 1 })
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ kind: fc.constantFrom('create', 'delete'), person }),
  fc.record({ kind: fc.constant('set'), person, active: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('join', 'leave'), person, group }),
  fc.record({ kind: fc.constant('fill'), group, people: fc.uniqueArray(person) }),
)

onStore((store) => {
  let product: Product
  let second: Product
  before(() => {
    product = newProduct(store())
    second = newProduct(store())
  })

  test('random writes of a directory › equal a model, and a repeat changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 15 }), async (writes) => {
        await checkWrites(await newDirectory(await newWorld(product)), writes)
      }),
      { numRuns: 12 },
    )
  })

  test('two processes › lose no member of one group, and create each person once', async () => {
    const world = await newWorld(product)
    const first = await newDirectory(world)
    const other = await newDirectory({ ...world, ...second }, first.key)
    const groupId = (await first.createGroup([])).id
    const names = Array.from({ length: 10 }, newAddress)
    const answers = await Promise.all(
      names.flatMap((userName) =>
        [first, other].map((one) => one.send('POST', '/Users', { userName })),
      ),
    )
    const created = answers.filter(({ status }) => status === 201)
    assert.deepEqual([created.length, answers.length], [10, 20])
    const ids = await Promise.all(
      created.map(async (answer) => ((await answer.json()) as ScimUser).id),
    )
    await Promise.all(
      ids.map((value, at) =>
        (at % 2 === 0 ? first : other).patch(`/Groups/${groupId}`, [
          { op: 'add', path: 'members', value: [{ value }] },
        ]),
      ),
    )
    assert.deepEqual(await other.getMembers(groupId), ids.toSorted())
  })

  test('the upkeep › removes members after 30 days of suspension, without the last owner and break-glass owners', async () => {
    const world = await newWorld(product)
    const directory = await newDirectory(world)
    const [late, early] = [await directory.createUser(), await directory.createUser()]
    const restored = await directory.createUser()
    const { db } = store()
    const suspend = async (id: string, days: number): Promise<void> => {
      await db
        .updateTable('organization_member')
        .set({ suspended_at: new Date(Date.UTC(2030, 0, 31 - days)).toISOString() })
        .where('organization_id', '=', world.organizationId)
        .where('user_id', '=', id)
        .execute()
    }
    const { Uo, Um } = world.userIds
    await suspend(late.id, 31)
    await suspend(early.id, 29)
    await suspend(Uo, 40)
    await suspend(Um, 40)
    await db
      .insertInto('break_glass')
      .values({ organization_id: world.organizationId, user_id: Um, created_by: 'system' })
      .execute()
    const warnings: object[] = []
    const log = { warn: (facts: object) => warnings.push(facts) }
    const clock = fixedClock('2030-01-31T00:00:00Z')
    const services = { db, clock, log: log as never }
    assert.ok((await removeSuspendedMembers(services, endAccessOfPerson)) >= 1)
    const kept = await directory.ask<ScimList<ScimUser>>('GET', '/Users')
    const ids = kept.Resources.map(({ id }) => id)
    assert.deepEqual(
      [late, early, restored, { id: Uo }, { id: Um }].map(({ id }) => ids.includes(id)),
      [false, true, true, true, true],
    )
    const reported = warnings.filter(
      (facts) => (facts as { organizationId: string }).organizationId === world.organizationId,
    )
    assert.equal(reported.length, 2)
  })
})

/** Makes each write twice, and compares the result with sets of members. */
async function checkWrites(directory: Directory, writes: readonly Write[]): Promise<void> {
  const names = Array.from({ length: PEOPLE }, newAddress)
  const ids: (string | undefined)[] = names.map(() => undefined)
  const active = names.map(() => true)
  const groups: { id: string; members: Set<number> }[] = []
  for (let at = 0; at < GROUPS; at += 1) {
    groups.push({ id: (await directory.createGroup([])).id, members: new Set() })
  }
  for (const one of writes) {
    if ('person' in one && (one.kind === 'create') !== (ids[one.person] === undefined)) continue
    if (!isChange(one)) {
      await writePerson(directory, one, { names, ids })
      active[one.person] = true
      if (one.kind === 'delete') for (const { members } of groups) members.delete(one.person)
      continue
    }
    const { path, operation } = toRequest(one, ids, groups)
    if (one.kind === 'set') active[one.person] = one.active
    else changeModel(groups[one.group]?.members ?? new Set(), one, ids)
    await directory.patch(path, [operation])
    const once = await directory.ask('GET', path)
    await directory.patch(path, [operation])
    assert.deepEqual(await directory.ask('GET', path), once)
  }
  for (const [at, id] of ids.entries()) {
    if (id === undefined) continue
    assert.equal((await directory.ask<ScimUser>('GET', `/Users/${id}`)).active, active[at])
  }
  for (const { id, members } of groups) {
    const expected = ids.flatMap((one, at) => (members.has(at) && one) || []).toSorted()
    const { members: actual = [] } = await directory.ask<ScimGroup>('GET', `/Groups/${id}`)
    assert.deepEqual(actual.map(({ value }) => value).toSorted(), expected)
  }
}

function isChange(one: Write): one is Change {
  return one.kind !== 'create' && one.kind !== 'delete'
}

async function writePerson(
  directory: Directory,
  { kind, person: at }: PersonWrite,
  { names, ids }: { names: readonly string[]; ids: (string | undefined)[] },
): Promise<void> {
  if (kind === 'create') {
    ids[at] = (await directory.createUser({ userName: names[at] })).id
    return
  }
  assert.equal((await directory.send('DELETE', `/Users/${ids[at]}`)).status, 204)
  ids[at] = undefined
}

function toRequest(
  one: Change,
  ids: readonly (string | undefined)[],
  groups: readonly { id: string }[],
): { path: string; operation: object } {
  if (one.kind === 'set') {
    const operation = { op: 'Replace', path: 'active', value: one.active ? 'True' : 'False' }
    return { path: `/Users/${ids[one.person]}`, operation }
  }
  const path = `/Groups/${groups[one.group]?.id}`
  if (one.kind === 'fill') {
    const value = one.people.flatMap((at) => ids[at] ?? []).map((id) => ({ value: id }))
    return { path, operation: { op: 'replace', path: 'members', value } }
  }
  const value = [{ value: ids[one.person] }]
  return { path, operation: { op: one.kind === 'join' ? 'Add' : 'Remove', path: 'members', value } }
}

function changeModel(
  members: Set<number>,
  one: Exclude<Change, { kind: 'set' }>,
  ids: readonly (string | undefined)[],
): void {
  if (one.kind === 'fill') {
    members.clear()
    for (const at of one.people) if (ids[at] !== undefined) members.add(at)
  } else if (one.kind === 'join') members.add(one.person)
  else members.delete(one.person)
}
