/** A personal key reads what its person reads with a session. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { api } from '../server/api.ts'
import { addAgreement, addProvider } from './agreements.ts'
import { readJson } from './answers.ts'
import { addIntegration } from './integrations.ts'
import { onStore } from './stores.ts'
import { addWebhook } from './webhooks.ts'
import { expectOk, newProduct, newWorld, odcs, putOne, type World } from './world.ts'

const PEOPLE = ['Uo', 'Ue', 'Um'] as const

const reads = api.filter(({ method }) => method === 'GET').map(({ path }) => path)

// The guides describe these differences.
const DIFFERENCES: ReadonlySet<string> = new Set([
  // The answer describes the caller.
  '/api/organization/settings',
  // Only keys of organizations, and pages.
  '/api/organization/features',
  '/api/settings/customization',
])

/** Queries that make a route answer more than one way. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/api/activity': ['', '?kind=api-key', '?kind=account', '?kind=member', '?kind=invitation'],
  '/api/example-data': ['?dataProductId=orders'],
  '/api/search': ['?query=orders'],
}

onStore((store) => {
  let world: World
  const ids: Record<string, string> = {}
  before(async () => {
    world = await newWorld(newProduct(store()))
    ids.productId = await addProvider(world, 'a')
    ids.contractId = 'orders'
    await putOne(world, 'datacontracts', odcs('orders'))
    for (const person of PEOPLE) {
      const body = { scope: 'user', displayName: `Key of ${person}` }
      await readJson(world.asPerson(person, 'POST', '/ui/api-keys', { body }), 201)
      await expectOk(world.asPerson(person, 'PUT', '/ui/profile', { body: { name: person } }))
      const path = `/api/dataproducts/${ids.productId}/star`
      if (person !== 'Ue') await expectOk(world.as(person, 'PUT', path))
      const consumer = { userId: world.userIds[person] }
      ids.accessId = (await addAgreement(world, { consumer })).split('/').at(-1) ?? ''
    }
    ids.externalId = await addIntegration(world, 'a')
    ids.webhookId = (await addWebhook(world, { url: 'https://receiver.example/x' })).id
  })

  const toPath = (route: string): string =>
    route.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (route.startsWith('/api/dataproducts/') && name === 'id') return ids.productId ?? ''
      if (route.startsWith('/api/datacontracts/')) return 'orders'
      if (route.startsWith('/api/access/') && name === 'id') return ids.accessId ?? ''
      if (route.startsWith('/api/webhooks/') && name === 'id') return ids.webhookId ?? ''
      if (route.startsWith('/api/teams/')) return 'a'
      if (name === 'externalId') return ids.externalId ?? ''
      return name === 'portId' ? 'out' : '1'
    })

  describe('GET', () => {
    for (const route of reads.filter((path) => !DIFFERENCES.has(path))) {
      test(`${route} › answers a personal key as the session of its person`, async () => {
        for (const query of QUERIES[route] ?? ['']) {
          const path = `${toPath(route)}${query}`
          for (const person of PEOPLE) {
            const byKey = await world.as(person, 'GET', path)
            const bySession = await world.asPerson(person, 'GET', path)
            assert.equal(byKey.status, bySession.status, `${person} ${path}`)
            // Errors name people to sign-ins only.
            if (byKey.ok) assert.equal(await byKey.text(), await bySession.text(), path)
          }
        }
      })
    }
  })

  for (const kind of ['api-key', 'account']) {
    test(`GET /api/activity?kind=${kind} › the person sees entries about themselves by key and session`, async () => {
      const path = `/api/activity?kind=${kind}`
      const [byKey, bySession, ofTeam] = [
        await readJson<unknown[]>(world.as('Um', 'GET', path)),
        await readJson<unknown[]>(world.asPerson('Um', 'GET', path)),
        await readJson<unknown[]>(world.as('T', 'GET', path)),
      ]
      assert.ok(byKey.length > 0)
      assert.deepEqual(byKey, bySession)
      assert.deepEqual(ofTeam, [])
    })
  }
})
