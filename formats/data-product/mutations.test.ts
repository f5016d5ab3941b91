// Damaged documents: truncated, reordered, misspelt, with invalid bytes. Every input results in a document, or in
// problems with their positions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { canonicalText } from '../shape/canonical.ts'
import { diffDataProducts, type ReadProduct } from '../diff/diff.ts'
import { convertToJson, type MediaType, readText, convertToYaml } from '../text/text.ts'
import type { Value } from '../text/value.ts'
import { dpsFromOdps, odpsFromDps } from './convert.ts'
import type { DataProduct } from './data-product.ts'
import { readDataProduct } from './read.ts'
import { DPS } from './dps-shape.ts'
import { ODPS_NEWEST } from './odps-shape.ts'

const TEXTS = [
  `apiVersion: v1.0.0
kind: DataProduct
id: a
name: Orders
status: active
team: {name: sales, members: [{username: ada, dateIn: 2024-01-01}]}
tags: [a, b]
customProperties:
  - {property: type, value: aggregate}
  - {property: limits, value: [1.0, 12345678901234567890, null]}
outputPorts:
  - &p {name: orders, version: "1", contractId: c}
  - {name: clone, version: "1", customProperties: [{property: server, value: {host: h}}]}
`,
  `dataProductSpecification: 0.0.1
id: a
info: {title: Orders, owner: sales, status: in development}
links: {docs: https://example.com, wiki: wiki}
custom: {platform: aws, odps.tenant: acme}
inputPorts: [{id: in, name: In, sourceSystemId: s}]
outputPorts:
  - id: orders
    name: Orders
    dataContractId: c
    server: {host: h}
`,
]

interface Sample {
  text: string
  mediaType: MediaType
}

const SAMPLES: Sample[] = TEXTS.flatMap((text): Sample[] => {
  const source = readText(text, 'application/yaml')
  assert.ok(source.ok, JSON.stringify(source))
  return [
    { text, mediaType: 'application/yaml' },
    { text: convertToJson(source), mediaType: 'application/json' },
  ]
})

const EDITS = [
  'x',
  'true',
  '',
  ' ',
  '\n',
  '"',
  "'",
  ':',
  ',',
  '{',
  '}',
  '[',
  ']',
  '-',
  '&p',
  '*p',
  '!t',
  '1',
  '1e999',
  'null',
  '\\',
  '\0',
  '\ud800',
  '#',
  '"id":',
  'dps.',
  '%',
]

const mutated = fc
  .record({
    sample: fc.constantFrom(...SAMPLES),
    edits: fc.array(
      fc.record({ at: fc.nat(700), cut: fc.nat(5), text: fc.constantFrom(...EDITS) }),
      { minLength: 1, maxLength: 2 },
    ),
  })
  .map(({ sample, edits }): Sample => {
    const text = edits.reduce((old, { at, cut, text }) => {
      const start = at % (old.length + 1)
      return old.slice(0, start) + text + old.slice(start + cut)
    }, sample.text)
    return { ...sample, text }
  })

const bytes = fc
  .record({
    bytes: fc.uint8Array({ maxLength: 60 }),
    mediaType: fc.constantFrom<MediaType>('application/json', 'application/yaml'),
  })
  .map(({ bytes, mediaType }): Sample => ({ text: new TextDecoder().decode(bytes), mediaType }))

function originals(): ReadProduct[] {
  return SAMPLES.map(({ text, mediaType }) => {
    const source = readText(text, mediaType)
    assert.ok(source.ok)
    const parse = readDataProduct(source, { id: 'a', strict: false })
    assert.ok(parse.ok)
    return parse
  })
}

function checkConversion({ format }: DataProduct, value: Value): void {
  if (format === 'dps') {
    const back = dpsFromOdps(odpsFromDps(value, 'a'))
    assert.equal(canonicalText(back, DPS), canonicalText(value, DPS))
  } else {
    const back = odpsFromDps(dpsFromOdps(value), 'a')
    assert.equal(canonicalText(back, ODPS_NEWEST), canonicalText(value, ODPS_NEWEST))
  }
}

test('mutated documents › are handled by every module without exceptions', () => {
  const others = originals()
  const answers = { refused: 0, invalid: 0, read: 0 }
  fc.assert(
    fc.property(fc.oneof({ weight: 5, arbitrary: mutated }, bytes), ({ text, mediaType }) => {
      const source = readText(text, mediaType)
      answers.refused += source.ok ? 0 : 1
      if (!source.ok) return
      assert.ok(readText(convertToJson(source), 'application/json').ok)
      assert.ok(readText(convertToYaml(source), 'application/yaml').ok)
      const parse = readDataProduct(source, { id: 'a', strict: false })
      answers[parse.ok ? 'read' : 'invalid'] += 1
      if (!parse.ok) return
      checkConversion(parse.product, parse.value)
      for (const other of others) {
        assert.ok(Array.isArray(diffDataProducts(other, parse)))
        assert.ok(Array.isArray(diffDataProducts(parse, other)))
      }
    }),
    { seed: 1, numRuns: 500 },
  )
  assert.ok(Math.min(answers.refused, answers.invalid, answers.read) > 5, JSON.stringify(answers))
})
