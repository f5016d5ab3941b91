import assert from 'node:assert/strict'
import test from 'node:test'
import { checkDocument, type CheckRequest } from './document-check.ts'
import { inTextOrder } from './document-order.ts'

const check = (text: string, more: Partial<CheckRequest> = {}) =>
  checkDocument({ reader: 'data-product', text, mediaType: 'application/yaml', ...more })

const PRODUCT = `apiVersion: v1.1.0
kind: DataProduct
id: orders
name: Orders
version: 1.0.0
status: active
description: {purpose: sales}
team: {name: sales}
`

test('checkDocument › a sound document has no problems', async () => {
  assert.deepEqual((await check(PRODUCT, { id: 'orders' })).problems, [])
  assert.equal((await check(PRODUCT)).hasErrors, false)
})

test('checkDocument › a text that cannot be read has no value and a position', async () => {
  const { value, problems, hasErrors } = await check('name: a\nteam: [')
  assert.equal(value, undefined)
  assert.equal(hasErrors, true)
  assert.equal(problems[0]?.line, 2)
})

test('checkDocument › every error has its line, the first one first', async () => {
  const text = PRODUCT.replace('name: Orders', 'name: 7').replace('status: active', 'status: []')
  const { problems } = await check(text, { id: 'orders' })
  assert.deepEqual(
    problems.map(({ severity, field, line }) => [severity, field, line]),
    [
      ['error', 'name', 4],
      ['error', 'status', 6],
    ],
  )
})

test('checkDocument › a new document has to name its id, a stored one need not', async () => {
  const nameless = PRODUCT.replace('id: orders\n', '')
  const { problems } = await check(nameless)
  assert.deepEqual(
    problems.filter(({ severity }) => severity === 'error').map(({ field }) => field),
    ['id'],
  )
  assert.equal((await check(nameless, { id: 'orders' })).hasErrors, false)
  assert.equal((await check(PRODUCT, { id: 'other' })).hasErrors, true)
})

test('checkDocument › numbers of any length come out as plain values', async () => {
  const { value } = await check(
    `${PRODUCT}customProperties: [{property: big, value: 12345678901234567890}]\n`,
  )
  assert.deepEqual(structuredClone(value), value)
})

test('checkDocument › contracts are read by their own reader', async () => {
  const { problems } = await check(PRODUCT, { reader: 'data-contract' })
  assert.match(problems[0]?.message ?? '', /data product/)
})

test('inTextOrder › problems of both the check and the server appear once, by position', () => {
  const one = { field: 'name', message: 'is blank', line: 3, column: 1 }
  const listed = inTextOrder(
    [{ severity: 'warning', ...one }],
    [{ field: 'team.name', message: 'unknown', line: 2, column: 4 }],
    [one, { field: '', message: 'ends soon' }],
  )
  assert.deepEqual(
    listed.map(({ severity, line, message }) => [severity, line, message]),
    [
      ['warning', 1, 'ends soon'],
      ['error', 2, 'unknown'],
      ['warning', 3, 'is blank'],
    ],
  )
})

test('checkDocument › reports an id that no address can hold', async () => {
  const { problems } = await check(PRODUCT.replace('id: orders', 'id: Bad Id/with slash'))
  assert.deepEqual(
    problems.map(({ severity, field, line }) => [severity, field, line]),
    [['error', 'id', 3]],
  )
  assert.match(problems[0]?.message ?? '', /has a slash/)
})

test('checkDocument › reports a port without a name at its name', async () => {
  const { problems } = await check(`${PRODUCT}outputPorts:\n  - name: ""\n    version: 1.0.0\n`)
  assert.deepEqual(
    problems.filter(({ severity }) => severity === 'error').map(({ field, line }) => [field, line]),
    [['outputPorts[0].name', 10]],
  )
})
