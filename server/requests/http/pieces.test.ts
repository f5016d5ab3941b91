import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { ApiError } from '../../platform/errors.ts'
import { inPieces, streamTexts } from './pieces.ts'

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

test('streamTexts › the next text is created only when the one before was read', async () => {
  let created = 0
  async function* create(): AsyncGenerator<string> {
    for (const text of ['x'.repeat(200_000), '', 'y']) {
      created += 1
      yield text
    }
  }
  const reader = streamTexts(create()).getReader()
  assert.equal(created, 0)
  await reader.read()
  await reader.read()
  assert.equal(created, 1)
  const { value } = await reader.read()
  assert.deepEqual([created, String(Buffer.from(value ?? []))], [3, 'y'])
  assert.equal((await reader.read()).done, true)
})

test('streamTexts › a client that leaves ends the work', async () => {
  let isEnded = false
  async function* create(): AsyncGenerator<string> {
    try {
      for (;;) yield 'x'
    } finally {
      isEnded = true
    }
  }
  const reader = streamTexts(create()).getReader()
  await reader.read()
  await reader.cancel()
  assert.ok(isEnded)
})

test('streamTexts › breaks off with an error that nothing repeats', async () => {
  const reader = streamTexts(failAfterFirst()).getReader()
  await reader.read()
  await assert.rejects(reader.read(), (error) => !(error instanceof ApiError))
})

async function* failAfterFirst(): AsyncGenerator<string> {
  yield 'x'
  throw new ApiError('overloaded', 'Too much at once.')
}
