/** Commands refuse members that they do not know; a misspelled or unsupported one must not be ignored. */

import { existingIncident } from './permissions/requests.ts'
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { api } from '../server/api.ts'
import type { Route } from '../server/requests/http/endpoint.ts'
import { EMAIL_CHOICES } from '../server/notices/notifications/kinds.ts'
import { ui } from '../server/ui.ts'
import { addAgreement, addProvider } from './agreements.ts'
import { expectProblem, type Problem } from './answers.ts'
import * as ingested from './ingested-assets.ts'
import { addFinding, addPromise } from './drift.ts'
import { addAccessFinding } from './grant-world.ts'
import { addIntegration, integrationBody } from './integrations.ts'
import { addPlainRecord } from './plain-records.ts'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { PROVIDER_FORM } from './identity-providers.ts'
import { onStore } from './stores.ts'
import { addWebhook } from './webhooks.ts'
import { newProduct, newWorld, odcs, putOne, uniqueId, type World } from './world.ts'

/** A command that the server would carry out. `path` replaces the names in braces of its route. */
interface Command {
  path?: (world: World) => Promise<string>
  body: object
}

const PASSWORD = 'a long enough password'
const TOKEN = { token: 'unknown' }
const NEW_PASSWORD = { ...TOKEN, password: PASSWORD }
const ACCEPTANCE = { reason: 'Agreed by mail' }
const GRANTEE = { granteeKind: 'role', granteeName: 'reader' }
const CHANNEL = { kind: 'incident', isEnabled: true }

