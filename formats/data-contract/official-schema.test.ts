import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { mutations } from '../../test/document-mutations.ts'
import { FULL_DCS } from '../../test/full-dcs.ts'
import { FULL_ODCS } from '../../test/full-contracts.ts'
import { standardsFor, type StandardFile } from '../../test/standards.ts'
import { conforms, inspectValue, NOWHERE } from '../shape/inspect.ts'
import type { ObjectShape } from '../shape/shape.ts'
import { readText } from '../text/text.ts'
import { isObject, type Value } from '../text/value.ts'
import { dcsShape } from './dcs/shape.ts'
import { odcsShape } from './odcs/shape.ts'
import { readDataContract } from './read.ts'

// For each example and each version; the document with all fields is mutated more often.
const MUTATIONS = 60
const MUTATIONS_OF_FULL = 1200

const WORDS = [
  'v3.0.0',
  'v2.2.0',
  'string',
  'date',
  'timestamp',
  'integer',
  'number',
  'object',
  'array',
  'map',
  'library',
  'sql',
  'custom',
  'kafka',
  's3',
  'BigQuery',
  'rowCount',
  'a.b',
  'a.b.c',
  '0.9.0',
]

const ANY_SHAPES: readonly Value[] = [
  { orders: 'id,total\n1,2' },
  [{ type: 'csv', data: 'a,b' }],
  ['a text'],
  'a text',
  7,
  { type: 'SodaCL', specification: { 'checks for orders': ['row_count > 0'] } },
  [{ type: 'sql', query: 'select 1' }],
]

function validator(files: StandardFile[], name: string): ValidateFunction {
  const schema = JSON.parse(files.find((file) => file.name === name)?.text ?? 'null')
  const Engine = JSON.stringify(schema).includes('2019-09') ? Ajv2019 : Ajv
  const ajv = new Engine({ strict: false, allErrors: false })
  addFormats.default(ajv)
  return ajv.compile(schema)
}

function listDocuments(files: StandardFile[]): { name: string; value: Value }[] {
  return files
    .filter(({ name }) => name.endsWith('.yaml'))
    .map(({ name, text }) => {
      const source = readText(text, 'application/yaml')
      assert.ok(source.ok)
      return { name, value: source.value }
    })
}

function agree(
  documents: { value: Value; runs: number }[],
  validate: ValidateFunction,
  shape: ObjectShape,
): void {
  const verdicts = { valid: 0, invalid: 0 }
  const check = (document: Value) => {
    const official = validate(document)
    verdicts[official ? 'valid' : 'invalid'] += 1
    const { errors } = inspectValue(document, shape, NOWHERE, { strict: true })
    const message = JSON.stringify({ official: validate.errors, ours: errors.slice(0, 2) })
    assert.equal(conforms(document, shape), official, message)
    // Checks beyond the standard never reject what the standard accepts.
    if (official) assert.deepEqual(errors, [], message)
  }
  for (const { value, runs } of documents) {
    check(value)
    fc.assert(fc.property(mutations(value, WORDS), check), { seed: 1, numRuns: runs })
  }
  assert.ok(verdicts.valid > 50 && verdicts.invalid > 50, JSON.stringify(verdicts))
}

// Every example is checked against every version, to cover fields that a version lacks.
function stated(value: Value, field: string, version: string): Value {
  return isObject(value) ? { ...value, [field]: version } : value
}

for (const [version, full] of FULL_ODCS) {
  test(`ODCS ${version} › strict validation agrees with the official schema`, (t: TestContext) => {
    const files = standardsFor(t, 'odcs')
    if (files === undefined) return
    const validate = validator(files, `odcs-${version}.schema.json`)
    assert.ok(validate(full), JSON.stringify(validate.errors))
    const examples = listDocuments(files).map(({ value }) => ({
      value: stated(value, 'apiVersion', version),
      runs: MUTATIONS,
    }))
    agree([...examples, { value: full, runs: MUTATIONS_OF_FULL }], validate, odcsShape(version))
  })
}

for (const [version, full] of FULL_DCS) {
  test(`DCS ${version} › strict validation agrees with the official schema`, (t: TestContext) => {
    const files = standardsFor(t, 'dcs')
    if (files === undefined) return
    const validate = validator(files, `dcs-${version}.schema.json`)
    assert.ok(validate(full), JSON.stringify(validate.errors))
    const examples = listDocuments(files).map(({ value }) => ({
      value: stated(value, 'dataContractSpecification', version),
      runs: MUTATIONS,
    }))
    agree([...examples, { value: full, runs: MUTATIONS_OF_FULL }], validate, dcsShape(version))
  })
}

for (const version of ['1.1.0', '1.2.0', '1.2.1']) {
  test(`DCS ${version} › examples and quality may have any shape, as in the official schema`, (t: TestContext) => {
    const files = standardsFor(t, 'dcs')
    if (files === undefined) return
    // The schema of 1.2.0 is no longer available; 1.2.1 corrects it.
    const validate = validator(files, `dcs-${version.replace('1.2.0', '1.2.1')}.schema.json`)
    const base = {
      dataContractSpecification: version,
      id: 'orders',
      info: { title: 'Orders', version: '1', owner: 'a' },
      models: { orders: { type: 'table', fields: { id: { type: 'text' } } } },
    }
    for (const part of ANY_SHAPES) {
      for (const name of ['examples', 'quality']) {
        const document: Value = { ...base, [name]: part }
        assert.ok(validate(document), JSON.stringify(validate.errors))
        const text = JSON.stringify(document)
        const source = readText(text, 'application/json')
        assert.ok(source.ok)
        for (const strict of [false, true]) {
          const reading = readDataContract(source, { id: 'orders', strict })
          assert.ok(reading.ok, text)
          assert.deepEqual(reading.warnings, [], text)
          assert.equal(reading.contract.models.length, 1)
        }
      }
    }
  })
}

test('ODCS v3.1.0 › names of built-in properties are unknown fields', () => {
  const document: Value = JSON.parse(
    '{"apiVersion":"v3.1.0","kind":"DataContract","id":"a","version":"1","status":"s","schema":[{"name":"m","__proto__":1}]}',
  )
  assert.ok(!conforms(document, odcsShape('v3.1.0')))
})
