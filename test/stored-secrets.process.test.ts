/** Secrets of people and receivers are stored only sealed or as hashes, and no answer, log, export or backup has them. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '../server/api.ts'
import { ui } from '../server/ui.ts'
import { newCanary, type Canary } from './canaries.ts'
import { newHttpClient, type HttpAnswer } from './http-client.ts'
import { onPlace } from './operator.ts'
import { startProduct } from './process.ts'
import { lookBehind, Seen } from './secret-places.ts'
import { newOwner } from './sources.ts'
import { withSession } from './world.ts'

const ENDED_MS_MAX = 60_000
const AT_ONCE = 4

/** A kind of secret that people enter or get once, and that is then stored only sealed or as a hash. */
interface SecretKind {
  name: string
  /** Enters a new secret, or gets one; the answers of these requests may contain it. */
  plant(client: SecretClient): Promise<Canary>
}

/** Requests whose answers are not recorded. */
interface SecretClient {
  send(method: string, path: string, body?: unknown): Promise<{ text: string; cookies: string }>
}

const CHANNEL = '/api/teams/platform/notification-channels/secrets'

/** **Every kind of secret** that is no credential of a source. */
const SECRET_KINDS: readonly SecretKind[] = [
  {
    name: 'address of a notification channel',
    async plant({ send }) {
      const canary = newCanary({ isPlain: true })
      const endpoint = `https://hooks.chat.example/${encodeURIComponent(canary.secret)}`
      await send('PUT', CHANNEL, { name: 'C', type: 'slack', endpoint, enabled: false })
      await send('GET', CHANNEL)
      return canary
    },
  },
  {
    name: 'signing secret of a webhook',
    plant: async ({ send }) => {
      const url = 'https://192.0.2.1/webhook'
      const { text } = await send('POST', '/api/webhooks', { name: 'W', url, eventTypes: [] })
      return findIn(text, /whsec_([\w+/=]+)/)
    },
  },
  {
    name: 'API key',
    plant: async ({ send }) => {
      const key = { scope: 'team_read', teamId: 'platform', displayName: 'K' }
      const { text } = await send('POST', '/api/api-keys', key)
      return findIn(text, /(pbk_\w{20,})/)
    },
  },
  {
    name: 'link of an invitation',
    plant: async ({ send }) => {
      const invitation = { email: 'invited@example.test', role: 'Member' }
      const { text } = await send('POST', '/ui/invitations', invitation)
      return findIn(text, /#([\w-]{20,})/)
    },
  },
  {
    name: 'password and session',
    async plant({ send }) {
      const { text } = await send('POST', '/ui/invitations', {
        email: 'person@example.test',
        role: 'Owner',
      })
      const token = /#([\w-]{20,})/.exec(text)?.[1]
      const canary = newCanary()
      await send('POST', '/ui/invitations/accept', { token, name: 'P', password: canary.secret })
      return canary
    },
  },
]

test('secrets of people and receivers are stored only sealed or as hashes', async () => {
  await onPlace(async (place) => {
    const owner = await newOwner(place)
    const seen = new Seen()
    const environment = { ...place.environment, PORTBOOK_LOG_LEVEL: 'debug' }
    const product = await startProduct(environment)
    const client = newHttpClient(product.url, owner.key, { connectionsMax: AT_ONCE })
    const send = async (method: string, path: string, body?: unknown): Promise<HttpAnswer> => {
      const asPerson = { ...withSession(owner.session), 'content-type': 'application/json' }
      const more = path.startsWith('/ui') ? { key: null, headers: asPerson } : {}
      return await client.send(method, path, { body, timeoutMs: ENDED_MS_MAX, ...more })
    }
    const secrets: { name: string; canary: Canary }[] = []
    const planting: SecretClient = {
      async send(method, path, body) {
        const answer = await send(method, path, body)
        assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`)
        return { text: answer.text, cookies: String(answer.headers['set-cookie'] ?? '') }
      },
    }
    try {
      await planting.send('PUT', '/api/teams/platform', { id: 'platform', name: 'Platform' })
      const reader = { scope: 'team_read', teamId: 'platform', displayName: 'Reader' }
      const { text } = await planting.send('POST', '/api/api-keys', reader)
      const readerKey = /pbk_\w{20,}/.exec(text)?.[0] ?? ''
      for (const { name, plant } of SECRET_KINDS) {
        secrets.push({ name, canary: await plant(planting) })
      }
      for (const path of [...listedPaths(), CHANNEL]) {
        const options = { key: readerKey, timeoutMs: ENDED_MS_MAX }
        seen.note(`GET ${path} by a reader`, (await client.send('GET', path, options)).text)
        if (path !== CHANNEL && !path.endsWith('/notification-channels')) {
          seen.note(`GET ${path} by the owner`, (await send('GET', path)).text)
        }
      }
    } finally {
      client.close()
    }
    const ended = await product.stop()
    seen.note('standard output of the server', ended.stdout)
    seen.note('log of the server', ended.stderr)
    await lookBehind(place, seen)
    const texts = [...seen.texts.keys()].join('\n')
    assert.ok(texts.includes('hooks.chat.example/***'), 'the channel was not checked')
    for (const { name, canary } of secrets) assert.deepEqual(seen.find(canary), [], name)
  })
})

/** Lists the addresses of the API without parameters, and those of the team with the secrets. */
function listedPaths(): string[] {
  return [...api, ...ui]
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replaceAll(/\{id\}/g, 'platform'))
    .filter((path) => !path.includes('{'))
}

function findIn(text: string, pattern: RegExp): Canary {
  const secret = pattern.exec(text)?.[1]
  assert.ok(secret !== undefined, text)
  return { secret, isIn: (one) => one.includes(secret) }
}
