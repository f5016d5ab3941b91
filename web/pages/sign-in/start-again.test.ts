import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStartedSignIn } from '../../api/provider-sign-in.ts'
import { getStartPage } from './start-again.ts'

const ORIGIN = 'https://portbook.example'

test('getStartPage › leads back to the page on which the sign-in began', () => {
  const pages = [
    ['link', '/settings/profile'],
    ['confirm', '/settings/profile'],
    ['try', '/settings/sign-in'],
    ['sign-in', '/data-products/orders?view=fields'],
    ['sign-in', '/'],
    ['invitation', '/'],
  ] as const
  assert.deepEqual(
    pages.map(([kind, next]) => getStartPage({ providerId: 'p', kind, next }, ORIGIN)),
    [
      '/settings/profile',
      '/settings/profile',
      '/settings/sign-in',
      '/sign-in?to=%2Fdata-products%2Forders%3Fview%3Dfields&again=yes',
      '/sign-in?again=yes',
      undefined,
    ],
  )
})

test('getStartPage › is the sign-in page if the start is not kept, and never another site', () => {
  assert.equal(getStartPage(undefined, ORIGIN), '/sign-in')
  const elsewhere = { providerId: 'p', kind: 'link', next: '//other.example' } as const
  assert.equal(getStartPage(elsewhere, ORIGIN), '/')
})

test('findStartedSignIn › finds only a well-formed start with the same provider', (context) => {
  const start = { providerId: 'p', next: '/', kind: 'try' }
  let kept: string | null = null
  Object.defineProperty(globalThis, 'sessionStorage', {
    value: { getItem: () => kept },
    configurable: true,
  })
  context.after(() => Reflect.deleteProperty(globalThis, 'sessionStorage'))
  const texts = [
    JSON.stringify(start),
    JSON.stringify({ ...start, providerId: 'q' }),
    JSON.stringify({ ...start, kind: 'else' }),
    JSON.stringify({ ...start, next: 1 }),
    'null',
    '{',
    null,
  ]
  const results = texts.map((text) => {
    kept = text
    return findStartedSignIn('p')
  })
  assert.deepEqual(results, [start, ...texts.slice(1).map(() => undefined)])
})
