/** The names of permissions: each is required by an endpoint, or waits for its feature. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  expandPermissions,
  PERMISSIONS_WITHOUT_EFFECT,
  RETIRED_PERMISSIONS,
} from '../formats/team/permission-names.ts'
import { PERMISSIONS } from '../server/requests/access/permission.ts'
import { api } from '../server/api.ts'
import { ui } from '../server/ui.ts'
import { PERMISSIONS as OFFERED } from '../web/api/permission-groups.ts'
import type { EffectivePermission } from '../web/api/permission-words.ts'
import { addAgreement, addProvider, buildAgreement } from './agreements.ts'
import { expectProblem } from './answers.ts'
import { addIntegration } from './integrations.ts'
import {
  changedOne,
  existingKey,
  existingOne,
  existingTeam,
  newOne,
  newResult,
  newTeam,
  sameTeam,
  buildResult,
  RESULTS,
  type RequestMaker,
} from './permissions/requests.ts'
import { onStore } from './stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, uniqueId, type World } from './world.ts'

const WITHOUT_EFFECT: ReadonlySet<string> = new Set(PERMISSIONS_WITHOUT_EFFECT)

test('there are 53 names, and 7 retired ones', () => {
  assert.equal(new Set(PERMISSIONS).size, 53)
  assert.equal(RETIRED_PERMISSIONS.length, 7)
  const all = RETIRED_PERMISSIONS.map(([name]) => name)
  const names: ReadonlySet<string> = new Set(PERMISSIONS)
  for (const name of expandPermissions(all)) assert.ok(names.has(name), name)
  for (const name of all) assert.ok(!names.has(name), name)
})

test('endpoints need exactly the names that do not wait for a feature', () => {
  const needed = [...api, ...ui].flatMap(({ described: { permission } }) =>
    typeof permission === 'string' ? [] : permission.needs,
  )
  const effective = PERMISSIONS.filter((one) => !WITHOUT_EFFECT.has(one))
  assert.deepEqual(new Set(needed), new Set(effective))
})

test('pages offer exactly the names that do not wait for a feature', () => {
  const effective = PERMISSIONS.filter((one) => !WITHOUT_EFFECT.has(one))
  assert.deepEqual(OFFERED.toSorted(), effective.toSorted())
})

/** The answer to the test of a contract without a table. */
const NOT_LINKED = 422

/**
 * A request that one permission on team A allows, among others that the caller need not have, and the status of its answer if it
 * is not a 2xx.
 */
type Row = readonly [method: string, request: RequestMaker, status?: number]

const putContractOfB: RequestMaker = async (world) => {
  const contractId = uniqueId()
  const contract = odcs(contractId, { team: { name: 'b' } })
  await expectOk(world.as('O', 'PUT', `/api/datacontracts/${contractId}`, { body: contract }))
  const outputPorts = [{ name: 'out', version: '1', contractId }]
  const id = uniqueId()
  const body = odps(id, { outputPorts })
  await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
  return { path: RESULTS, body: buildResult(contractId, uniqueId()) }
}

function ofAgreement(action: string, isApproved = false): RequestMaker {
  return async (world) => ({
    path: `${await addAgreement(world, { isApproved })}${action}`,
    body: {},
  })
}

function newAgreement(owner: string, consumer: string): RequestMaker {
  return async (world) => ({
    path: `/api/access/${uniqueId()}`,
    body: buildAgreement(await addProvider(world, owner), { teamId: consumer }),
  })
}

function changedAgreement(): RequestMaker {
  return async (world) => {
    const consumer = { teamId: 'b' }
    const product = await addProvider(world, 'a')
    const path = await addAgreement(world, { product, consumer, isApproved: true })
    return { path, body: buildAgreement(product, consumer, { tags: ['x'] }) }
  }
}

function runOfA(): RequestMaker {
  return async (world) => ({ path: `/api/integrations/${await addIntegration(world, 'a')}/run` })
}

/** Adds a team below A with one member without permissions; the request replaces the members, or adds them. */
function teamOfA(sent: readonly (readonly [string, string])[]): RequestMaker {
  return async (world) => {
    const path = `/api/teams/${uniqueId()}`
    const before = {
      name: 'T',
      parent: 'a',
      members: [{ emailAddress: 'm@y.example', role: 'None' }],
    }
    await expectOk(world.as('O', 'PUT', path, { body: before }))
    const added = sent.map(([emailAddress, role]) => ({ emailAddress, role }))
    const isAdded = added.some(({ emailAddress }) => emailAddress !== 'm@y.example')
    return { path, body: { ...before, members: isAdded ? [...before.members, ...added] : added } }
  }
}

