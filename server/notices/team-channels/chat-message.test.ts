import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHAT_BYTES_MAX, CHAT_SHAPES } from '../../../test/chat-shapes.ts'
import { toChatBody, type ChatMessage } from './chat-message.ts'

const MESSAGE: ChatMessage = {
  title: 'Orders changes in a breaking way',
  detail: 'Ada Lindqvist removed the field customer_id.',
  link: { label: 'Open in Portbook', url: 'https://portbook.test/contracts/orders?a=b&c=d' },
  footer: 'Team Wagon Fleet reads it.',
}

const HOSTILE =
  '<!channel> <users/all> <https://evil.test|click> *bold* [link](https://evil.test) <b>x</b> &lt; @here\r\n# a\u202E\u0000 "}'

for (const system of ['slack', 'teams', 'googlechat'] as const) {
  const shape = CHAT_SHAPES[system]

  test(`toChatBody › ${system} › has the documented shape, with all texts and the link`, () => {
    const body = toChatBody(system, MESSAGE)
    shape.parse(JSON.parse(body))
    const decoded = body.replaceAll('&amp;', '&')
    for (const text of [MESSAGE.title, MESSAGE.detail, MESSAGE.link.url, MESSAGE.footer]) {
      assert.ok(decoded.includes(text), text)
    }
    shape.parse(JSON.parse(toChatBody(system, { ...MESSAGE, detail: '' })))
  })

  test(`toChatBody › ${system} › hostile texts are no markup, mentions or links`, () => {
    const body = toChatBody(system, {
      title: HOSTILE,
      detail: HOSTILE,
      link: { ...MESSAGE.link, label: HOSTILE },
      footer: HOSTILE,
    })
    shape.parse(JSON.parse(body))
    assert.doesNotMatch(body, /\\u202e|\\u0000|\\n|\\r|\u202E/i)
  })

  test(`toChatBody › ${system} › cuts long texts to the limits of the system`, () => {
    const long = '😀&<'.repeat(50_000)
    const link = { ...MESSAGE.link, label: long }
    const body = toChatBody(system, { title: long, detail: long, link, footer: long })
    shape.parse(JSON.parse(body))
    assert.ok(Buffer.byteLength(body) < CHAT_BYTES_MAX[system])
    assert.ok(JSON.parse(body) !== null && body.isWellFormed())
  })
}
