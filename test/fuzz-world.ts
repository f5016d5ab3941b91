/** Two organizations for random requests, with canaries, and the ids for requests. */

import { RECORDS } from '../formats/record/kinds.ts'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { buildAgreement } from './agreements.ts'
import { readJson } from './answers.ts'
import type { Pool } from './fuzz-pool.ts'
import { addMember } from '../server/people/organizations/service.ts'
import { newSession } from './session.ts'
import { addIntegration as addIngested, ingest, sourceTable } from './ingested-assets.ts'
import { addIntegration } from './integrations.ts'
import { PASSWORD, PASSWORD_HASH } from './people.ts'
import { addPlainRecord } from './plain-records.ts'
import { buildRecord, toRecordId } from './records.ts'
import { expectOk, odcs, odps, uniqueId, type World } from './world.ts'

const PEOPLE = 40
// The limit of an organization is 100.
const KEYS = 80
const KEYS_OF_PAGES = 40
const TEAM_IDS = ['a', 'b', 'c', 'Data Team', 'äö']
const INTEGRATION_IDS = ['i1', 'i2', 'urn:x:3', '__proto__', 'i5', 'i6', 'i7', 'i8']
// Only requests about its one run name it, so that no request deletes it.
const KEPT_INTEGRATION = 'kept'
const RUN_PATHS = ['', '/scopes', '/changes', '/log'].flatMap((end) =>
  ['/ui/integrations', '/api/integrations', '/api/integrations/ingest'].map(
    (start) => `${start}/{externalId}/runs/{ingestionRunId}${end}`,
  ),
)
const NAMED = {
  password: [PASSWORD],
  currentPassword: [PASSWORD],
  newPassword: [PASSWORD],
  externalId: [...INTEGRATION_IDS, 'i9'],
  source: ['postgres', 'postgres', 'postgres', 'mysql', 'iceberg'],
  name: ['Sales'],
  configuration: [{ host: 'db.portbook.test', user: 'reader' }],
  secrets: [{ password: 'x' }],
  owningTeamExternalId: TEAM_IDS,
  teamId: TEAM_IDS,
  owner: TEAM_IDS,
  scope: ['user', 'team', 'team_read', 'organization_read'],
  permissions: [[], ['DATAPRODUCT_EDIT'], ['RESOURCES_EDIT', 'ASSET_ADD']],
  scheduleExpression: ['0 3 * * *', '@daily', '61 * * * *'],
  timeZone: ['Europe/Berlin', 'UTC', 'Mars/Olympus'],
  expiresAt: ['2999-01-01', null],
  filters: [{}],
  dataProductId: ['p1', 'p2', 'p3'],
  outputPortId: ['out'],
  startDate: ['2026-01-01', null],
  endDate: ['2999-01-01', null],
  nextReassessmentDate: ['2999-01-01', null],
}
const NEW_ADDRESSES = Array.from({ length: PEOPLE }, (_, at) => `new-${at}@example.test`)
const PRODUCT_IDS = ['p1', 'p2', 'p3', 'urn:x:4', '{5}', '__proto__', 'p 7']

/** Fills an organization; returns texts that must not be visible outside of it. */
export async function plantCanaries(world: World): Promise<string[]> {
  const canary = `canary${uniqueId()}`
  await expectOk(
    world.as('O', 'PUT', `/api/teams/${canary}`, {
      body: {
        id: canary,
        name: canary,
        parent: 'a',
        members: [{ emailAddress: `${canary}@example.test`, role: canary }],
      },
    }),
  )
  const ports = [{ name: canary, version: '1', description: canary, contractId: canary }]
  await addIntegration(world, canary, { externalId: canary, name: canary })
  const body = odps(canary, { team: { name: canary }, name: canary, outputPorts: ports })
  await expectOk(world.as('O', 'PUT', `/api/dataproducts/${canary}`, { body }))
  for (const id of PRODUCT_IDS) {
    const path = `/api/dataproducts/${encodeURIComponent(id)}`
    const outputPorts = [{ name: 'out', version: '1' }]
    await expectOk(world.as('O', 'PUT', path, { body: odps(id, { outputPorts }) }))
    const accessPath = `/api/access/${encodeURIComponent(id)}`
    const agreement = buildAgreement(id, { teamId: 'b' })
    await expectOk(world.as('O', 'PUT', accessPath, { body: agreement }))
    const started = `${accessPath}/provisioning/provisioning-started`
    await expectOk(world.as('O', 'POST', started, { body: {} }))
    for (const kind of RECORDS) {
      const recordId = toRecordId(kind, id)
      const recordPath = `${kind.collection}/${encodeURIComponent(recordId)}`
      await expectOk(world.as('O', 'PUT', recordPath, { body: buildRecord(kind, recordId) }))
    }
    for (const kind of PLAIN_RECORDS) await addPlainRecord(world, kind, { id, team: 'a' })
    const asset = { info: { name: id, owner: 'a' } }
    const assetPath = `/api/assets/${encodeURIComponent(id)}`
    await expectOk(world.as('O', 'PUT', assetPath, { body: asset }))
    const contractPath = `/api/datacontracts/${encodeURIComponent(id)}`
    for (const version of ['1', '2']) {
      await expectOk(world.as('O', 'PUT', contractPath, { body: odcs(id, { version }) }))
    }
  }
  return [canary, world.organizationId]
}

