import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SourceFailure, type Batch, type SourceAsset } from '../connector.ts'
import { batch } from './asset-shapes.ts'
import { splitBatch, toBatchData } from './batch-data.ts'

const SCHEMAS = 12_345

function newTable(at: number, more: Partial<SourceAsset> = {}): SourceAsset {
  const scope = ['shop', `schema_${at}`]
  return { kind: 'table', path: [...scope, 'orders'], scope, ...more }
}

test('splitBatch › sends any number of assets and outcomes in messages that the server accepts', () => {
  const numbers = Array.from({ length: SCHEMAS }, (_, at) => at)
  const whole: Batch = {
    assets: numbers.slice(0, 5).map((at) => newTable(at)),
    unreadable: numbers.map((at) => ({ ...newTable(at), message: 'It is locked.' })),
    unchanged: numbers.map((at) => newTable(at)),
    outcomes: numbers.map((at) => ({ path: ['shop', `schema_${at}`] })),
  }
  const pieces = [...splitBatch(whole, () => undefined)]
  for (const piece of pieces) assert.ok(batch.safeParse(toBatchData(piece)).success)
  for (const part of ['assets', 'unreadable', 'unchanged', 'outcomes'] as const) {
    assert.deepEqual(
      pieces.flatMap((piece): readonly unknown[] => piece[part] ?? []),
      whole[part],
    )
  }
  // The outcomes are last: they prove that everything was read.
  const first = pieces.findIndex(({ outcomes }) => outcomes !== undefined)
  assert.ok(
    pieces.slice(first).every(({ assets, unreadable }) => assets.length === 0 && !unreadable),
  )
})

test('splitBatch › counts further tables of a partly visible schema as partly visible', () => {
  const whole = Array.from({ length: 100_001 }, (_, at) => ['shop', 'sales', `table_${at}`])
  const failure = new SourceFailure('permission', 'Only single tables are visible')
  const pieces = [
    ...splitBatch(
      { assets: [], outcomes: [{ path: ['shop', 'sales'], failure, whole }] },
      () => undefined,
    ),
  ]
  for (const piece of pieces) assert.ok(batch.safeParse(toBatchData(piece)).success)
  assert.equal(pieces.at(-1)?.outcomes?.[0]?.whole?.length, 100_000)
})

test('splitBatch › shortens a message that is too long', () => {
  const message = `A key has the column ${'x'.repeat(10_000)}.`
  const [piece = { assets: [] }] = splitBatch(
    { assets: [], unreadable: [{ ...newTable(0), message }] },
    () => undefined,
  )
  assert.ok(batch.safeParse(toBatchData(piece)).success)
})

test('splitBatch › keeps the first columns of a wide table, and reports a long definition as unreadable', () => {
  const columns = Array.from({ length: 100_000 }, (_, at) => ({
    name: `column_${at}`,
    type: 'text',
  }))
  const description = 'x'.repeat(3_000_000)
  const lines: string[] = []
  const whole = { assets: [newTable(0, { columns }), newTable(1, { description })] }
  const pieces = [...splitBatch(whole, (_, text) => lines.push(text))]
  const [wide] = pieces.flatMap(({ assets }) => assets)
  assert.ok(wide?.columns !== undefined && wide.columns.length < columns.length)
  assert.equal(wide.custom?.['columnCount'], columns.length)
  assert.match(lines[0] ?? '', /only the first \d+ of 100000 columns are kept/)
  const unreadable = pieces.flatMap((piece) => piece.unreadable ?? [])
  assert.deepEqual(
    unreadable.map(({ path, message }) => [path[1], message]),
    [['schema_1', 'Its definition is longer than 2 MB.']],
  )
})
