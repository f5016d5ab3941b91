import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanLine, renderMail, type MailContent } from './mail-text.ts'

const CONTENT: MailContent = {
  subject: 'Orders changes',
  paragraphs: [
    ['Ada changed ', { label: 'Orders', url: 'https://portbook.test/orders' }, ' today.'],
    [{ label: 'Open it', url: 'https://portbook.test/a?b=c&d=e' }],
  ],
  footer: [['You receive this because you follow Orders.']],
}

test('renderMail › writes the same content as text and as HTML', () => {
  const { subject, text, html } = renderMail(CONTENT)
  assert.equal(subject, 'Orders changes')
  assert.equal(
    text,
    `Ada changed Orders: https://portbook.test/orders today.

Open it: https://portbook.test/a?b=c&d=e

-- 

You receive this because you follow Orders.
`,
  )
  assert.match(
    html,
    /<p dir="auto">Ada changed <a href="https:\/\/portbook\.test\/orders">Orders<\/a> today\.<\/p>/,
  )
  assert.match(html, /<a href="https:\/\/portbook\.test\/a\?b=c&amp;d=e">Open it<\/a>/)
})

test('renderMail › markup, controls and marks of direction in texts stay texts of one line', () => {
  const hostile =
    'x"><img src=https://evil.test/a>\r\nBcc: eve@evil.test\u0000\u202Eabc\u2028\u2066'
  const { subject, text, html } = renderMail({
    subject: hostile,
    paragraphs: [[hostile], [{ label: hostile, url: 'https://portbook.test/' }]],
    footer: [[hostile]],
  })
  for (const part of [subject, text, html]) {
    assert.doesNotMatch(part, /[\r\u202A-\u202E\u2066-\u2069\u2028]/)
    assert.ok(!part.includes('\u0000'))
  }
  assert.doesNotMatch(subject, /\n/)
  assert.doesNotMatch(html, /<img|">&lt;img src/)
  assert.equal(html.match(/<a /g)?.length, 1)
  assert.equal(text.split('\n').filter((line) => line.startsWith('Bcc')).length, 0)
})

test('renderMail › links only web addresses', () => {
  for (const url of [
    'javascript:alert(1)',
    'https://a.test/ b',
    'https://a.test/"x\n',
    '/a',
    'ftp://a',
  ]) {
    assert.throws(() => renderMail({ ...CONTENT, paragraphs: [[{ label: 'x', url }]] }))
  }
})

test('renderMail › cuts long texts and many paragraphs, and mentions the omitted ones', () => {
  const { text, html, subject } = renderMail({
    subject: 'x'.repeat(1e6),
    paragraphs: Array.from({ length: 700 }, () => ['y'.repeat(10_000)]),
    footer: [],
  })
  assert.ok(subject.length <= 201 && text.length < 2.1e6 && html.length < 2.1e6)
  assert.match(text, /\n200 more are not listed here\.\n/)
})

test('cleanLine › keeps letters of every script, and removes half characters', () => {
  assert.equal(cleanLine(' Größe\t\n東京  عربي \uD800'), 'Größe 東京 عربي')
  assert.equal(cleanLine('a😀', 2), 'a\uFFFD…')
})
