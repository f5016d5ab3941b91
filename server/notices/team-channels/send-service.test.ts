/** Messages to chat systems, on a real receiver. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startChatReceiver, type ChatReceiver } from '../../../test/chat-receiver.ts'
import { CHAT_SHAPES } from '../../../test/chat-shapes.ts'
import { newDialer } from '../../platform/kit/dialer.ts'
import { openHttpClient, type HttpClient } from '../../platform/kit/http-client.ts'
import type { ChatResult } from './chat-answer.ts'
import type { ChatSystem } from './chat-message.ts'
import { postToChat } from './send-service.ts'

const PATH = '/services/T0/B0/canary-of-the-webhook?key=canary'
const MESSAGE = {
  title: 'Orders changes',
  detail: 'A field was removed.',
  link: { label: 'Open in Portbook', url: 'https://portbook.test/x' },
  footer: 'Your team reads it.',
}

let receiver: ChatReceiver
let http: HttpClient
before(async () => {
  receiver = await startChatReceiver()
  const dialer = newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined })
  http = await openHttpClient(dialer, { totalTimeoutMs: 1000 }, [receiver.certificate])
})
beforeEach(() => {
  receiver.requests.length = 0
  receiver.answer = () => ({ status: 200 })
})
after(() => {
  http.close()
  receiver.close()
})

async function post(
  system: ChatSystem,
  endpoint = `${receiver.origin}${PATH}`,
  client = http,
): Promise<ChatResult> {
  const target = { system, endpoint }
  const result = await postToChat(client, target, MESSAGE, AbortSignal.timeout(5000))
  assert.doesNotMatch(JSON.stringify(result), /canary/)
  return result
}

for (const system of ['slack', 'teams', 'googlechat'] as const) {
  test(`postToChat › ${system} › posts JSON to the webhook and accepts every 2xx`, async () => {
    for (const status of [200, 201, 202, 204]) {
      receiver.answer = () => ({ status })
      assert.deepEqual(await post(system), { ok: true, status })
    }
    const [request] = receiver.requests
    assert.ok(request !== undefined && receiver.requests.length === 4)
    assert.deepEqual([request.method, request.path], ['POST', PATH])
    assert.equal(request.headers['content-type'], 'application/json; charset=utf-8')
    CHAT_SHAPES[system].parse(JSON.parse(request.body))
  })

  test(`postToChat › ${system} › a rejected message is final`, async () => {
    for (const status of [400, 401, 403, 404, 405, 410, 413, 422]) {
      receiver.answer = () => ({ status, body: 'no_service canary' })
      const result = await post(system)
      assert.partialDeepStrictEqual(result, { ok: false, status, isFinal: true })
    }
  })

  test(`postToChat › ${system} › too many messages and failures of the system are repeated`, async () => {
    for (const status of [408, 425, 429, 500, 502, 503, 504]) {
      receiver.answer = () => ({ status, body: 'canary' })
      const result = await post(system)
      assert.partialDeepStrictEqual(result, { ok: false, status, isFinal: false })
    }
  })
}

test('postToChat › returns the delay of Retry-After, at most an hour', async () => {
  for (const [value, expected] of [
    ['30', 30_000],
    ['99999999', 3_600_000],
    ['0', undefined],
    ['soon', undefined],
    [new Date(Date.now() - 5000).toUTCString(), undefined],
    [new Date(Date.now() + 1e9).toUTCString(), 3_600_000],
  ] as const) {
    receiver.answer = () => ({ status: 429, headers: { 'retry-after': value } })
    const result = await post('slack')
    assert.equal(result.ok ? assert.fail() : result.retryAfterMs, expected, value)
  }
})

test('postToChat › follows no redirect', async () => {
  const location = `${receiver.origin}/other`
  receiver.answer = () => ({ status: 302, headers: { location } })
  const result = await post('teams')
  assert.partialDeepStrictEqual(result, { ok: false, isFinal: true })
  assert.equal(receiver.requests.length, 1)
})

test('postToChat › a receiver that does not answer or is unknown is repeated', async () => {
  receiver.answer = () => undefined
  const hanging = await post('slack')
  assert.partialDeepStrictEqual(hanging, { ok: false, isFinal: false })
  const unknown = await post('slack', 'https://chat.invalid/canary')
  assert.partialDeepStrictEqual(unknown, { ok: false, isFinal: false })
})

test('postToChat › a private address that the operator does not allow, or plain HTTP, is final', async () => {
  const dialer = newDialer({ privateAddresses: 'deny', allowed: [], ownStore: undefined })
  const denying = await openHttpClient(dialer)
  const denied = await post('slack', undefined, denying)
  denying.close()
  assert.partialDeepStrictEqual(denied, { ok: false, isFinal: true })
  assert.match(denied.ok ? '' : denied.error, /PORTBOOK_PRIVATE_SOURCES/)
  for (const endpoint of ['http://localhost/canary', 'canary', 'https://u:canary@localhost/']) {
    assert.partialDeepStrictEqual(await post('slack', endpoint), { ok: false, isFinal: true })
  }
  assert.equal(receiver.requests.length, 0)
})
