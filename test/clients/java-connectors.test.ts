/**
 * The access connectors for Databricks and Google Cloud, which are built on the public Java SDK: when access is activated,
 * they read the agreement, its data product and its consumer, grant, and report. They are no packages that a test could
 * install, so these are their requests and the rules by which they find the consumer.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addAgreement, addProvider } from '../agreements.ts'
import { listAccessEventNames, type SeenAgreement } from '../access-events.ts'
import { readJson } from '../answers.ts'
import { expectOk, odps, type World } from '../world.ts'
import { startInstallation, type Installation } from './client.ts'

interface Team {
  id: string
  members?: { emailAddress: string }[]
}

/** A consumer in the words of the platform. */
type Principal = string

/** Finds the principals of an agreement, with a request for each resource that it names. */
type FindPrincipals = (
  get: <T>(path: string) => Promise<T>,
  agreement: SeenAgreement,
) => Promise<Principal[]>

/** The rules by connector. */
const CONNECTORS: Readonly<Record<string, FindPrincipals>> = {
  // A data product is a service principal, and the members of its team have access, too.
  async databricks(get, { consumer: { dataProductId, teamId, userId } }) {
    if (dataProductId === undefined && teamId === undefined) return [`user ${userId}`]
    const team = await get<Team>(`/api/teams/${teamId}`)
    const members = (team.members ?? []).map(({ emailAddress }) => `member ${emailAddress}`)
    const group = [`group team-${team.id}`, ...members]
    return dataProductId === undefined ? group : [`service principal ${dataProductId}`, ...group]
  },
  // The address of a person, the service account of a data product, or the group of a team.
  async gcp(get, { consumer: { dataProductId, teamId, userId } }) {
    if (userId !== undefined) return [`user:${userId}`]
    if (dataProductId !== undefined) {
      const product = await get<{ customProperties: { property: string; value: string }[] }>(
        `/api/dataproducts/${dataProductId}`,
      )
      const account = product.customProperties.find(({ property }) => property === 'gcpPrincipal')
      return [account?.value ?? 'none']
    }
    return [`group:${(await get<Team>(`/api/teams/${teamId}`)).id}@example.test`]
  },
}

describe('the access connectors', () => {
  let installation: Installation
  let world: World
  let address: string
  before(async () => {
    installation = await startInstallation()
    world = await installation.newOrganization()
    const path = `/api/organization/members`
    const members = await readJson<{ userId: string; emailAddress: string }[]>(
      world.as('O', 'GET', path),
    )
    address = members.find(({ userId }) => userId === world.userIds.Um)?.emailAddress ?? ''
  })
  after(async () => await installation.close())

  const get = <T>(path: string): Promise<T> => readJson<T>(world.as('O', 'GET', path))

  async function addReader(): Promise<string> {
    const id = await addProvider(world, 'a')
    const customProperties = [{ property: 'gcpPrincipal', value: `serviceAccount:${id}` }]
    const body = odps(id, { customProperties })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
    return id
  }

  async function listTeamMembers(): Promise<string[]> {
    const { members = [] } = await get<Team>('/api/teams/a')
    assert.equal(members.length, 2)
    return members.map(({ emailAddress }) => `member ${emailAddress}`)
  }

  /** Creates active access of a consumer; returns its path, and the principals that each connector must find. */
  const KINDS: Readonly<
    Record<string, () => Promise<{ path: string; databricks: string[]; gcp: string[] }>>
  > = {
    async 'a team'() {
      const path = await addAgreement(world, { consumer: { teamId: 'a' }, isApproved: true })
      const databricks = ['group team-a', ...(await listTeamMembers())]
      return { path, databricks, gcp: ['group:a@example.test'] }
    },
    async 'a data product'() {
      const id = await addReader()
      const path = await addAgreement(world, { consumer: { dataProductId: id }, isApproved: true })
      const group = ['group team-a', ...(await listTeamMembers())]
      const databricks = [`service principal ${id}`, ...group]
      return { path, databricks, gcp: [`serviceAccount:${id}`] }
    },
    async 'a person, by address'() {
      const path = await addAgreement(world, { consumer: { userId: address }, isApproved: true })
      return { path, databricks: [`user ${address}`], gcp: [`user:${address}`] }
    },
    async 'a person who requested access on a page'() {
      const productId = await addProvider(world, 'b')
      const form = {
        ports: [{ productId, port: 'out' }],
        consumer: { userId: world.userIds.Um },
        purpose: 'Reports',
      }
      const [outcome] = await readJson<{ id: string }[]>(
        world.asPerson('Um', 'POST', '/ui/access-requests', { body: form }),
      )
      const path = `/api/access/${outcome?.id}`
      await expectOk(world.as('O', 'POST', `${path}/approve`))
      return { path, databricks: [`user ${address}`], gcp: [`user:${address}`] }
    },
  }

  for (const [called, create] of Object.entries(KINDS)) {
    test(`${called} › is found by both, and the reports change nothing else`, async () => {
      const { path, ...expected } = await create()
      const id = path.split('/').at(-1) ?? ''
      const events = await listAccessEventNames(world, path)
      assert.equal(events.at(-1), 'Activated')
      const agreement = await get<SeenAgreement>(path)
      assert.equal(agreement.info.active, true)
      for (const [connector, find] of Object.entries(CONNECTORS)) {
        const principals = await find(get, agreement)
        assert.deepEqual(principals, expected[connector as keyof typeof expected], connector)
      }
      const report = { platform: 'databricks', reference: `access-${id}` }
      for (const step of ['started', 'succeeded']) {
        await expectOk(
          world.as('O', 'POST', `${path}/provisioning/provisioning-${step}`, { body: report }),
        )
      }
      // Older connectors send back what they read, with a note in the custom members.
      const noted = { ...agreement, custom: { grantedTo: 'schema' } }
      await expectOk(world.as('O', 'PUT', path, { body: noted }))
      const now = await get<SeenAgreement>(path)
      assert.deepEqual(
        { provider: now.provider, consumer: now.consumer, info: now.info },
        { provider: agreement.provider, consumer: agreement.consumer, info: agreement.info },
      )
      await expectOk(world.as('O', 'POST', `${path}/cancel`))
      assert.equal((await listAccessEventNames(world, path)).at(-1), 'Deactivated')
      assert.equal((await get<SeenAgreement>(path)).info.active, false)
    })
  }

  test('a data product with a new owner › is granted to the new team', async () => {
    const id = await addReader()
    const path = await addAgreement(world, { consumer: { dataProductId: id }, isApproved: true })
    const body = odps(id, { team: { name: 'b' } })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
    const principals = await CONNECTORS['databricks']?.(get, await get<SeenAgreement>(path))
    assert.deepEqual(principals, [`service principal ${id}`, 'group team-b'])
  })
})
