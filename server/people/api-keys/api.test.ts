import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { isToken } from '../../platform/kit/token.ts'
import { PERMISSIONS } from '../../requests/access/permission.ts'
import type { CreatedApiKey } from './api-key.ts'

const KEYS = '/api/api-keys'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const create = (body: unknown, caller: 'O' | 'T' = 'O'): Promise<Response> =>
    world.as(caller, 'POST', KEYS, { body })

  test(`POST ${KEYS} › 201 with the secret, which works immediately`, async () => {
    const body = { scope: 'team', teamId: 'a', displayName: ' CI ', expiresAt: '9999-12-31' }
    const created = await readJson<CreatedApiKey>(create(body), 201)
    const { organizationApiKeyId, key, ...rest } = created
    assert.match(organizationApiKeyId, /^[0-9a-f-]{36}$/)
    assert.ok(isToken(key, 'pbk_'))
    assert.deepEqual(rest, {
      displayName: 'CI',
      scope: 'team',
      teamId: 'a',
      expiresAt: '9999-12-31',
      permissions: PERMISSIONS,
    })
    const settings = await readJson(world.call('GET', '/api/organization/settings', { key }))
    assert.deepEqual((settings as { caller: unknown }).caller, {
      organizationApiKeyId,
      displayName: 'CI',
      scope: 'team',
      teamId: 'a',
      readOnly: false,
      permissions: PERMISSIONS,
    })
  })

  test(`POST ${KEYS} › 201 for permissions null, which limit nothing`, async () => {
    await readJson(create({ scope: 'team', teamId: 'a', displayName: 'X', permissions: null }), 201)
  })

  test(`POST ${KEYS} › 201 for team_read, without a name and an expiry day`, async () => {
    for (const more of [{}, { displayName: null, expiresAt: null }, { displayName: '  ' }]) {
      const created = await readJson<CreatedApiKey>(
        create({ scope: 'team_read', teamId: 'b', ...more }),
        201,
      )
      assert.equal(created.displayName, 'Key of b')
      assert.equal(created.expiresAt, null)
      assert.equal(created.scope, 'team_read')
    }
  })

  for (const [what, body, field] of [
    ['another scope', { scope: 'organization', teamId: 'a' }, 'scope'],
    ['scope user', { scope: 'user' }, 'scope'],
    ['an unknown scope', { scope: 'Team', teamId: 'a' }, 'scope'],
    ['no scope', { teamId: 'a' }, 'scope'],
  ] as const) {
    test(`POST ${KEYS} › 400 for ${what}`, async () => {
      await expectViolations(create(body), 400, [field])
    })
  }

  for (const [what, more, field] of [
    ['an unknown team', { teamId: 'unknown' }, 'teamId'],
    ['no team', { teamId: null }, 'teamId'],
    ['a team that is not a string', { teamId: 5 }, 'teamId'],
    ['an empty team', { teamId: '' }, 'teamId'],
    ['a day in the past', { expiresAt: '2001-01-01' }, 'expiresAt'],
    ['30 February', { expiresAt: '2028-02-30' }, 'expiresAt'],
    ['29 February of a common year', { expiresAt: '2027-02-29' }, 'expiresAt'],
    ['the year 0', { expiresAt: '0000-01-01' }, 'expiresAt'],
    ['a time', { expiresAt: '9999-12-31T00:00:00Z' }, 'expiresAt'],
    ['an empty day', { expiresAt: '' }, 'expiresAt'],
    ['a day that is not a string', { expiresAt: 20_300_101 }, 'expiresAt'],
    ['a name of 201 characters', { displayName: 'x'.repeat(201) }, 'displayName'],
  ] as const) {
    test(`POST ${KEYS} › 422 for ${what}`, async () => {
      const body = { scope: 'team', teamId: 'a', ...more }
      await expectViolations(create(body), 422, [field])
    })
  }

  test(`POST ${KEYS} › 422 with every problem at once, sorted by field`, async () => {
    const body = { scope: 'team', teamId: 1, expiresAt: 'soon', displayName: 2 }
    const { violations } = await expectProblem(create(body), 422)
    const fields = violations?.map(({ field }) => field)
    assert.deepEqual(fields, ['displayName', 'expiresAt', 'teamId'])
  })

  test(`POST ${KEYS} › accepts today in UTC as the first day`, async () => {
    const product = newProduct(store(), { clock: fixedClock('2030-06-15T23:59:59.999Z') })
    const key = world.keys.O
    const on = (expiresAt: string): Promise<Response> =>
      product.call('POST', KEYS, { key, body: { scope: 'team', teamId: 'a', expiresAt } })
    await expectProblem(on('2030-06-14'), 422, /2030-06-14 is in the past/)
    await readText(on('2030-06-15'), 201)
  })

  test(`POST ${KEYS} › 403 before the body is validated`, async () => {
    await expectProblem(create({ scope: 'team' }, 'T'), 403, /organization key/)
    await expectProblem(create({ scope: 'x' }, 'T'), 403, /organization key/)
  })

  test(`POST ${KEYS} › 400 malformed, 415 YAML, 413 too large`, async () => {
    await expectProblem(create('{"scope":'), 400)
    await expectProblem(create('[]'), 422)
    await expectProblem(world.as('O', 'POST', KEYS, { yaml: 'scope: team' }), 415)
    await expectProblem(create(`{"scope":"${'x'.repeat(70_000)}"}`), 413)
  })

  test(`POST ${KEYS} › 409 at the 101st`, async () => {
    const full = await newWorld(newProduct(store()))
    const body = { scope: 'team', teamId: 'a' }
    const requests = Array.from({ length: 120 }, () => full.as('O', 'POST', KEYS, { body }))
    const answers = await Promise.all(requests)
    const statuses = answers.map(({ status }) => String(status)).toSorted()
    const created = statuses.filter((status) => status === '201').length
    assert.equal(created, 100 - 9)
    assert.equal(statuses.filter((status) => status === '409').length, 120 - created)
    await expectProblem(full.as('O', 'POST', KEYS, { body }), 409, /at most 100 API keys/)
  })

  test(`DELETE ${KEYS}/{organizationApiKeyId} › 204 without a body, then 404`, async () => {
    const { organizationApiKeyId: id } = await readJson<CreatedApiKey>(
      create({ scope: 'team', teamId: 'a' }),
      201,
    )
    const upper = id.toUpperCase()
    assert.equal(await readText(world.as('T', 'DELETE', `${KEYS}/${upper}`), 204), '')
    await expectProblem(world.as('T', 'DELETE', `${KEYS}/${id}`), 404)
  })

  test(`DELETE ${KEYS}/{organizationApiKeyId} › 404 for an unknown ID and for an invalid UUID`, async () => {
    for (const id of [randomUUID(), 'x', '%27', 'urn:uuid:1']) {
      await expectProblem(world.as('O', 'DELETE', `${KEYS}/${id}`), 404)
    }
  })

  test(`DELETE ${KEYS}/{organizationApiKeyId} › 403 for a key that is not a team key`, async () => {
    for (const caller of ['O', 'Or', 'Uo', 'Ur'] as const) {
      const settings = await readJson<{ caller: { organizationApiKeyId: string } }>(
        world.as(caller, 'GET', '/api/organization/settings'),
      )
      const path = `${KEYS}/${settings.caller.organizationApiKeyId}`
      await expectProblem(world.as('O', 'DELETE', path), 403, /Only team keys/)
    }
  })

  test(`${KEYS} › 405 with Allow for other methods`, async () => {
    const answer = await world.as('O', 'GET', KEYS)
    assert.equal(answer.headers.get('allow'), 'POST')
    await expectProblem(answer, 405)
  })
})