interface Invited {
  id: string
  link: string
}

interface SparePerson {
  userId: string
  email: string
  session: string
}

// People who may be removed, signed out or demoted without affecting other requests.
async function addPeople({ services, organizationId }: World): Promise<SparePerson[]> {
  const { db, clock } = services
  const people: SparePerson[] = []
  for (let index = 0; index < PEOPLE; index += 1) {
    const email = `spare-${uniqueId()}@example.test`
    const member = { email, passwordHash: PASSWORD_HASH, role: 'Owner' as const }
    const userId = await addMember(db, organizationId, member)
    people.push({ userId, email, session: await newSession(db, clock, userId) })
  }
  return people
}

/** Collects keys, sessions and ids for requests. */
export async function collectPool(a: World, b: World): Promise<Pool> {
  const keyIds: string[] = []
  for (let index = 0; index < KEYS; index += 1) {
    const body = { scope: 'team_read', teamId: 'b', displayName: `Fuzz ${index}` }
    const answer = await expectOk(a.as('O', 'POST', '/api/api-keys', { body }))
    keyIds.push(((await answer.json()) as { organizationApiKeyId: string }).organizationApiKeyId)
  }
  for (const id of INTEGRATION_IDS) await addIntegration(a, 'a', { externalId: id })
  await addIntegration(a, 'a', { externalId: KEPT_INTEGRATION })
  const run = a.as('O', 'POST', `/api/integrations/${KEPT_INTEGRATION}/run`)
  const { ingestionRunId } = await readJson<{ ingestionRunId: string }>(run, 202)
  const people = await addPeople(a)
  const signingOut = await addPeople(a)
  const forgetful = await addPeople(a)
  const invitations: Invited[] = []
  for (let index = 0; index < PEOPLE; index += 1) {
    const body = { email: `invited-${uniqueId()}@example.test`, role: 'Member' }
    invitations.push(
      await readJson<Invited>(a.asPerson('Uo', 'POST', '/ui/invitations', { body }), 201),
    )
  }
  const resets: Pick<Invited, 'link'>[] = []
  for (const { userId } of forgetful) {
    const path = `/ui/members/${userId}/password-reset`
    resets.push(await readJson<Invited>(a.asPerson('Uo', 'POST', path), 201))
  }
  const source = await addIngested(a, { owner: 'a' })
  const assetIds = await ingest(a, source, [
    sourceTable(['d', 'public', 'x']),
    sourceTable(['d', 'public', 'y']),
  ])
  const feed = await readJson<{ id: string }[]>(a.as('O', 'GET', '/api/events'), 200)
  return {
    eventIds: feed.map(({ id }) => id),
    sessionsToLose: people.map(({ session }) => session),
    sessionsToSignOut: signingOut.map(({ session }) => session),
    named: {
      ...NAMED,
      email: [...people.map(({ email }) => email), ...NEW_ADDRESSES],
      token: [...invitations, ...resets].map(({ link }) => link.split('#')[1] ?? ''),
    },
    ids: {
      organizationApiKeyId: keyIds.slice(KEYS_OF_PAGES),
      '/ui/api-keys/{organizationApiKeyId} organizationApiKeyId': keyIds.slice(0, KEYS_OF_PAGES),
      externalId: INTEGRATION_IDS,
      ...Object.fromEntries(RUN_PATHS.map((path) => [`${path} externalId`, [KEPT_INTEGRATION]])),
      portId: ['out', 'o'],
      userId: people.map(({ userId }) => userId),
      ingestionRunId: [ingestionRunId],
      version: ['0', '1', '2', '3'],
      teams: TEAM_IDS,
      assets: [...assetIds, ...assetIds, ...PRODUCT_IDS],
      invitations: invitations.map(({ id }) => id),
    },
    keysOfA: getSecrets(a),
    sessionsOfA: [a.sessions.Uo, a.sessions.Uo, a.sessions.Uo, a.sessions.Ue, a.sessions.Um],
    keysOfB: getSecrets(b),
    teamIds: TEAM_IDS,
    productIds: PRODUCT_IDS,
  }
}

function getSecrets({ keys }: World): string[] {
  // The organization's key is frequent, because most of its requests are allowed.
  return [keys.O, keys.O, keys.O, keys.O, keys.O, ...Object.values(keys)].filter(
    (key) => key !== undefined,
  )
}
