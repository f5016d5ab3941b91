import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPath } from './own-path.ts'

const ORIGIN = 'https://portbook.example'

test('A path of our own is followed as it is, with its query and place', () => {
  for (const path of [
    '/',
    '/teams',
    '/search?query=a%20b&tag=x',
    '/data-products/a%2Fb?view=raw#ports',
  ]) {
    assert.equal(ownPath(path, ORIGIN), path)
  }
})

test('replaces links to other sites by the home page', () => {
  const elsewhere = [
    '',
    'teams',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/teams/..//evil.example',
    '/%2e//evil.example',
    'https://evil.example',
    'https://portbook.example.evil.example/',
    'https:evil.example',
    '//portbook.example@evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    ' /teams',
    '\u0000/teams',
  ]
  for (const wanted of elsewhere) assert.equal(ownPath(wanted, ORIGIN), '/', JSON.stringify(wanted))
})

test('The browser resolves each answer to our own site', () => {
  for (const wanted of [
    '/@evil.example',
    '/:80',
    '/?to=//evil.example',
    '/#//evil.example',
    '/a/../b',
  ]) {
    const url = new URL(ownPath(wanted, ORIGIN), ORIGIN)
    assert.equal(url.origin, ORIGIN)
  }
})

test('A form for who is not signed in is not gone back to', () => {
  const forms = [
    '/sign-in',
    '/sign-in?to=/teams',
    '/sign-in/id/callback?code=x',
    '/set-up#secret',
    '/invitation',
  ]
  for (const wanted of forms) {
    assert.equal(ownPath(wanted, ORIGIN), '/')
  }
})
