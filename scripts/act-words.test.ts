import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACT_WORDS, isProductText, readMarkup } from './act-words.ts'

function findActs(text: string): string[] {
  return ACT_WORDS.filter(({ pattern }) => pattern.test(text)).map(({ instead }) => instead)
}

for (const [text, instead] of [
  ['Terminate', 'end access'],
  ['Terminate access', 'end access'],
  ['Cancel the access agreements first', 'end access'],
  ['The access was canceled', 'end access'],
  ['Cancel the request', 'withdraw the request'],
  ['Ask for access', 'request access'],
  ['Accept the request', 'approve the request'],
  ['Decline the access request', 'reject the request'],
  ['Extend the access', 'renew the access'],
  ['Revoke API key', 'delete the key'],
  ['Delete the member', 'remove the member'],
  ['Stop the run', 'cancel the run, with the spelling cancelled'],
  ['Revert the run', 'undo the run'],
  ['Roll back to version 3', 'restore the version'],
  ['Log out', 'sign in, sign out'],
  ['Drop my changes', 'discard changes'],
] as const) {
  test(`finds a further word for an act: ${text}`, () => {
    assert.ok(findActs(text).includes(instead), text)
  })
}

for (const text of [
  'End access',
  'Withdraw request',
  'Cancel',
  'Cancel run',
  'The run was cancelled',
  'Reject access',
  'Remove from organization',
  'Delete API key',
  'Revoke invitation',
  'Restore version 3',
  'Sign out',
  'Discard changes',
]) {
  test(`accepts the word of an act: ${text}`, () => {
    assert.deepEqual(findActs(text), [])
  })
}

test('reads the texts of elements', () => {
  const texts = readMarkup('<Button>\n  Terminate\n</Button>\n<p>{name} ends</p>')
  assert.deepEqual(
    texts.map(({ text, line }) => [text.trim(), line]),
    [
      ['Terminate', 1],
      ['ends', 4],
    ],
  )
})

test('lists the files with texts of the product', () => {
  const files = [
    'web/pages/a.tsx',
    'docs/guides/a.md',
    'server/notices/a.ts',
    'server/a.ts',
    'web/a.test.ts',
  ]
  assert.deepEqual(files.map(isProductText), [true, true, true, false, false])
})
