import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { listEntries } from '../../../test/activity.ts'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import { appendIdentityPeople, appendIdentityResources } from './identity-record.ts'

interface ListedEntry {
  kind: string
  action: string
  name: string
  actorName: string
  subject: string
}

const KINDS = ['identity-provider', 'sign-in-rule', 'directory']

// A provider, a domain and a directory group; and the member Um linked, suspended and restored.
async function recordAll({ services, organizationId, userIds }: World): Promise<void> {
  const origin = { organizationId, principal: `directory:${randomUUID()}`, requestId: '' }
  const [id, person] = [randomUUID(), userIds.Um]
  const before = { before: { enabled: true }, after: { enabled: false } }
  await sql`
    with provider as (select ${id}::uuid as id, 'Wagon Works' as name),
    domain as (select 'wagons.example' as id, 'wagons.example' as name),
    person as (select ${person}::uuid as user_id),
    recorded as (${appendIdentityResources(origin, { kind: 'identity-provider', action: 'disabled', details: before }, 'provider')}),
    verified as (${appendIdentityResources(origin, { kind: 'sign-in-rule', action: 'domain-verified' }, 'domain')}),
    linked as (${appendIdentityPeople(origin, { kind: 'identity-provider', action: 'linked', details: { provider: id } }, 'person')}),
    suspended as (${appendIdentityPeople(origin, { kind: 'directory', action: 'suspended' }, 'person')})
    ${appendIdentityPeople(origin, { kind: 'sign-in-rule', action: 'break-glass-used' }, 'person')}
  `.execute(services.db)
}

async function listAs(world: World, role: 'Uo' | 'Um' | 'Ue'): Promise<string[]> {
  const query = KINDS.map((kind) => `kind=${kind}`).join('&')
  const entries = await readJson<ListedEntry[]>(world.as(role, 'GET', `/api/activity?${query}`))
  return entries.map(({ kind, action, name, actorName }) =>
    [kind, action, name, actorName].join(' '),
  )
}

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store()))

  test('owners see all identity entries, a person those about them, others none', async () => {
    const world = await fresh()
    await recordAll(world)
    const name = (await findName(world, world.userIds.Um)) ?? ''
    const about = [
      `directory suspended ${name} Directory`,
      `identity-provider linked ${name} Directory`,
      `sign-in-rule break-glass-used ${name} Directory`,
    ]
    const all = [
      ...about,
      'identity-provider disabled Wagon Works Directory',
      'sign-in-rule domain-verified wagons.example Directory',
    ]
    assert.notEqual(name, '')
    assert.deepEqual((await listAs(world, 'Uo')).toSorted(), all.toSorted())
    assert.deepEqual((await listAs(world, 'Um')).toSorted(), about.toSorted())
    assert.deepEqual(await listAs(world, 'Ue'), [])
  })

  test('the entries of another organization are not visible', async () => {
    const [world, other] = [await fresh(), await fresh()]
    await recordAll(world)
    assert.deepEqual(await listAs(other, 'Uo'), [])
  })

  test('the name of a person is not in the entry, but beside it', async () => {
    const world = await fresh()
    await recordAll(world)
    const entries = await listEntries(world, ...KINDS)
    assert.deepEqual(
      entries.filter(({ person }) => person === world.userIds.Um).map(({ name }) => name),
      ['', '', ''],
    )
  })
})

async function findName({ services, organizationId }: World, id: string | undefined) {
  const row = await services.db
    .selectFrom('person_name')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id ?? '')
    .executeTakeFirst()
  return row?.name
}
