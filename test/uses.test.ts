/**
 * Something that is in use cannot be deleted. Each case uses something in one way, and expects a refusal with uses that lead to pages
 * which exist for the reader, and that concern no other organization.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { RECORDS } from '../formats/record/kinds.ts'
import { ALL_KINDS } from '../server/platform/kinds.ts'
import { findTeamUses } from '../server/catalog/teams/use-service.ts'
import { addAgreement, addContract, addProvider } from './agreements.ts'
import { expectProblem, readJson, type Problem } from './answers.ts'
import { addIntegration } from './integrations.ts'
import { buildRecord, hasOwner, toRecordId } from './records.ts'
import { onStore } from './stores.ts'
import { addTwin } from './twin.ts'
import { expectOk, newProduct, newWorld, odcs, odps, uniqueId, type World } from './world.ts'

// The compiler must not follow this import: the pages have other settings.
const PATHS = new URL('../web/paths.ts', import.meta.url).href
const { pathOfUse } = (await import(PATHS)) as {
  pathOfUse: (use: { kind: string; id: string }) => string | undefined
}

/** Something that is in use: the path to delete it, and the expected use. */
interface Used {
  path: string
  use: { kind: string; id: string; port?: string }
}

type Build = (world: World) => Promise<Used>

async function addTeam(world: World): Promise<string> {
  const id = uniqueId()
  await expectOk(world.as('O', 'PUT', `/api/teams/${id}`, { body: { name: `Team ${id}` } }))
  return id
}

async function addDocument(world: World, path: string, body: object): Promise<void> {
  await expectOk(world.as('O', 'PUT', path, { body }))
}

const toId = (path: string): string => path.split('/').at(-1) ?? ''

// What a team owns, by the kind: every kind of document with an owner.
const OWNED: Readonly<Record<string, (world: World, team: string) => Promise<string>>> = {
  'data-product': async (world, team) => await addProvider(world, team),
  'data-contract': async (world, team) => await addContract(world, team),
  asset: async (world, owner) => {
    const id = uniqueId()
    await addDocument(world, `/api/assets/${id}`, { info: { name: 'Orders', owner } })
    return id
  },
  integration: async (world, team) => await addIntegration(world, team),
  team: async (world, parent) => {
    const id = uniqueId()
    await addDocument(world, `/api/teams/${id}`, { name: 'Below', parent })
    return id
  },
  ...Object.fromEntries(
    RECORDS.filter(hasOwner).map((kind) => [
      kind.kind,
      async (world: World, owner: string) => {
        const id = toRecordId(kind, uniqueId())
        await addDocument(world, `${kind.collection}/${id}`, buildRecord(kind, id, { owner }))
        return id
      },
    ]),
  ),
}

