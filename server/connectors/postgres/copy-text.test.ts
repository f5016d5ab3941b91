import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { parseCopy } from './copy-text.ts'
import type { CopyRow } from './copy-text.ts'

test('COPY text › fields, nulls and every escape', async () => {
  const rows = await parse([
    Buffer.from('a\t\\N\t\n'),
    Buffer.from(String.raw`tab\there\nline\\slash\\N\b\f\r\v` + '\n'),
  ])
  assert.deepEqual(rows, [['a', null, ''], ['tab\there\nline\\slash\\N\b\f\r\v']])
})

test('COPY text › any rows in chunks of any size', async () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string(), fc.constant('\\N'))
  const row = fc.array(fc.option(text), { minLength: 2, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(fc.array(row), fc.integer({ min: 1, max: 9 }), async (rows, size) => {
      const bytes = Buffer.from(rows.map(write).join(''))
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      assert.deepEqual(await parse(chunks), rows)
    }),
  )
})

test('COPY text › fails for a truncated row', async () => {
  await assert.rejects(parse([Buffer.from('a\tb\nc\t')]), { kind: 'protocol' })
})

function mebibytes(count: number): Buffer[] {
  return Array.from({ length: count }, () => Buffer.alloc(1024 * 1024, 'x'))
}

test('COPY text › keeps the first fields of a row above 16 MiB, and all other rows', async () => {
  const long = [Buffer.from('1\ta\\tb\t'), ...mebibytes(17)]
  const cut = ['1', 'a\tb']
  const other = [['2', 'c']]
  // The row before it and the row after it may share chunks with it.
  assert.deepEqual(await parse([...long, Buffer.from('\n2\tc\n')]), [cut, ...other])
  assert.deepEqual(await parse([...long, Buffer.from('\n'), Buffer.from('2\tc\n')]), [
    cut,
    ...other,
  ])
  const [first = Buffer.alloc(0), ...rest] = long
  const before = Buffer.concat([Buffer.from('2\tc\n'), first])
  assert.deepEqual(await parse([before, ...rest, Buffer.from('\tmore\n')]), [...other, cut])
  const twice = [...long, Buffer.concat([Buffer.from('\n'), first]), ...rest, Buffer.from('\n2\t')]
  assert.deepEqual(await parse([...twice, Buffer.from('c\n')]), [cut, cut, ...other])
  assert.deepEqual(await parse([...mebibytes(17), Buffer.from('\n2\tc\n')]), [[], ...other])
  await assert.rejects(parse(long), { kind: 'protocol' })
  const whole = await parse([...mebibytes(16), Buffer.from('\n2\tc\n')])
  assert.equal(whole[0]?.[0]?.length, 16 * 1024 * 1024)
})

/** Formats a row like PostgreSQL's CopyAttributeOutText. */
function write(row: readonly (string | null)[]): string {
  const escapes: Record<string, string> = {
    '\b': 'b',
    '\f': 'f',
    '\n': 'n',
    '\r': 'r',
    '\t': 't',
    '\v': 'v',
    '\\': '\\',
  }
  const fields = row.map((field) =>
    field === null
      ? String.raw`\N`
      : field.toWellFormed().replaceAll(/[\b\f\n\r\t\v\\]/g, (letter) => `\\${escapes[letter]}`),
  )
  return `${fields.join('\t')}\n`
}

async function parse(chunks: readonly Buffer[]): Promise<CopyRow[]> {
  async function* stream(): AsyncGenerator<Buffer> {
    yield* chunks
  }
  return (await Array.fromAsync(parseCopy(stream()))).flat()
}
