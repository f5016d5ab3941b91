import assert from 'node:assert/strict'
import { test } from 'node:test'
import { odps, readProduct } from '../../test/product-texts.ts'
import { readContext, readDeprecation, readSynonyms } from './guidance.ts'

test('ODPS 1.1 › products and ports have synonyms, a context, and an announced end', () => {
  const customProperties = [{ property: 'replacedBy', value: 'orders-2' }]
  const product = readProduct({
    ...odps,
    apiVersion: 'v1.1.0',
    deprecated: true,
    customProperties,
    synonyms: [{ synonym: 'sales' }],
    context: { instructions: 'Ask first.' },
    inputPorts: [{ name: 'in', deprecated: true, customProperties }],
    outputPorts: [
      {
        name: 'out',
        deprecated: true,
        customProperties,
        synonyms: [{ synonym: 'exit' }],
        context: { constraints: [{ constraint: 'Do not join.' }] },
      },
      { name: 'other', deprecated: false },
    ],
  })
  const end = { deprecated: true, replacedBy: 'orders-2' }
  const pick = ({ deprecated, replacedBy }: typeof end) => ({ deprecated, replacedBy })
  assert.deepEqual(pick(product as typeof end), end)
  assert.deepEqual(product.synonyms, ['sales'])
  assert.equal(product.context?.instructions, 'Ask first.')
  assert.deepEqual(pick(product.inputPorts[0] as typeof end), end)
  const [out, other] = product.outputPorts
  assert.deepEqual(pick(out as typeof end), end)
  assert.deepEqual(out?.synonyms, ['exit'])
  assert.deepEqual(out?.context?.constraints, ['Do not join.'])
  assert.ok(other && !('deprecated' in other) && !('context' in other) && !('synonyms' in other))
})

test('readContext › a text is its instructions, and an empty context is none', () => {
  assert.deepEqual(readContext('Ask.'), readContext({ instructions: 'Ask.' }))
  for (const empty of [
    undefined,
    null,
    ' ',
    {},
    { instructions: ' ' },
    7,
    [],
    { constraints: [{}] },
  ]) {
    assert.equal(readContext(empty), undefined)
  }
})

test('readSynonyms and readDeprecation › ignore values of a wrong type', () => {
  assert.equal(readSynonyms([{ synonym: 1 }, 'a', { synonym: ' ' }]), undefined)
  assert.deepEqual(readDeprecation({ deprecated: 'true', customProperties: 'x' }), {})
})
