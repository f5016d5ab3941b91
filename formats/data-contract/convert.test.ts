import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { mutations } from '../../test/document-mutations.ts'
import { FULL_DCS } from '../../test/full-dcs.ts'
import { lostValues } from '../../test/lost-values.ts'
import { differingPaths } from '../../test/model-equality.ts'
import { standardsFor } from '../../test/standards.ts'
import { conforms } from '../inspect.ts'
import type { Model } from '../schema/model.ts'
import { jsonOf, readText } from '../text.ts'
import { fieldOf, isObject, jsonText, textOf, type Value } from '../value.ts'
import { odcsFromDcs } from './convert.ts'
import { dcsShape } from './dcs-shape.ts'
import { odcsShape } from './odcs-shape.ts'
import { readDataContract } from './read.ts'

const MUTATIONS = 250

const ODD_FIELDS = ['minItems', 'logicalType', 'references', '$ref', 'config', 'roles', 'keys']

function modelsOf(value: Value): Model[] | undefined {
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'full', strict: false })
  return reading.ok ? reading.contract.models : undefined
}

function check(document: Value): void {
  const odcs = odcsFromDcs(document, 'full')
  const version = textOf(fieldOf(document, 'dataContractSpecification'))
  if (conforms(document, dcsShape(version))) {
    assert.ok(conforms(odcs, odcsShape('v3.1.0')), 'a valid document becomes a valid one')
  }
  assert.deepEqual(lostValues(document, odcs), [], 'every value is somewhere')
  const before = modelsOf(document)
  if (before === undefined) return
  assert.deepEqual(differingPaths(before, modelsOf(odcs) ?? []), [], 'the models are the same')
}

function samples(t: TestContext): Value[] | undefined {
  const files = standardsFor(t, 'dcs')
  const examples = files
    ?.filter(({ name }) => name.endsWith('.yaml'))
    .map(({ text }) => {
      const source = readText(text, 'application/yaml')
      assert.ok(source.ok)
      const value: Value = JSON.parse(jsonOf(source))
      return isObject(value) ? { ...value, id: 'full' } : value
    })
  return examples && [...FULL_DCS.values(), ...examples]
}

test('DCS → ODCS › loses no value, keeps the models, and valid documents stay valid', (t) => {
  for (const document of samples(t) ?? []) {
    check(document)
    const words = ['time', 'map', 'bytes', 'json', 'snowflake', 'kafka', 'orders.id', 'int']
    const property = fc.property(mutations(document, words, ODD_FIELDS), check)
    fc.assert(property, { seed: 1, numRuns: MUTATIONS })
  }
})

test('DCS → ODCS › the result passes the official schema', (t) => {
  const text = standardsFor(t, 'odcs')?.find(({ name }) => name === 'odcs-v3.1.0.schema.json')?.text
  const dcs = standardsFor(t, 'dcs')?.find(({ name }) => name === 'dcs-1.2.1.schema.json')?.text
  if (text === undefined || dcs === undefined) return
  const ajv = new Ajv2019({ strict: false })
  addFormats.default(ajv)
  const validate = ajv.compile(JSON.parse(text))
  const other = new Ajv({ strict: false })
  addFormats.default(other)
  const isDcs = other.compile(JSON.parse(dcs))
  const holds = (document: Value) => {
    if (!isDcs(document)) return
    assert.ok(validate(odcsFromDcs(document, 'full')), JSON.stringify(validate.errors))
  }
  for (const document of samples(t) ?? []) {
    holds(document)
    fc.assert(fc.property(mutations(document, [], ODD_FIELDS), holds), {
      seed: 2,
      numRuns: MUTATIONS,
    })
  }
})

const stateRule = (more: object) => ({
  type: 'library',
  metric: 'invalidValues',
  arguments: { validValues: ['open', 'paid'] },
  mustBe: 0,
  description: 'Only known states.',
  ...more,
})

test('DCS → ODCS › an enumeration that a rule tells keeps what the rule is called and why', () => {
  const DIMENSION_OF_NO_STANDARD = 'knownness'
  for (const dimension of ['conformity', DIMENSION_OF_NO_STANDARD]) {
    const field = { type: 'text', quality: [stateRule({ dimension }), { type: 'text' }] }
    const document = {
      dataContractSpecification: '1.2.1',
      id: 'full',
      info: { title: 'T', version: '1', owner: 't' },
      models: { orders: { type: 'table', fields: { state: field } } },
    }
    check(document)
    assert.deepEqual(modelsOf(document)?.[0]?.fields[0]?.enum, ['open', 'paid'])
  }
})
