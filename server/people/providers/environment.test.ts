import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { listEntries } from '../../../test/activity.ts'
import { expectProblem } from '../../../test/answers.ts'
import { linkPerson, listProviders, PROVIDERS_PATH } from '../../../test/identity-providers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld } from '../../../test/world.ts'
import { readConfig } from '../../platform/config.ts'
import { applyEnvironmentProvider, parseEnvironmentProvider } from './environment-service.ts'
import { findOpenedProvider } from './service.ts'

const SETTINGS = {
  PORTBOOK_OIDC_ISSUER: 'https://id.velmora.example',
  PORTBOOK_OIDC_CLIENT_ID: 'portbook',
  PORTBOOK_OIDC_CLIENT_SECRET: 'from the file',
  PORTBOOK_OIDC_DOMAINS: 'Velmora.Example',
  PORTBOOK_OIDC_JOIN: 'everyone',
}

const parse = (changes: object = {}) =>
  parseEnvironmentProvider(readConfig({ ...SETTINGS, ...changes }).oidc)

test('invalid settings are refused with the name of each setting', () => {
  assert.equal(parseEnvironmentProvider(readConfig({}).oidc), undefined)
  for (const [changes, message] of [
    [{ PORTBOOK_OIDC_CLIENT_ID: '' }, /PORTBOOK_OIDC_CLIENT_ID must also be set/],
    [{ PORTBOOK_OIDC_ISSUER: 'id' }, /PORTBOOK_OIDC_ISSUER must be an address/],
    [{ PORTBOOK_OIDC_DOMAINS: 'a b.example' }, /PORTBOOK_OIDC_DOMAINS must be a domain/],
    [{ PORTBOOK_OIDC_JOIN: 'anyone' }, /PORTBOOK_OIDC_JOIN/],
    [{ PORTBOOK_OIDC_JOIN: 'groups' }, /PORTBOOK_OIDC_GROUPS_CLAIM is needed/],
    [{ PORTBOOK_OIDC_DOMAINS: '' }, /PORTBOOK_OIDC_DOMAINS must name at least one/],
    [{ PORTBOOK_OIDC_EMAIL_TRUST: 'x' }, /PORTBOOK_OIDC_EMAIL_TRUST/],
    [{ PORTBOOK_OIDC_SUBJECT_CLAIM: 'upn' }, /PORTBOOK_OIDC_SUBJECT_CLAIM/],
  ] as const) {
    const problems: string[] = []
    try {
      parseEnvironmentProvider(readConfig({ ...SETTINGS, ...changes }).oidc, problems)
    } catch (error) {
      problems.push(String(error))
    }
    assert.match(problems.join(), message)
  }
})

onStore((store) => {
  test('the provider of the settings follows them, in any number of processes', async () => {
    const world = await newWorld(newProduct(store()))
    const second = newProduct(store()).services
    const { services } = world
    await Promise.all([
      applyEnvironmentProvider(services, parse()),
      applyEnvironmentProvider(second, parse()),
    ])
    const [provider, ...others] = (await listProviders(world)).providers
    assert.ok(provider)
    assert.equal(others.length, 0)
    assert.partialDeepStrictEqual(provider, {
      origin: 'environment',
      name: 'Single sign-on',
      domains: ['velmora.example'],
      version: 1,
      enabled: true,
    })
    assert.equal((await findOpenedProvider(services, provider.id))?.secret, 'from the file')
    assert.deepEqual(
      (await listEntries(world, 'identity-provider', 'sign-in-rule')).map(({ action }) => action),
      ['domain-added', 'domain-verified', 'created', 'secret-set'],
    )
    const path = `${PROVIDERS_PATH}/${provider.id}`
    await expectProblem(world.asPerson('Uo', 'DELETE', path), 422, /follows the settings/)

    await linkPerson(world, provider.id)
    await applyEnvironmentProvider(services, parse({ PORTBOOK_OIDC_NAME: 'Velmora' }))
    assert.partialDeepStrictEqual((await listProviders(world)).providers[0], {
      id: provider.id,
      name: 'Velmora',
      version: 2,
      linkCount: 1,
    })
    await applyEnvironmentProvider(services, parse({ PORTBOOK_OIDC_CLIENT_ID: 'other' }))
    assert.partialDeepStrictEqual((await listProviders(world)).providers[0], { linkCount: 0 })
    await applyEnvironmentProvider(services, undefined)
    await applyEnvironmentProvider(second, undefined)
    assert.partialDeepStrictEqual((await listProviders(world)).providers[0], {
      enabled: false,
      version: 4,
    })
    await applyEnvironmentProvider(services, parse())
    assert.partialDeepStrictEqual((await listProviders(world)).providers[0], { enabled: true })

    // A second organization changes nothing, an unknown address neither, and another address moves it.
    const other = await newWorld(world)
    await applyEnvironmentProvider(services, parse())
    const unknown = parse({ PORTBOOK_OIDC_ORGANIZATION: 'unknown' })
    await applyEnvironmentProvider(services, unknown)
    assert.partialDeepStrictEqual((await listProviders(world)).providers[0], { enabled: true })
    const { rows } = await sql<{ address: string }>`
      select vanity_url as address from organization where id = ${other.organizationId}
    `.execute(store().db)
    const moved = {
      PORTBOOK_OIDC_ORGANIZATION: rows[0]?.address,
      PORTBOOK_OIDC_DOMAINS: 'b.example',
    }
    await applyEnvironmentProvider(services, parse(moved))
    assert.partialDeepStrictEqual((await listProviders(world)).providers[0], { enabled: false })
    assert.partialDeepStrictEqual((await listProviders(other)).providers[0], {
      enabled: true,
      domains: ['b.example'],
    })
  })
})
