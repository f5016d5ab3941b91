import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { describeEntry, listEntries, type StoredEntry } from '../../../test/activity.ts'
import { expectProblem, readJson } from '../../../test/answers.ts'
import {
  newBrowser,
  newMember,
  PASSWORD,
  PASSWORD_HASH,
  signInPerson,
} from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, putOne } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { addMember } from '../../people/organizations/service.ts'

const hasNothing = ({ details }: StoredEntry): boolean => details === null

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store()))

  test('API keys leave entries without their secrets, which concern their person or creator', async () => {
    const world = await fresh()
    const body = { scope: 'team', teamId: 'a', displayName: 'Pipeline' }
    const created = await readJson<{ organizationApiKeyId: string; key: string }>(
      world.asPerson('Uo', 'POST', '/ui/api-keys', { body }),
      201,
    )
    await expectOk(world.asPerson('Uo', 'DELETE', `/ui/api-keys/${created.organizationApiKeyId}`))
    const entries = (await listEntries(world, 'api-key')).filter(({ name }) => name === 'Pipeline')
    assert.deepEqual(
      entries.map(({ action, team, person }) => [action, team, person]),
      [
        ['created', 'a', world.userIds.Uo],
        ['deleted', 'a', world.userIds.Uo],
      ],
    )
    assert.deepEqual(entries[0]?.details, { scope: 'team', expiresOn: null })
    assert.ok(!JSON.stringify(entries).includes(created.key))
  })

  test('signing in and out, wrong passwords, new passwords and revoked sessions leave entries', async () => {
    const world = await fresh()
    const { browser, session, email } = await newMember(world, world.organizationId)
    const signIn = (password: string) =>
      newBrowser(world).ask('POST', '/ui/sign-in', { email, password })
    await expectProblem(signIn('a wrong long password'), 401)
    await expectProblem(
      newBrowser(world).ask('POST', '/ui/sign-in', { email: 'none@example.test', password: 'x' }),
      401,
    )
    await expectOk(signIn(PASSWORD))
    const change = { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` }
    await expectOk(browser.ask('POST', '/ui/password', change))
    await expectOk(browser.ask('PUT', '/ui/profile', { name: 'Mona Miller' }))
    await expectOk(browser.ask('POST', '/ui/sign-out'))
    const entries = await listEntries(world, 'account')
    assert.deepEqual(
      entries.map(({ action }) => action),
      [
        'sign-in-failed',
        'signed-in',
        'password-changed',
        'sessions-revoked',
        'renamed',
        'signed-out',
      ],
    )
    const { id } = session.user
    assert.ok(entries.every(({ subject, person }) => subject === id && person === id))
    assert.equal(entries[0]?.principal, 'system')
    assert.equal(entries[1]?.principal, `user:${id}`)
    assert.ok(!JSON.stringify(entries).includes(PASSWORD))
  })

  test('an account of two organizations has its entries in both', async () => {
    const [world, other] = [await fresh(), await fresh()]
    const { email } = await newMember(world, world.organizationId)
    const person = { email, passwordHash: PASSWORD_HASH, role: 'Member' } as const
    await addMember(other.services.db, other.organizationId, person)
    await signInPerson(world, email)
    for (const one of [world, other]) {
      // oxlint-disable-next-line no-await-in-loop
      const actions = (await listEntries(one, 'account')).map(({ action }) => action)
      assert.deepEqual(actions, ['signed-in'])
    }
  })

  test('members and invitations leave entries: invited, role changed, removed', async () => {
    const world = await fresh()
    const path = `/ui/members/${world.userIds.Um}`
    await expectOk(world.asPerson('Uo', 'PUT', path, { body: { role: 'Owner' } }))
    await expectOk(world.asPerson('Uo', 'PUT', path, { body: { role: 'Owner' } }))
    const invitation = { email: 'new@example.test', role: 'Member' }
    const { id } = await readJson<{ id: string }>(
      world.asPerson('Um', 'POST', '/ui/invitations', { body: invitation }),
      201,
    )
    await expectOk(world.asPerson('Um', 'DELETE', `/ui/invitations/${id}`))
    await expectOk(world.asPerson('Uo', 'DELETE', path))
    const entries = await listEntries(world, 'member', 'invitation')
    assert.deepEqual(
      entries.slice(3).map(({ action, kind }) => `${action} ${kind}`),
      ['role-changed member', 'created invitation', 'withdrawn invitation', 'removed member'],
    )
    assert.deepEqual(entries[3]?.details, { before: { role: 'Member' }, after: { role: 'Owner' } })
    assert.deepEqual(
      (await listEntries(world, 'api-key')).filter(({ action }) => action === 'deleted').length,
      1,
      'the keys of a removed person',
    )
  })

  test('settings, synonyms and the name of the organization leave entries with what changed', async () => {
    const world = await fresh()
    await expectOk(
      world.asPerson('Uo', 'PUT', '/ui/organization', { body: { name: 'Wagon Works' } }),
    )
    await expectOk(
      world.asPerson('Uo', 'PUT', '/ui/search-synonyms', { body: { groups: [['a', 'b']] } }),
    )
    const [renamed, changed] = await listEntries(world, 'organization', 'search-synonyms').then(
      (entries) => entries.filter(({ action }) => action !== 'created'),
    )
    assert.equal(renamed?.action, 'renamed')
    assert.equal(JSON.stringify(renamed?.details).includes('Wagon Works'), true)
    assert.deepEqual(changed?.details, { before: { groups: 0 }, after: { groups: 1 } })
    const { pathname } = new URL('http://x/api/organization/features')
    const features = await readJson<Record<string, unknown>>(world.as('O', 'GET', pathname))
    await expectOk(world.as('O', 'PUT', pathname, { body: { ...features, customScript: 'x' } }))
    const [entry] = await listEntries(world, 'organization-settings')
    assert.equal(entry?.subject, 'features')
  })

  test('plain records leave entries, except the state that connectors write all the time', async () => {
    const world = await fresh()
    await putOne(world, 'dataproducts', odps('orders'))
    const example = { dataProductId: 'orders', outputPortId: 'x', data: [{ a: 1 }] }
    await world.as('O', 'PUT', '/api/example-data/one', { body: { id: 'one', ...example } })
    await world.as('O', 'PUT', '/api/connectors/c', { body: { id: 'c', info: { type: 'x' } } })
    const entries = await listEntries(world, 'example-data', 'connector')
    assert.deepEqual(entries.map(describeEntry), ['created example-data one'])
    assert.ok(entries.every(hasNothing))
  })

  test('a deleted test result leaves an entry', async () => {
    const world = await fresh()
    await putOne(world, 'datacontracts', odcs('c'))
    const body = { dataContractId: 'c', result: 'passed', checks: [] }
    const answer = await world.as('O', 'POST', '/api/test-results', { body })
    assert.ok(answer.ok, await answer.clone().text())
    const list = await readJson<{ id: string }[]>(world.as('O', 'GET', '/api/test-results'))
    const id = list[0]?.id ?? randomUUID()
    await expectOk(world.as('O', 'DELETE', `/api/test-results/${id}`))
    const [entry] = await listEntries(world, 'test-result')
    assert.equal(entry?.action, 'deleted')
    assert.equal(entry.team, 'a')
  })
})