const COMMANDS: Readonly<Record<string, Command>> = {
  'POST /api/dataproducts/{id}/outputports/{portId}/request-access': {
    path: async (world) =>
      `/api/dataproducts/${await addProvider(world, 'a')}/outputports/out/request-access`,
    body: { purpose: 'Reports' },
  },
  'POST /api/datacontracts/{id}/generate': {
    path: async (world) => {
      const id = uniqueId()
      await putOne(world, 'datacontracts', odcs(id))
      return `/api/datacontracts/${id}/generate`
    },
    body: { type: 'sql-ddl' },
  },
  'POST /api/datacontracts/{id}/drift/proposal': {
    path: async (world) => {
      const id = uniqueId()
      await putOne(world, 'datacontracts', odcs(id))
      return `/api/datacontracts/${id}/drift/proposal`
    },
    body: {},
  },
  'POST /api/access/evaluation': {
    body: {
      subject: { type: 'user', id: 'current_user' },
      resource: { type: 'data_product', id: 'none', properties: { outputPortId: 'out' } },
      action: { name: 'query', properties: { sql: 'select 1' } },
    },
  },
  'PUT /api/access/{id}/provisioning': {
    path: async (world) => `${await addAgreement(world)}/provisioning`,
    body: { status: 'provisioned' },
  },
  ...Object.fromEntries(
    ['provisioning', 'deprovisioning'].flatMap((step) =>
      ['started', 'succeeded', 'failed'].map((end) => [
        `POST /api/access/{id}/provisioning/${step}-${end}`,
        {
          path: async (world: World) => `${await addAgreement(world)}/provisioning/${step}-${end}`,
          body: { platform: 'snowflake' },
        },
      ]),
    ),
  ),
  'POST /api/incidents/{id}/acknowledge': {
    path: async (world) => (await existingIncident('a', '/acknowledge')(world)).path,
    body: {},
  },
  'PUT /api/drift/{id}/acceptance': {
    path: async (world) => {
      const id = uniqueId()
      await putOne(world, 'datacontracts', odcs(id, { team: { name: 'a' } }))
      return `/api/drift/${await addFinding(world, id)}/acceptance`
    },
    body: ACCEPTANCE,
  },
  'PUT /api/access-findings/{id}/acceptance': {
    path: async (world) => `/api/access-findings/${await addAccessFinding(world, 'a')}/acceptance`,
    body: ACCEPTANCE,
  },
  'PUT /api/datacontracts/{id}/links/{server}/{model}': {
    path: async (world) => {
      const id = uniqueId()
      await putOne(world, 'datacontracts', odcs(id))
      await addPromise(world, id)
      return `/api/datacontracts/${id}/links/production/orders`
    },
    body: { assetId: null, reason: 'No table' },
  },
  'POST /api/integrations/{externalId}/addresses': {
    path: async (world) => `/api/integrations/${await addIntegration(world, 'a')}/addresses`,
    body: { address: 'db.example:5432' },
  },
  'PUT /api/integrations/{externalId}/test-account': {
    path: async (world) => `/api/integrations/${await addIntegration(world, 'a')}/test-account`,
    body: { userName: 'tester', password: 'secret', enabled: true, isForAllTeams: true },
  },
  'PUT /api/integrations/{externalId}/grants': {
    path: async (world) => `/api/integrations/${await addIntegration(world, 'a')}/grants`,
    body: { enabled: true, pattern: '{team}' },
  },
  'PUT /api/integrations/{externalId}/grants/names': {
    path: async (world) => `/api/integrations/${await addIntegration(world, 'a')}/grants/names`,
    body: { ...GRANTEE, subject: { kind: 'platform' } },
  },
  'POST /api/integrations/{externalId}/grants/names/remove': {
    path: async (world) =>
      `/api/integrations/${await addIntegration(world, 'a')}/grants/names/remove`,
    body: GRANTEE,
  },
  'POST /api/webhooks': { body: { name: 'Endpoint', url: 'https://receiver.example/events' } },
  'PUT /api/webhooks/{id}': {
    path: async (world) => `/api/webhooks/${await addWebhookId(world)}`,
    body: { name: 'Endpoint', url: 'https://receiver.example/events' },
  },
  'POST /api/webhooks/{id}/replay': {
    path: async (world) => `/api/webhooks/${await addWebhookId(world)}/replay`,
    body: { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' },
  },
  'POST /api/api-keys': { body: { scope: 'team', teamId: 'a' } },

  'POST /ui/set-up': {
    body: { ...NEW_PASSWORD, organization: 'O', name: 'Ada', email: 'ada@example.test' },
  },
  'POST /ui/sign-in': { body: { email: 'ada@example.test', password: PASSWORD } },
  'POST /ui/invitations/look': { body: TOKEN },
  'POST /ui/invitations/accept': { body: { ...NEW_PASSWORD, name: 'Ada' } },
  'POST /ui/password-reset/look': { body: TOKEN },
  'POST /ui/password-reset': { body: NEW_PASSWORD },
  'POST /ui/unsubscribe/preview': { body: TOKEN },
  'POST /ui/unsubscribe': { body: TOKEN },
  'PUT /ui/profile': { body: { name: 'Ada' } },
  'POST /ui/password': { body: { currentPassword: PASSWORD, newPassword: PASSWORD } },
  'PUT /ui/members/{userId}': {
    path: async ({ userIds }) => `/ui/members/${userIds.Um}`,
    body: { role: 'Member' },
  },
  'POST /ui/members/{userId}/erasure': {
    path: async ({ userIds }) => `/ui/members/${userIds.Um}/erasure`,
    body: { email: 'um@example.test' },
  },
  'POST /ui/invitations': { body: { email: 'new@example.test', role: 'Member' } },
  'POST /ui/identity-providers': { body: PROVIDER_FORM },
  'POST /ui/identity-providers/test': {
    body: {
      id: '00000000-0000-7000-8000-000000000001',
      connection: {
        issuer: 'https://id.velmora.example',
        clientId: 'portbook',
        clientAuthentication: 'none',
        authority: null,
      },
    },
  },
  'PUT /ui/identity-providers/{id}': { body: PROVIDER_FORM },
  'POST /ui/mail-domains': { body: { domain: 'velmora.example' } },
  'POST /ui/sign-in/provider': {
    body: { providerId: '00000000-0000-7000-8000-000000000001', next: '/' },
  },
  'POST /ui/sign-in/provider/finish': { body: { providerId: 'x', query: '' } },
  'POST /ui/identity-providers/{id}/try': { body: { next: '/' } },
  'POST /ui/provider-identities/{id}': { body: { next: '/' } },
  'POST /ui/provider-identities/{id}/confirm': { body: { next: '/' } },
  'PUT /ui/sign-in-rule': { body: { rule: 'any', breakGlass: [] } },
  'PUT /ui/organization': { body: { name: 'Organization' } },
  'POST /ui/organizations': { body: { name: 'Organization' } },
  'POST /ui/integrations': { body: integrationBody() },
  'POST /ui/integrations/test': { body: integrationBody() },
  'POST /ui/integrations/scopes': { body: integrationBody() },
  'POST /ui/integrations/schedule': { body: { scheduleExpression: '0 3 * * *' } },
  'PUT /ui/integrations/{externalId}': {
    path: async (world) => `/ui/integrations/${await addIntegration(world, 'a')}`,
    body: integrationBody(),
  },
  ...Object.fromEntries(
    ['test', 'scopes'].map((part) => [
      `POST /ui/integrations/{externalId}/${part}`,
      {
        path: async (world: World) =>
          `/ui/integrations/${await addIntegration(world, 'a')}/${part}`,
        body: integrationBody(),
      },
    ]),
  ),
  'POST /ui/integrations/{externalId}/run': {
    path: async (world) => `/ui/integrations/${await addIntegration(world, 'a')}/run`,
    body: { kind: 'preview' },
  },
  'POST /ui/tags/rename': { body: { from: 'x', to: 'y' } },
  'PUT /ui/search-synonyms': { body: { groups: [['client', 'customer']] } },
  'POST /ui/notifications/mark': { body: { ids: [] } },
  'PUT /ui/notification-settings': {
    body: { kind: 'incident', onPage: true, email: EMAIL_CHOICES[0] },
  },
  'PUT /ui/teams/{id}/channels/{channelId}/notifications': {
    path: async (world) => `/ui/teams/a/channels/${await addChannel(world)}/notifications`,
    body: CHANNEL,
  },
  'PUT /ui/follow': { body: { kind: 'team', id: 'a' } },
  'PUT /ui/access/{id}/terms': {
    path: async (world) => (await addAgreement(world)).replace('/api/', '/ui/').concat('/terms'),
    body: { roles: [] },
  },
  'POST /ui/access-requests': {
    body: { ports: [{ productId: 'p', port: 'out' }], consumer: { teamId: 'a' }, purpose: 'R' },
  },
  'POST /ui/access-decisions': { body: { ids: ['a'], decision: 'approve' } },
  'PUT /ui/notification-digest': { body: { hour: 8 } },
  'POST /ui/api-keys': { body: { scope: 'user', displayName: 'Laptop' } },
  'PUT /ui/assets/{id}/annotation': {
    path: async (world) => {
      const integration = await ingested.addIntegration(world)
      const table = ingested.sourceTable(['shop', 'public', uniqueId()])
      const [id] = await ingested.ingest(world, integration, [table])
      return `/ui/assets/${id}/annotation`
    },
    body: { description: 'Orders' },
  },
}

async function addWebhookId(world: World): Promise<string> {
  return (await addWebhook(world, { url: 'https://receiver.example/events' })).id
}

async function addChannel(world: World): Promise<string> {
  const kind = PLAIN_RECORDS.find(({ kind: name }) => name === 'notification-channel')
  assert.ok(kind)
  return await addPlainRecord(world, kind, { id: uniqueId(), team: 'a' })
}

/** Lists the objects inside a body, each with its path. */
function listObjects(body: object, at = ''): string[] {
  const inner = Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null ? listObjects(value, `${at}${name}.`) : [],
  )
  return Array.isArray(body) ? inner : [at, ...inner]
}

