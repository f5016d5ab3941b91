import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readText, type Value } from '../../../formats/text/text.ts'
import { integrationBody } from '../../../test/integrations.ts'
import { CONNECTORS } from '../../connectors/connectors.ts'
import { readDraft } from './draft.ts'

function parseValue(body: unknown): Value {
  const source = readText(JSON.stringify(body), 'application/json')
  // The pipeline rejects texts that are not documents.
  fc.pre(source.ok)
  return source.ok ? source.value : null
}

const KNOWN = {
  externalId: 'x',
  source: 'postgres',
  configuration: { host: 'h', user: 'u' },
  secretNames: ['password'],
}

test('readDraft › accepts or rejects any input with the location of the error', () => {
  const fields = Object.keys(integrationBody({ filters: {}, scheduleExpression: '', timeZone: '' }))
  const body = fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue() },
    {
      weight: 4,
      arbitrary: fc
        .dictionary(fc.oneof(fc.constantFrom(...fields, '__proto__'), fc.string()), fc.jsonValue())
        .map((more) => integrationBody(more)),
    },
  )
  fc.assert(
    fc.property(body, fc.boolean(), fc.boolean(), (sent, trial, isKnown) => {
      const reading = readDraft(parseValue(sent), CONNECTORS, isKnown ? KNOWN : undefined, {
        trial,
      })
      if (reading.ok) return
      assert.ok(reading.violations.length > 0)
      for (const { field, message } of reading.violations) {
        assert.ok(typeof field === 'string' && message !== '')
      }
    }),
    { numRuns: 500 },
  )
})

for (const [what, text] of [
  ['in the document', '{"__proto__": {"source": "postgres"}, "name": "N"}'],
  [
    'in the configuration',
    '{"source":"postgres","name":"N","configuration":{"__proto__":{"host":"h"},"user":"u"}}',
  ],
  [
    'in the secrets',
    '{"source":"postgres","name":"N","configuration":{"host":"h","user":"u"},"secrets":{"__proto__":"x"}}',
  ],
] as const) {
  test(`readDraft › rejects a field __proto__ ${what}, and no prototype changes`, () => {
    const source = readText(text, 'application/json')
    assert.ok(source.ok)
    const reading = readDraft(source.value, CONNECTORS, undefined, { trial: false })
    assert.equal(reading.ok, false)
    assert.ok(!('host' in {}) && !('source' in {}))
  })
}

test('readDraft › ignores a filter kind named __proto__, and no prototype changes', () => {
  const filters = '{"include":{"__proto__":["x"]}}'
  const text = `{"source":"postgres","name":"N","configuration":{"host":"h","user":"u"},"filters":${filters}}`
  const source = readText(text, 'application/json')
  assert.ok(source.ok)
  const reading = readDraft(source.value, CONNECTORS, undefined, { trial: false })
  assert.ok(reading.ok)
  assert.deepEqual(Object.keys(reading.draft.filters.include), [])
  assert.equal(Object.getPrototypeOf(reading.draft.filters.include), Object.prototype)
})