const ROWS: Readonly<Record<EffectivePermission, Row>> = {
  DATAPRODUCT_ADD: ['PUT', newOne('dataproducts', 'a')],
  DATAPRODUCT_EDIT: ['PUT', changedOne('dataproducts', 'a', 'a')],
  DATAPRODUCT_DELETE: ['DELETE', existingOne('dataproducts', 'a')],
  DATAPRODUCT_TEST_RESULTS_EDIT: ['POST', putContractOfB],
  DATACONTRACT_ADD: ['PUT', newOne('datacontracts', 'a')],
  DATACONTRACT_EDIT: ['PUT', changedOne('datacontracts', 'a', 'a')],
  DATACONTRACT_DELETE: ['DELETE', existingOne('datacontracts', 'a')],
  DATACONTRACT_TEST_RESULTS_EDIT: ['POST', newResult('a')],
  DATACONTRACT_TEST_RUN: ['POST', existingOne('datacontracts', 'a', '/test'), NOT_LINKED],
  ASSET_ADD: ['PUT', newOne('assets', 'a')],
  ASSET_EDIT: ['PUT', changedOne('assets', 'a', 'a')],
  ASSET_DELETE: ['DELETE', existingOne('assets', 'a')],
  DEFINITION_ADD: ['PUT', newOne('definitions', 'a')],
  DEFINITION_EDIT: ['PUT', changedOne('definitions', 'a', 'a')],
  DEFINITION_DELETE: ['DELETE', existingOne('definitions', 'a')],
  SOURCE_SYSTEM_ADD: ['PUT', newOne('sourcesystems', 'a')],
  SOURCE_SYSTEM_EDIT: ['PUT', changedOne('sourcesystems', 'a', 'a')],
  SOURCE_SYSTEM_DELETE: ['DELETE', existingOne('sourcesystems', 'a')],
  MANAGED_TAG_ADD: ['PUT', newOne('tags', 'a')],
  MANAGED_TAG_EDIT: ['PUT', changedOne('tags', 'a', 'a')],
  MANAGED_TAG_DELETE: ['DELETE', existingOne('tags', 'a')],
  ACCESS_ADD: ['PUT', newAgreement('a', 'b')],
  ACCESS_EDIT: ['PUT', changedAgreement()],
  ACCESS_DELETE: ['DELETE', ofAgreement('')],
  ACCESS_REQUEST: ['PUT', newAgreement('b', 'a')],
  ACCESS_APPROVE: ['POST', ofAgreement('/approve')],
  ACCESS_TERMINATE: ['POST', ofAgreement('/cancel', true)],
  TEAM_ADD: ['PUT', newTeam('a')],
  TEAM_EDIT: ['PUT', sameTeam('a')],
  TEAM_DELETE: ['DELETE', existingTeam('a')],
  TEAM_API_KEY_MANAGE: ['DELETE', existingKey('a')],
  TEAM_MEMBER_ADD: ['PUT', teamOfA([['x@y.example', 'None']])],
  TEAM_MEMBER_EDIT: ['PUT', teamOfA([['m@y.example', 'Guest']])],
  TEAM_MEMBER_DELETE: ['PUT', teamOfA([])],
  INGESTION_EDIT: ['POST', runOfA()],
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  /** Gives the editor of team A exactly these permissions. */
  async function give(permissions: readonly string[]): Promise<void> {
    const roles = [
      { name: 'Editor', permissions },
      { name: 'Member', permissions: [] },
    ]
    const body = { mode: 'custom-team-roles', 'team-roles': roles }
    await expectOk(world.as('O', 'PUT', '/api/settings/team-roles', { body }))
  }

  for (const permission of OFFERED) {
    test(`${permission} › allows its action, which every other permission together does not`, async () => {
      const [method, request, expected] = ROWS[permission]
      const { path, body } = await request(world)
      await give(PERMISSIONS.filter((one) => one !== permission))
      await expectProblem(world.as('Ue', method, path, { body }), 403)
      await give([permission])
      const { ok, status } = await world.as('Ue', method, path, { body })
      assert.ok(ok || status === expected, `${method} ${path}: ${status}`)
    })
  }
})