/** Returns a body with one more member in the object at this path. */
function withUnknown(body: object, at: string): object {
  const copy = structuredClone(body)
  const parts = at.split('.').slice(0, -1)
  const inner = parts.reduce<object>((value, part) => Reflect.get(value, part) as object, copy)
  Reflect.set(inner, 'endDat', '2026-12-31')
  return copy
}

// Maps whose members the client chooses.
const OPEN = /(?:^|\.)(?:properties)\.$/

const commands = [...api, ...ui].filter(({ described }) => described.body?.content === 'command')

test('every command of the route table has a row', () => {
  const routes = commands.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(Object.keys(COMMANDS).toSorted(), routes.toSorted())
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const send = async ({ method, path: pattern }: Route, path: string, body: object) =>
    pattern.startsWith('/ui/') || pattern.endsWith('/request-access')
      ? await world.asPerson('Uo', method, path, { body })
      : await world.as('O', method, path, { body })

  describe('unknown members', () => {
    for (const route of commands) {
      const name = `${route.method} ${route.path}`
      const { path: makePath, body } = COMMANDS[name] ?? { body: {} }
      for (const at of listObjects(body).filter((one) => !OPEN.test(one))) {
        test(`${name} › 400 or 422 that names ${at}endDat`, async () => {
          const path = (await makePath?.(world)) ?? route.path
          const answer = await send(route, path, withUnknown(body, at))
          assert.ok([400, 422].includes(answer.status), String(answer.status))
          const problem: Problem = await expectProblem(answer, answer.status)
          const fields = problem.violations?.map(({ field }) =>
            field.replaceAll(/\[(\d+)\]/g, '.$1'),
          )
          assert.deepEqual(fields, [`${at}endDat`], problem.detail)
          assert.ok(problem.detail.includes('endDat'), problem.detail)
        })
      }
    }
  })
})
