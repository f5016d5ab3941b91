// The shapes of the standards agree with their official JSON Schemas: for documents with every field, for public
// examples, and for mutations of both.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test, type TestContext } from 'node:test'
import type { ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { dcsShape } from '../formats/data-contract/dcs/shape.ts'
import { odcsShape } from '../formats/data-contract/odcs/shape.ts'
import { readDataContract } from '../formats/data-contract/read.ts'
import { DPS } from '../formats/data-product/dps-shape.ts'
import { odpsShape } from '../formats/data-product/odps-shape.ts'
import { conforms, inspectValue, NOWHERE } from '../formats/shape/inspect.ts'
import type { ObjectShape } from '../formats/shape/shape.ts'
import { readText } from '../formats/text/text.ts'
import { findPattern } from '../formats/shape/text-format.ts'
import { asText, isObject, type Value, valueAt } from '../formats/text/value.ts'
import { withoutAnnotations, writeSchema } from '../scripts/standards.ts'
import { mutations, listPaths, replaceAt } from './document-mutations.ts'
import { FULL_ODCS } from './full-contracts.ts'
import { FULL_DCS } from './full-dcs.ts'
import { fillSchema, FULL_ODPS_1_1 } from './full-products.ts'
import { type StandardKind, standards, standardsFor } from './standards.ts'

const SCHEMAS = new URL('../formats/standards/', import.meta.url)

// For each example and each version; the document with all fields is mutated more often. Each version has its own
// seed, so that the versions of a standard check different mutations.
const MUTATIONS = 15
const MUTATIONS_OF_FULL = 400

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

interface Standard {
  kind: StandardKind
  version: string
  /** The field with the version. */
  field: string
  shape: ObjectShape
  full: Value
}

const STANDARDS: readonly Standard[] = [
  ...Array.from(FULL_ODCS, ([version, full]): Standard => {
    return { kind: 'odcs', version, field: 'apiVersion', shape: odcsShape(version), full }
  }),
  ...Array.from(FULL_DCS, ([version, full]): Standard => {
    const field = 'dataContractSpecification'
    return { kind: 'dcs', version, field, shape: dcsShape(version), full }
  }),
  ...['v0.9.0', 'v1.0.0', 'v1.1.0'].map((version): Standard => {
    const full = fillSchema(`odps-${version}`)
    return { kind: 'odps', version, field: 'apiVersion', shape: odpsShape(version), full }
  }),
  {
    kind: 'dps',
    version: '0.0.1',
    field: 'dataProductSpecification',
    shape: DPS,
    full: fillSchema('dps-0.0.1'),
  },
]

const validators = new Map<string, ValidateFunction>()

/** Compiles an official schema once. */
function validator(name: string): ValidateFunction {
  const validate = validators.get(name) ?? compile(name)
  validators.set(name, validate)
  return validate
}

function compile(name: string): ValidateFunction {
  const ajv = new Ajv2019({ strict: false, allErrors: false })
  addFormats.default(ajv)
  return ajv.compile(JSON.parse(readFileSync(new URL(`${name}.schema.json`, SCHEMAS), 'utf8')))
}

// Every example is checked against every version, to cover fields that a version lacks.
function listExamples({ kind, field, version }: Standard): Value[] {
  const files = standards(kind)?.filter(({ name }) => name.endsWith('.yaml')) ?? []
  return files.map(({ text }) => {
    const source = readText(text, 'application/yaml')
    assert.ok(source.ok)
    return isObject(source.value) ? { ...source.value, [field]: version } : source.value
  })
}

describe('formats/standards', () => {
  for (const kind of ['odps', 'dps', 'odcs', 'dcs'] as const) {
    test(`has the official schemas of ${kind}, without annotations`, (t: TestContext) => {
      const files = standardsFor(t, kind)?.filter(({ name }) => name.endsWith('.json')) ?? []
      for (const { name, text } of files) {
        const schema = withoutAnnotations(JSON.parse(text))
        assert.ok(isObject(schema))
        const stored = readFileSync(new URL(name, SCHEMAS), 'utf8')
        assert.equal(stored, writeSchema(schema), name)
      }
    })
  }

  test('has ODCS 3.2.0 as it was tagged', (t: TestContext) => {
    const files = standardsFor(t, 'odcs') ?? []
    const text = files.find(({ name }) => name === 'odcs-v3.2.0.schema.json')?.text
    if (text === undefined) return
    // The object id of the file in git.
    const header = `blob ${Buffer.byteLength(text)}\0`
    const hash = createHash('sha1').update(header).update(text).digest('hex')
    assert.equal(hash, 'f934075459fce0a20a3c8260dd2076872f91e2b9')
  })

  test('has no pattern that is not checked', () => {
    // Two alternative patterns for a text are checked as one, by the first.
    const second = /^\^\(\?:\(\?:https/
    for (const name of readdirSync(SCHEMAS).filter((file) => file.endsWith('.json'))) {
      const schema: Value = JSON.parse(readFileSync(new URL(name, SCHEMAS), 'utf8'))
      const patterns = listPaths(schema).filter((path) => path.at(-1) === 'pattern')
      for (const path of patterns) {
        const pattern = asText(valueAt(schema, path)) ?? ''
        if (pattern !== '' && !second.test(pattern))
          assert.ok(findPattern(pattern), `${name}: ${pattern}`)
      }
    }
  })

  test('is checked completely', () => {
    const names = readdirSync(SCHEMAS).filter((name) => name.endsWith('.json'))
    const checked = STANDARDS.map(({ kind, version }) => `${kind}-${version}.schema.json`)
    assert.deepEqual(names.toSorted(), checked.toSorted())
  })
})

for (const [seed, standard] of STANDARDS.entries()) {
  const { kind, version, shape, full } = standard
  test(`${kind.toUpperCase()} ${version} › strict validation agrees with the official schema`, () => {
    const validate = validator(`${kind}-${version}`)
    assert.ok(validate(full), JSON.stringify(validate.errors))
    const verdicts = { valid: 0, invalid: 0 }
    const check = (document: Value) => {
      const official = validate(document)
      verdicts[official ? 'valid' : 'invalid'] += 1
      const { errors } = inspectValue(document, shape, NOWHERE, { strict: true })
      if (conforms(document, shape) !== official) {
        assert.fail(JSON.stringify({ official: validate.errors, ours: errors.slice(0, 2) }))
      }
      // Checks beyond the standard never reject what the standard accepts.
      if (official) assert.deepEqual(errors, [])
    }
    for (const example of listExamples(standard)) {
      check(example)
      fc.assert(fc.property(mutations(example, WORDS), check), { seed, numRuns: MUTATIONS })
    }
    check(full)
    fc.assert(fc.property(mutations(full, WORDS), check), { seed, numRuns: MUTATIONS_OF_FULL })
    assert.ok(verdicts.valid > 50 && verdicts.invalid > 50, JSON.stringify(verdicts))
  })
}

for (const version of ['1.1.0', '1.2.0', '1.2.1']) {
  test(`DCS ${version} › examples and quality may have any shape, as in the official schema`, () => {
    // The schema of 1.2.1 corrects the one of 1.2.0.
    const validate = validator(`dcs-${version.replace('1.2.0', '1.2.1')}`)
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

function listProblems(document: Value, shape: ObjectShape): string[] {
  return inspectValue(document, shape, NOWHERE, { strict: true }).errors.map(({ field }) => field)
}

test('ODPS v1.1.0 › supports the additions of that version, and requires less', () => {
  const shape = odpsShape('v1.1.0')
  assert.deepEqual(listProblems(FULL_ODPS_1_1, shape), [])
  assert.deepEqual(listProblems(fillSchema('odps-v1.0.0'), shape), [])
  assert.deepEqual(listProblems({ apiVersion: 'v1.1.0', kind: 'DataProduct' }, shape), ['id'])
  const paths = listPaths(FULL_ODPS_1_1).filter(
    (path) => path.length > 0 && path.at(-1) !== 'value',
  )
  for (const path of paths) {
    const odd = replaceAt(FULL_ODPS_1_1, path, (value) => (Array.isArray(value) ? 'odd' : ['odd']))
    assert.equal(listProblems(odd, shape).length, 1, path.join('.'))
  }
  assert.deepEqual(
    listProblems(
      {
        ...(isObject(FULL_ODPS_1_1) ? FULL_ODPS_1_1 : {}),
        inputPorts: [{}],
        outputPorts: [{ context: { verifiedStatements: [{}], constraints: [{}] }, synonyms: [{}] }],
        team: { id: 'x' },
      },
      shape,
    ),
    [
      'inputPorts[0].name',
      'outputPorts[0].context.constraints[0].constraint',
      'outputPorts[0].context.verifiedStatements[0].question',
      'outputPorts[0].name',
      'outputPorts[0].synonyms[0].synonym',
      'team.id',
    ],
  )
})
