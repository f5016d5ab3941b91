import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { mutations } from '../../../test/document-mutations.ts'
import { FULL_DCS } from '../../../test/full-dcs.ts'
import { lostValues } from '../../../test/lost-values.ts'
import { differingPaths } from '../../../test/model-equality.ts'
import { standardsFor } from '../../../test/standards.ts'
import { conforms } from '../../shape/inspect.ts'
import type { Model } from '../../schema/model.ts'
import { convertToJson, readText } from '../../text/text.ts'
import { getField, isObject, jsonText, asText, type Value, valueAt } from '../../text/value.ts'
import { odcsFromDcs } from './convert.ts'
import { dcsShape } from '../dcs/shape.ts'
import { odcsShape } from '../odcs/shape.ts'
import { readDataContract } from '../read.ts'

const MUTATIONS = 90

const ODD_FIELDS = ['minItems', 'logicalType', 'references', '$ref', 'config', 'roles', 'keys']

function parseModels(value: Value): Model[] | undefined {
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'full', strict: false })
  return reading.ok ? reading.contract.models : undefined
}

// The addresses in the examples of the standard have placeholders, which are not valid in a URI.
function withoutPlaceholders(odcs: Value): Value {
  return JSON.parse(jsonText(odcs).replaceAll(/\{[\w.-]+\}/g, 'x'))
}

function plainText(value: Value | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
}

/** Lists the values of service levels with their units: `25h`. */
function listAmounts(odcs: Value): ReadonlySet<string> {
  const levels = getField(odcs, 'slaProperties')
  return new Set(
    Array.isArray(levels)
      ? levels.map(
          (level) => `${plainText(getField(level, 'value'))}${plainText(getField(level, 'unit'))}`,
        )
      : [],
  )
}

function checkConversion(document: Value): void {
  const odcs = odcsFromDcs(document, 'full')
  const version = asText(getField(document, 'dataContractSpecification'))
  if (conforms(document, dcsShape(version))) {
    const plain = withoutPlaceholders(odcs)
    assert.ok(conforms(plain, odcsShape('v3.1.0')), 'a valid document becomes a valid one')
  }
  const amounts = listAmounts(odcs)
  const lost = lostValues(document, odcs).filter((value) => !amounts.has(value))
  assert.deepEqual(lost, [], 'every value is somewhere')
  const before = parseModels(document)
  if (before === undefined) return
  assert.deepEqual(differingPaths(before, parseModels(odcs) ?? []), [], 'the models are the same')
}

function samples(t: TestContext): Value[] | undefined {
  const files = standardsFor(t, 'dcs')
  const examples = files
    ?.filter(({ name }) => name.endsWith('.yaml'))
    .map(({ text }) => {
      const source = readText(text, 'application/yaml')
      assert.ok(source.ok)
      const value: Value = JSON.parse(convertToJson(source))
      return isObject(value) ? { ...value, id: 'full' } : value
    })
  return examples && [...FULL_DCS.values(), ...examples]
}

test('DCS → ODCS › preserves all values, the models, and validity', (t) => {
  for (const document of samples(t) ?? []) {
    checkConversion(document)
    const words = ['time', 'map', 'bytes', 'json', 'snowflake', 'kafka', 'orders.id', 'int']
    const property = fc.property(mutations(document, words, ODD_FIELDS), checkConversion)
    fc.assert(property, { seed: 1, numRuns: MUTATIONS })
  }
})

test('DCS → ODCS › the result is valid under the official schema', (t) => {
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
    const odcs = withoutPlaceholders(odcsFromDcs(document, 'full'))
    assert.ok(validate(odcs), JSON.stringify(validate.errors))
  }
  for (const document of samples(t) ?? []) {
    holds(document)
    fc.assert(fc.property(mutations(document, [], ODD_FIELDS), holds), {
      seed: 2,
      numRuns: MUTATIONS,
    })
  }
})

const createDcs = (more: { [name: string]: Value }): Value => ({
  dataContractSpecification: '1.1.0',
  id: 'full',
  info: { title: 'T', version: '1', owner: 't' },
  ...more,
})

