/** Keys that are limited to some permissions. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { RETIRED_PERMISSIONS } from '../../../formats/team/permission-names.ts'
import { addAgreement, addProvider, buildAgreement } from '../../../test/agreements.ts'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { addIntegration } from '../../../test/integrations.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, odps, uniqueId, type World } from '../../../test/world.ts'
import { listGrants, PERMISSIONS } from '../../requests/access/permission.ts'
import type { CreatedApiKey, UiApiKeys } from './api-key.ts'

const KEYS = '/api/api-keys'
const OF_PAGES = '/ui/api-keys'

const read = (answer: Promise<Response>): Promise<CreatedApiKey> => readJson(answer, 201)
const newTeam = (role: string) => ({ name: 'T', members: [{ emailAddress: 'x@y.example', role }] })

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const create = (permissions: unknown, more: object = {}): Promise<Response> =>
    world.as('O', 'POST', KEYS, { body: { scope: 'team', teamId: 'a', permissions, ...more } })
  const createAs = (person: 'Uo' | 'Ue' | 'Um', body: object): Promise<Response> =>
    world.asPerson(person, 'POST', OF_PAGES, {
      body: { scope: 'team', teamId: 'a', displayName: 'K', ...body },
    })
  const call = (key: string, method: string, path: string, body?: unknown): Promise<Response> =>
    world.call(method, path, { key, body })
  const putProduct = (key: string, id = uniqueId(), more = {}): Promise<Response> =>
    call(key, 'PUT', `/api/dataproducts/${id}`, odps(id, more))

  test(`POST ${KEYS} › a limited key does what its permissions allow, and nothing else`, async () => {
    const permissions = ['DATAPRODUCT_ADD', 'DATAPRODUCT_EDIT']
    const { key, permissions: answered } = await read(create(permissions))
    assert.deepEqual(answered, permissions)
    const id = uniqueId()
    await readText(putProduct(key, id))
    await readText(putProduct(key, id, { name: 'Changed' }))
    await readText(call(key, 'GET', `/api/dataproducts/${id}`))
    await expectProblem(call(key, 'DELETE', `/api/dataproducts/${id}`), 403, /limited/)
    await expectProblem(
      call(key, 'PUT', `/api/datacontracts/${id}`, odcs(id)),
      403,
      /DATACONTRACT_ADD/,
    )
    await expectProblem(putProduct(key, uniqueId(), { team: { name: 'b' } }), 403)
    const contractId = uniqueId()
    const customProperties = [{ property: 'autoApprove', value: true }]
    const outputPorts = [{ name: 'o', version: '1', contractId, customProperties }]
    await expectProblem(putProduct(key, uniqueId(), { outputPorts }), 403, /ACCESS_APPROVE/)
  })

  test(`POST ${KEYS} › permissions [] make a key that only reads`, async () => {
    const { key, permissions } = await read(create([]))
    assert.deepEqual(permissions, [])
    await readText(call(key, 'GET', '/api/teams/a'))
    const problem = await expectProblem(putProduct(key), 403)
    assert.equal(problem.code, 'read_only_key')
    const settings = await readJson<{ caller: object }>(
      call(key, 'GET', '/api/organization/settings'),
    )
    assert.partialDeepStrictEqual(settings.caller, { scope: 'team', readOnly: true })
  })

  for (const [what, permissions, more, field] of [
    ['an unknown name', ['DATAPRODUCT_READ'], {}, 'permissions.0'],
    ['a repeated name', ['ASSET_ADD', 'ASSET_EDIT', 'ASSET_ADD'], {}, 'permissions.2'],
    ['names with team_read', ['ASSET_ADD'], { scope: 'team_read' }, 'permissions'],
    ['a text', 'ASSET_ADD', {}, 'permissions'],
    ['an object', {}, {}, 'permissions'],
    ['a number', [1], {}, 'permissions.0'],
  ] as const) {
    test(`POST ${KEYS} › 400, and no key, for ${what}`, async () => {
      const { count } = await readJson<UiApiKeys>(world.asPerson('Uo', 'GET', OF_PAGES))
      await expectViolations(create(permissions, more), 400, [field])
      await expectViolations(createAs('Uo', { permissions, ...more }), 422, [field])
      const after = await readJson<UiApiKeys>(world.asPerson('Uo', 'GET', OF_PAGES))
      assert.equal(after.count, count)
    })
  }

  test(`POST ${KEYS} › retired names become the permissions that replace them`, async () => {
    for (const [name, replaced] of RETIRED_PERMISSIONS) {
      const { permissions } = await read(create([name]))
      assert.deepEqual(permissions.toSorted(), [...replaced].toSorted())
    }
  })

  test(`POST ${KEYS} › an empty list is right for team_read`, async () => {
    assert.deepEqual((await read(create([], { scope: 'team_read' }))).permissions, [])
  })

  test(`POST ${OF_PAGES} › limits personal and organization keys; the list shows it`, async () => {
    const permissions = ['DATACONTRACT_EDIT', 'DATACONTRACT_ADD']
    for (const scope of ['user', 'organization']) {
      const body = { scope, teamId: undefined, displayName: `${scope} key`, permissions }
      const { key, organizationApiKeyId: id } = await read(createAs('Uo', body))
      const contract = uniqueId()
      await readText(call(key, 'PUT', `/api/datacontracts/${contract}`, odcs(contract)))
      await expectProblem(putProduct(key), 403)
      const { keys } = await readJson<UiApiKeys>(world.asPerson('Uo', 'GET', OF_PAGES))
      const listed = keys.find((one) => one.organizationApiKeyId === id)
      assert.partialDeepStrictEqual(listed, { permissions, isLimited: true })
    }
  })

  test('a limited key of the organization does nothing that only owners may do', async () => {
    const all = { scope: 'organization', teamId: undefined, permissions: PERMISSIONS }
    const { key } = await read(createAs('Uo', all))
    await readText(putProduct(key))
    await readText(call(key, 'PUT', `/api/teams/${uniqueId()}`, { name: 'Root' }))
    for (const [method, path, body] of [
      ['PUT', '/api/settings/team-roles', { mode: 'default' }],
      ['PUT', '/api/organization/features', {}],
      ['GET', '/api/settings/scim-mapping', undefined],
      ['PUT', `/api/policies/${uniqueId()}`, { name: 'P' }],
      ['PUT', `/api/classification-schemes/${uniqueId()}`, { name: 'P' }],
    ] as const) {
      await expectProblem(call(key, method, path, body), 403)
    }
  })

  test('a limited personal key neither stars nor leaves a team, and requests only with ACCESS_REQUEST', async () => {
    const personal = { scope: 'user', teamId: undefined }
    const { key } = await read(createAs('Ue', { ...personal, permissions: ['ASSET_ADD'] }))
    const product = await addProvider(world, 'b')
    const request = `/api/dataproducts/${product}/outputports/out/request-access`
    await expectProblem(call(key, 'PUT', `/api/dataproducts/${product}/star`), 403)
    await expectProblem(call(key, 'POST', request, { purpose: 'P' }), 403, /ACCESS_REQUEST/)
    const own = buildAgreement(product, { userId: world.userIds.Ue })
    await expectProblem(call(key, 'PUT', `/api/access/${uniqueId()}`, own), 403)
    const body = { ...personal, permissions: ['ACCESS_REQUEST'] }
    const requesting = await read(createAs('Ue', body))
    await readText(call(requesting.key, 'POST', request, { purpose: 'P' }))
  })

  test('a limited personal key leaves a team only with TEAM_MEMBER_DELETE', async () => {
    const path = `/api/teams/${uniqueId()}`
    const { db } = world.services
    const { email } = await db
      .selectFrom('user_account')
      .select('email')
      .where('id', '=', world.userIds.Ue)
      .executeTakeFirstOrThrow()
    const team = { name: 'T', members: [{ emailAddress: email, role: 'Member' }] }
    await readText(world.as('O', 'PUT', path, { body: team }))
    const left = { name: 'T', members: [] }
    const personal = { scope: 'user', teamId: undefined }
    const { key } = await read(createAs('Ue', { ...personal, permissions: ['TEAM_ADD'] }))
    await expectProblem(call(key, 'PUT', path, left), 403)
    const leaving = await read(createAs('Ue', { ...personal, permissions: PERMISSIONS }))
    await readText(call(leaving.key, 'PUT', path, left))
  })

  test('a limited personal key ends its own access with ACCESS_REQUEST, as it requested it', async () => {
    const product = await addProvider(world, 'b')
    const permissions = ['ACCESS_REQUEST']
    const { key } = await read(createAs('Ue', { scope: 'user', teamId: undefined, permissions }))
    const path = `/api/access/${uniqueId()}`
    const own = buildAgreement(product, { userId: world.userIds.Ue })
    await readText(call(key, 'PUT', path, own))
    await readText(world.as('O', 'POST', `${path}/approve`, { body: {} }))
    await readText(call(key, 'POST', `${path}/cancel`, {}))
  })

  test('a limited key reads neither webhooks without TEAM_EDIT nor what only Owners of the team read', async () => {
    const endpoint = { name: 'E', url: 'https://receiver.example/x', teamId: 'a' }
    const { id } = await readJson<{ id: string }>(
      world.as('T', 'POST', '/api/webhooks', { body: endpoint }),
      201,
    )
    const product = await addProvider(world, 'a')
    const { key } = await read(create(['DATAPRODUCT_EDIT']))
    await expectProblem(call(key, 'GET', `/api/webhooks/${id}`), 404)
    assert.deepEqual(await readJson(call(key, 'GET', '/api/webhooks')), [])
    await expectProblem(call(key, 'GET', `/api/dataproducts/${product}/stargazers`), 403)
    const { key: editing } = await read(create(['TEAM_EDIT']))
    await readText(call(editing, 'GET', `/api/webhooks/${id}`))
    const whole = { scope: 'organization', teamId: undefined, permissions: ['DATAPRODUCT_EDIT'] }
    const organization = await read(createAs('Uo', whole))
    assert.deepEqual(await readJson(call(organization.key, 'GET', '/api/webhooks')), [])
  })

  test('a limited key makes no person an Owner, not even of a new team without a parent', async () => {
    const permissions = ['TEAM_ADD', 'TEAM_EDIT', 'TEAM_MEMBER_ADD', 'TEAM_MEMBER_EDIT']
    const organization = { scope: 'organization', teamId: undefined, permissions }
    const { key } = await read(createAs('Uo', organization))
    const path = `/api/teams/${uniqueId()}`
    const problem = await expectProblem(call(key, 'PUT', path, newTeam('Owner')), 403)
    assert.equal(problem.code, 'role_exceeds_own')
    await readText(world.as('O', 'PUT', path, { body: newTeam('Owner') }))
    await expectProblem(call(key, 'PUT', path, newTeam('Member')), 403)
  })

  test(`POST ${OF_PAGES} › a key of a person who does not hold everything has what the person holds`, async () => {
    const held = PERMISSIONS.filter((one) => listGrants('Editor').has(one))
    const { permissions, key } = await read(createAs('Ue', {}))
    assert.deepEqual(permissions, held)
    await readText(putProduct(key))
    await expectProblem(
      call(key, 'PUT', '/api/teams/a', { name: 'A', members: [] }),
      403,
      /TEAM_EDIT/,
    )
    const chosen = await read(createAs('Ue', { permissions: ['ASSET_ADD'] }))
    assert.deepEqual(chosen.permissions, ['ASSET_ADD'])
    const body = { permissions: ['ASSET_ADD', 'TEAM_EDIT'] }
    await expectProblem(
      createAs('Ue', body),
      403,
      /at most the permissions of its creator.*TEAM_EDIT/,
    )
    const reading = await read(createAs('Ue', { scope: 'team_read' }))
    assert.deepEqual(reading.permissions, [])
    const product = await addProvider(world, 'a')
    const stargazers = `/api/dataproducts/${product}/stargazers`
    await expectProblem(call(reading.key, 'GET', stargazers), 403)
    await expectProblem(createAs('Um', {}), 403)
  })

  test(`POST ${KEYS} › a limited key makes keys within its own permissions`, async () => {
    const permissions = ['DATAPRODUCT_EDIT', 'TEAM_API_KEY_MANAGE']
    const organization = { scope: 'organization', teamId: undefined, permissions }
    const maker = await read(createAs('Uo', organization))
    const make = (more: object): Promise<Response> =>
      call(maker.key, 'POST', KEYS, { scope: 'team', teamId: 'a', ...more })
    assert.deepEqual((await read(make({}))).permissions, permissions)
    const narrower = await read(make({ permissions: ['DATAPRODUCT_EDIT'] }))
    assert.deepEqual(narrower.permissions, ['DATAPRODUCT_EDIT'])
    await expectProblem(make({ permissions: ['ASSET_ADD'] }), 403, /ASSET_ADD/)
    const reading = await read(make({ scope: 'team_read' }))
    const product = await addProvider(world, 'a')
    await expectProblem(call(reading.key, 'GET', `/api/dataproducts/${product}/stargazers`), 403)
    await readText(call(maker.key, 'DELETE', `${KEYS}/${narrower.organizationApiKeyId}`), 204)
    const without = { ...organization, permissions: ['DATAPRODUCT_EDIT'] }
    const other = await read(createAs('Uo', without))
    const refused = call(other.key, 'POST', KEYS, { scope: 'team', teamId: 'a' })
    await expectProblem(refused, 403, /TEAM_API_KEY_MANAGE/)
  })

  test('a limited key calls what changes nothing', async () => {
    const { key } = await read(create(['ASSET_EDIT']))
    const id = uniqueId()
    await readText(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) }))
    await readText(call(key, 'POST', `/api/dataproducts/${id}/diff`, odps(id, { name: 'N' })))
  })

  test('a limited key runs integrations only with INGESTION_EDIT, and decides only with its permissions', async () => {
    const integration = await addIntegration(world, 'a')
    const run = `/api/integrations/${integration}/run`
    const { key } = await read(create(['ACCESS_APPROVE']))
    await expectProblem(call(key, 'POST', run), 403, /INGESTION_EDIT/)
    await readText(call(key, 'GET', `/api/integrations/${integration}`))
    const agreement = await addAgreement(world, { owner: 'a' })
    await expectProblem(call(key, 'DELETE', agreement), 403)
    await readText(call(key, 'POST', `${agreement}/approve`, {}))
    const { key: ingesting } = await read(create(['INGESTION_EDIT']))
    await readText(call(ingesting, 'POST', run), 202)
  })

  test('the activity records the permissions of a limited key', async () => {
    const { organizationApiKeyId: subject } = await read(create(['ASSET_EDIT']))
    const entries = await readJson<{ details: object }[]>(
      world.as('O', 'GET', `/api/activity?subject=${subject}`),
    )
    assert.partialDeepStrictEqual(entries[0]?.details, { permissions: ['ASSET_EDIT'] })
    const whole = await read(create(undefined))
    const [entry] = await readJson<{ details: object }[]>(
      world.as('O', 'GET', `/api/activity?subject=${whole.organizationApiKeyId}`),
    )
    assert.ok(entry !== undefined && !('permissions' in entry.details))
  })
})