const CASES: Readonly<Record<string, Build>> = {
  'a data product that a team has access to': async (world) => {
    const product = await addProvider(world, 'a')
    const agreement = await addAgreement(world, { product, isApproved: true })
    const use = { kind: 'access', id: toId(agreement), port: 'out' }
    return { path: `/api/dataproducts/${product}`, use }
  },
  'a data product that a person has access to': async (world) => {
    const product = await addProvider(world, 'a')
    const consumer = { userId: world.userIds.Um }
    const agreement = await addAgreement(world, { product, consumer, isApproved: true })
    const use = { kind: 'access', id: toId(agreement), port: 'out' }
    return { path: `/api/dataproducts/${product}`, use }
  },
  'a data product that has access to another one': async (world) => {
    const [product, consumer] = [await addProvider(world, 'a'), await addProvider(world, 'b')]
    const options = { product, consumer: { dataProductId: consumer }, isApproved: true }
    const agreement = await addAgreement(world, options)
    const use = { kind: 'access', id: toId(agreement), port: 'out' }
    return { path: `/api/dataproducts/${consumer}`, use }
  },
  'a data contract of an output port': async (world) => {
    const contractId = await addContract(world, 'a')
    const product = await addProvider(world, 'a', { contractId })
    const use = { kind: 'data-product', id: product, port: 'out' }
    return { path: `/api/datacontracts/${contractId}`, use }
  },
  'an asset of a data product': async (world) => {
    const [asset, product] = [uniqueId(), uniqueId()]
    await addDocument(world, `/api/assets/${asset}`, { info: { name: 'Orders', owner: 'a' } })
    const outputPorts = [{ id: 'o', name: 'o', assets: [asset] }]
    const dps = { id: product, info: { title: 'P', owner: 'a' }, outputPorts }
    await addDocument(world, `/api/dataproducts/${product}`, dps)
    return { path: `/api/assets/${asset}`, use: { kind: 'data-product', id: product } }
  },
  'a team with access': async (world) => {
    const team = await addTeam(world)
    const agreement = await addAgreement(world, { consumer: { teamId: team } })
    const use = { kind: 'access', id: toId(agreement), port: 'out' }
    return { path: `/api/teams/${team}`, use }
  },
  ...Object.fromEntries(
    Object.entries(OWNED).map(([kind, add]): [string, Build] => [
      `a team with a ${kind}`,
      async (world) => {
        const team = await addTeam(world)
        return { path: `/api/teams/${team}`, use: { kind, id: await add(world, team) } }
      },
    ]),
  ),
}

// Where the pages read what a use leads to.
function toReadPath({ kind, id }: { kind: string; id: string }): string {
  if (kind === 'access') return `/ui/access/${id}`
  if (kind === 'integration') return `/ui/integrations/${id}`
  const record = RECORDS.find((one) => one.kind === kind)
  const collections: Readonly<Record<string, string>> = {
    'data-product': '/api/dataproducts',
    'data-contract': '/api/datacontracts',
    asset: '/api/assets',
    team: '/api/teams',
  }
  return `${record?.collection ?? collections[kind]}/${encodeURIComponent(id)}`
}