test('DCS → ODCS › a contract without a status becomes a draft', () => {
  assert.equal(getField(odcsFromDcs(createDcs({}), 'full'), 'status'), 'draft')
  const info = { title: 'T', version: '1', status: 'active' }
  assert.equal(getField(odcsFromDcs(createDcs({ info }), 'full'), 'status'), 'active')
})

test('DCS → ODCS › a server keeps its type if its location has placeholders', () => {
  const location = 's3://bucket/data/{model}/*.json'
  const servers = {
    lake: { type: 's3', location, format: 'json', delimiter: 'new_line' },
    files: { type: 'azure', location: 'https://x.example.com/{model}.csv', format: 'csv' },
    other: { type: 'gcs', location: 'gs://bucket/{model}' },
    odd: { type: 's3', location: 'no {address}' },
  }
  const document = createDcs({ servers })
  checkConversion(document)
  const converted = getField(odcsFromDcs(document, 'full'), 'servers')
  assert.deepEqual(
    Array.isArray(converted) && converted.map((server) => getField(server, 'type')),
    ['s3', 'azure', 'custom', 'custom'],
  )
  assert.deepEqual(Array.isArray(converted) && converted[0], {
    server: 'lake',
    type: 's3',
    location,
    format: 'json',
    delimiter: 'new_line',
  })
})

const AMOUNTS: [string, Value, string | undefined][] = [
  ['25h', 25, 'h'],
  ['25 hours', 25, 'hours'],
  ['1.5d', 1.5, 'd'],
  ['PT1H', 1, 'h'],
  ['PT90M', 90, 'minutes'],
  ['P3D', 3, 'd'],
  ['P2W', 2, 'weeks'],
  ['P6M', 6, 'months'],
  ['P1Y', 1, 'y'],
  ['P1DT12H', 'P1DT12H', undefined],
  ['007h', '007h', undefined],
  ['25 apples', '25 apples', undefined],
  ['99%', '99%', undefined],
  ['soon', 'soon', undefined],
]

for (const [threshold, value, unit] of AMOUNTS) {
  test(`DCS → ODCS › the freshness ${threshold} becomes ${JSON.stringify([value, unit])}`, () => {
    const document = createDcs({ servicelevels: { freshness: { threshold } } })
    checkConversion(document)
    const odcs = odcsFromDcs(document, 'full')
    const property = { property: 'freshness', value, ...(unit === undefined ? {} : { unit }) }
    assert.deepEqual(getField(odcs, 'slaProperties'), [property])
  })
}

test('DCS → ODCS › preserves lengths, and omits the logical type of maps, which v3.1.0 does not have', () => {
  const fields = {
    code: { type: 'varchar', minLength: 2, maxLength: 10 },
    labels: { type: 'map', keys: { type: 'text' }, values: { type: 'int' } },
  }
  const document = createDcs({ models: { orders: { type: 'table', fields } } })
  checkConversion(document)
  const properties = valueAt(odcsFromDcs(document, 'full'), ['schema', 0, 'properties'])
  assert.deepEqual(valueAt(properties, [0, 'logicalTypeOptions']), { minLength: 2, maxLength: 10 })
  assert.equal(valueAt(properties, [1, 'logicalType']), undefined)
})

const stateRule = (more: object) => ({
  type: 'library',
  metric: 'invalidValues',
  arguments: { validValues: ['open', 'paid'] },
  mustBe: 0,
  description: 'Only known states.',
  ...more,
})

test('DCS → ODCS › an enumeration that a rule defines keeps the name and description of the rule', () => {
  for (const dimension of ['conformity', 'not in any standard']) {
    const field = { type: 'text', quality: [stateRule({ dimension }), { type: 'text' }] }
    const models = { orders: { type: 'table', fields: { state: field } } }
    const document = createDcs({ dataContractSpecification: '1.2.1', models })
    checkConversion(document)
    assert.deepEqual(parseModels(document)?.[0]?.fields[0]?.enum, ['open', 'paid'])
  }
})
