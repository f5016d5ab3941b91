import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDomainOfAddress, toMailDomain } from './domain.ts'
import { isPublicMailDomain } from './public-mail-domains.ts'

test('a domain has one form, in lower case and ASCII, without a dot at its end', () => {
  for (const [given, domain] of [
    ['velmora.example', 'velmora.example'],
    [' Velmora.EXAMPLE. ', 'velmora.example'],
    ['größe.example', 'xn--gre-6ka8i.example'],
    ['GRÖSSE.example', 'xn--grsse-kua.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['mail.velmora.example', 'mail.velmora.example'],
    ['velmora。example', 'velmora.example'],
  ] as const) {
    assert.equal(toMailDomain(given), domain, given)
  }
})

test('other texts are not domains', () => {
  for (const given of [
    '',
    ' ',
    'example',
    'localhost',
    '@velmora.example',
    'ada@velmora.example',
    'https://velmora.example',
    'velmora.example/x',
    'velmora.example:25',
    'velmora..example',
    '.velmora.example',
    'velmora.example..',
    '*.velmora.example',
    '-a.example',
    'a_b.example',
    '192.0.2.1',
    '[192.0.2.1]',
    '2001:db8::1',
    'velmora.0x1',
    'vel mora.example',
    'velmora.example\0',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}example`,
  ]) {
    assert.equal(toMailDomain(given), undefined, given)
  }
})

test('the domain of an address follows its last @, and subdomains are others', () => {
  assert.equal(findDomainOfAddress('Ada@Velmora.Example'), 'velmora.example')
  assert.equal(findDomainOfAddress('"a@b.example"@velmora.example'), 'velmora.example')
  assert.equal(findDomainOfAddress('ada@sub.velmora.example'), 'sub.velmora.example')
  assert.equal(findDomainOfAddress('ada'), undefined)
  assert.equal(findDomainOfAddress('@velmora.example'), undefined)
  assert.equal(findDomainOfAddress('ada@velmora.example@'), undefined)
})

test('the domains of public mail services are listed in their one form', () => {
  for (const domain of ['gmail.com', 'outlook.com', 'gmx.de', 'icloud.com', 'qq.com']) {
    assert.ok(isPublicMailDomain(domain), domain)
  }
  assert.ok(!isPublicMailDomain('velmora.example'))
  assert.ok(!isPublicMailDomain('velmora.gmail.com'))
})