onStore((store) => {
  let world: World
  const built = new Map<string, Used>()
  before(async () => {
    world = await newWorld(newProduct(store()))
    for (const [what, build] of Object.entries(CASES)) built.set(what, await build(world))
    await addTwin(world)
  })

  test('every kind of document with an owner has a case', () => {
    const withOwner = ALL_KINDS.filter(({ kind }) => {
      const record = RECORDS.find((one) => one.kind === kind)
      return record === undefined || hasOwner(record)
    })
    const missing = withOwner.filter(({ kind }) => OWNED[kind] === undefined)
    assert.deepEqual(missing, [])
  })

  for (const what of Object.keys(CASES)) {
    test(`DELETE › 422 in_use for ${what}, with uses that lead to pages`, async () => {
      const { path, use } = built.get(what) ?? assert.fail()
      const problems: Problem[] = []
      for (const query of ['?dryRun=true', '']) {
        // The API plans no deletions of teams and assets.
        if (query !== '' && /teams|assets/.test(path)) continue
        problems.push(await expectProblem(world.asPerson('Uo', 'DELETE', `${path}${query}`), 422))
      }
      for (const { code, detail, uses = [], useCount, hiddenUseCount, advice = '' } of problems) {
        assert.equal(code, 'in_use')
        const [found] = uses
        assert.deepEqual(
          { kind: found?.kind, id: found?.id, ...(found?.port && { port: found.port }) },
          use,
        )
        assert.deepEqual([uses.length, useCount, hiddenUseCount], [1, 1, 0])
        assert.ok(detail.includes(found?.name ?? '?') && detail.endsWith(advice), detail)
        assert.ok(pathOfUse(use)?.startsWith('/'), 'a use without a page')
        await expectOk(world.asPerson('Uo', 'GET', toReadPath(use)))
      }
    })
  }

  test('PUT /api/dataproducts/{id} › 422 in_use for a port with access, with the agreements', async () => {
    const product = await addProvider(world, 'a')
    const agreement = await addAgreement(world, { product, isApproved: true })
    const body = odps(product, { outputPorts: [] })
    const problem = await expectProblem(
      world.as('O', 'PUT', `/api/dataproducts/${product}`, { body }),
      422,
    )
    assert.equal(problem.violations?.[0]?.field, 'outputPorts')
    assert.deepEqual(problem.uses, [
      {
        kind: 'access',
        id: toId(agreement),
        name: 'Team B',
        port: 'out',
        relation: 'has access to output port out',
      },
    ])
  })

  test('DELETE /api/dataproducts/{id}?dryRun=true › 422 in_use with the data products that read it', async () => {
    const contractId = await addContract(world, 'a')
    const product = await addProvider(world, 'a', { contractId })
    await addAgreement(world, { product, isApproved: true })
    const reader = uniqueId()
    const inputPorts = [{ name: 'in', version: '1', contractId }]
    await addDocument(world, `/api/dataproducts/${reader}`, odps(reader, { inputPorts }))
    const planned = world.as('O', 'DELETE', `/api/dataproducts/${product}?dryRun=true`)
    const { readers } = await expectProblem(planned, 422)
    assert.deepEqual(
      readers?.map(({ kind, id, relation }) => [kind, id, relation]),
      [['data-product', reader, 'reads it through in']],
    )
  })

  test('DELETE /api/dataproducts/{id} › 422 in_use with the first uses, and the number of all', async () => {
    const product = await addProvider(world, 'a')
    for (let count = 0; count < 53; count += 1)
      await addAgreement(world, { product, isApproved: true })
    const answer = world.as('O', 'DELETE', `/api/dataproducts/${product}`)
    const { uses, useCount, hiddenUseCount, detail } = await expectProblem(answer, 422)
    assert.deepEqual([uses?.length, useCount, hiddenUseCount], [50, 53, 0])
    assert.match(detail, / and 48 others use it\. End the access first\.$/)
    assert.ok(detail.length < 1000, detail)
  })

  test('DELETE /api/teams/{id} › uses that the caller may not see are counted only', async () => {
    const team = await addTeam(world)
    await addIntegration(world, team)
    const product = await addProvider(world, team)
    const { organizationId } = world
    const stranger = { organizationId, organizationOwner: false, roles: new Map() }
    const found = await store()
      .db.transaction()
      .execute(async (db) => await findTeamUses(db, stranger, team))
    assert.deepEqual(
      found?.uses.map(({ id }) => id),
      [product],
    )
    assert.deepEqual([found?.useCount, found?.hiddenUseCount], [2, 1])
  })

  test('PUT /api/settings/team-roles › 409 role_in_use with the teams whose members have the role', async () => {
    const other = await newWorld(newProduct(store()))
    const members = [{ emailAddress: 'a@b.example', role: 'Member' }]
    await addDocument(other, '/api/teams/b', { name: 'Fleet', members })
    const roles = [{ name: 'Editor', permissions: ['TEAM_EDIT'] }]
    const body = { mode: 'custom-team-roles', 'team-roles': roles }
    const answer = other.as('O', 'PUT', '/api/settings/team-roles', { body })
    const { uses, detail } = await expectProblem(answer, 409)
    const use = uses?.find(({ id }) => id === 'b')
    assert.deepEqual(
      [use?.kind, use?.name, use?.relation],
      ['team', 'Fleet', 'has 1 member with the role "Member"'],
      detail,
    )
  })

  test('a contract that a consumer reads is deleted without a refusal', async () => {
    const id = uniqueId()
    await addDocument(world, `/api/datacontracts/${id}`, odcs(id))
    const plan = await readJson<{ outcome: string }>(
      world.as('O', 'DELETE', `/api/datacontracts/${id}?dryRun=true`),
    )
    assert.equal(plan.outcome, 'deleted')
  })
})
