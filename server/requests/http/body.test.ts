import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { ApiError } from '../../platform/errors.ts'
import { newQuota } from '../../platform/kit/quota.ts'
import { readBody, type Body, type BodyRule } from './body.ts'
import { newUploads, type Reservation } from './upload.ts'

const BYTES_MAX = 256 * 1024
const RULE: BodyRule = {
  mediaTypes: ['application/json'],
  bytesMax: BYTES_MAX,
  acceptsGzip: true,
}

interface Reading {
  read: Promise<Body>
  reservation: Reservation
  reservedBytes: () => number
}

function startReading(
  body: Uint8Array | string,
  encoding: string | undefined,
  { rule = RULE, budgetBytes = 64 * BYTES_MAX } = {},
): Reading {
  const budget = newQuota({ totalMax: budgetBytes, perNameMax: budgetBytes })
  const uploads = newUploads(budget)
  const reservation = uploads.reserve(['key'])
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (encoding !== undefined) headers['content-encoding'] = encoding
  const request = new Request('http://x/', { method: 'POST', headers, body: Buffer.from(body) })
  const read = readBody({ request, incoming: undefined }, rule, uploads, reservation)
  return { read, reservation, reservedBytes: () => budget.inUse }
}

async function expectError(
  reading: Reading,
  code: ApiError['code'],
  detail: RegExp = /./,
): Promise<void> {
  await assert.rejects(reading.read, (error: ApiError) => {
    assert.equal(error.code, code)
    assert.match(error.message, detail)
    return true
  })
}

const TEXT = JSON.stringify({ ä: 'x'.repeat(100_000) })

for (const encoding of ['gzip', 'GZIP', 'x-gzip']) {
  test(`a body that may be compressed › is inflated for Content-Encoding: ${encoding}`, async () => {
    const { read, reservation, reservedBytes } = startReading(gzipSync(TEXT), encoding)
    assert.deepEqual(await read, { text: TEXT, mediaType: 'application/json' })
    assert.equal(reservedBytes(), gzipSync(TEXT).length + Buffer.byteLength(TEXT))
    reservation.release()
    assert.equal(reservedBytes(), 0)
  })
}

test('a body that may be compressed › is read as it is without an encoding', async () => {
  for (const encoding of [undefined, 'identity']) {
    assert.equal((await startReading(TEXT, encoding).read).text, TEXT)
  }
})

test('a body that may be compressed › can consist of several gzip members', async () => {
  const members = Buffer.concat([gzipSync('{"a":'), gzipSync('1}')])
  assert.equal((await startReading(members, 'gzip').read).text, '{"a":1}')
})

test('a body that may be compressed › may inflate exactly to the limit, 413 for one byte more', async () => {
  const exact = gzipSync(Buffer.alloc(BYTES_MAX, ' '))
  assert.equal((await startReading(exact, 'gzip').read).text.length, BYTES_MAX)
  const larger = gzipSync(Buffer.alloc(BYTES_MAX + 1, ' '))
  await expectError(startReading(larger, 'gzip'), 'body_too_large', /256 KiB/)
})

test('a body that may be compressed › 413 for a gzip bomb, which never takes more memory than the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * BYTES_MAX))
  assert.ok(bomb.length < BYTES_MAX, 'the compressed body is within the limit')
  const reading = startReading(bomb, 'gzip')
  await expectError(reading, 'body_too_large')
  assert.ok(reading.reservedBytes() <= BYTES_MAX + bomb.length)
})

test('a body that may be compressed › 503 if its text exceeds the budget of bodies', async () => {
  const body = gzipSync(Buffer.alloc(BYTES_MAX))
  const reading = startReading(body, 'gzip', { budgetBytes: BYTES_MAX / 2 })
  await expectError(reading, 'upload_budget_exceeded')
})

for (const [what, bytes] of Object.entries({
  'plain text': Buffer.from('{}'),
  'a cut-off body': gzipSync(TEXT).subarray(0, 60),
  'a wrong checksum': gzipSync(TEXT).map((byte, at, all) => (at === all.length - 8 ? ~byte : byte)),
  'another compression method': Buffer.from([0x1f, 0x8b, 7, 0, 0, 0, 0, 0, 0, 0]),
  nothing: Buffer.alloc(0),
})) {
  test(`a body that may be compressed › 400 for ${what} instead of gzip`, async () => {
    await expectError(startReading(bytes, 'gzip'), 'body_malformed', /not valid gzip/)
  })
}

test('a body that may be compressed › 400 for text that is not UTF-8', async () => {
  const latin1 = gzipSync(Buffer.from([0xe9]))
  await expectError(startReading(latin1, 'gzip'), 'body_malformed', /not UTF-8/)
})

for (const encoding of ['br', 'deflate', 'zstd', 'gzip, gzip', 'gzip, identity', 'x']) {
  test(`a body that may be compressed › 415 for Content-Encoding: ${encoding}`, async () => {
    const detail = /^Send the body with gzip or as it is, without /
    await expectError(startReading(gzipSync(TEXT), encoding), 'media_type_unsupported', detail)
  })
}

test('any other body › 415 for gzip', async () => {
  const { acceptsGzip: _, ...rule } = RULE
  const reading = startReading(gzipSync(TEXT), 'gzip', { rule })
  await expectError(reading, 'media_type_unsupported', /^Send the body as it is, without gzip/)
})

async function readAs(type: string, rule: BodyRule): Promise<string> {
  const uploads = newUploads(newQuota({ totalMax: BYTES_MAX, perNameMax: BYTES_MAX }))
  const headers = { 'content-type': type }
  const request = new Request('http://x/', { method: 'POST', headers, body: '{}' })
  const sent = { request, incoming: undefined }
  return (await readBody(sent, rule, uploads, uploads.reserve(['key']))).mediaType
}

test('readBody › documents may have the media types of their standards, commands may not', async () => {
  const document: BodyRule = { ...RULE, mediaTypes: ['application/json', 'application/yaml'] }
  for (const standard of ['odcs', 'odps']) {
    const yaml = `application/${standard}+yaml;version=3.2.0`
    assert.equal(await readAs(yaml, document), 'application/yaml')
    assert.equal(await readAs(`application/${standard}+json`, document), 'application/json')
    await assert.rejects(readAs(yaml, RULE), /Send application/)
    await assert.rejects(readAs(`application/${standard}+json`, RULE), /Send application/)
  }
})
