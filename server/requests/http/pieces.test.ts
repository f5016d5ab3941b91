import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { inPieces } from './pieces.ts'

test('inPieces › the pieces are the text, wherever characters of several bytes fall', async () => {
  for (const offset of [0, 1, 2, 3]) {
    const whole = `${'x'.repeat(offset)}${'ä€🚂'.repeat(150_000)}`
    assert.equal(await text(inPieces(whole)), whole, `${offset} letters before`)
  }
})

test('inPieces › nothing is encoded before it is asked for', async () => {
  const reader = inPieces('x'.repeat(1_000_000)).getReader()
  const { value } = await reader.read()
  assert.equal(value?.length, 128 * 1024)
  await reader.cancel()
})
