// Documents of ODCS 3.2 as 3.1 and back, and what is written in 3.2.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { FULL_ODCS } from '../../../test/full-contracts.ts'
import { FULL_DCS } from '../../../test/full-dcs.ts'
import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { getField, isObject, type ObjectValue, type Value } from '../../text/value.ts'
import { ODCS_VERSIONS, type OdcsVersion } from '../odcs/write.ts'
import { toOdcsVersion } from './versions.ts'

const STANDARDS = join(import.meta.dirname, '../../standards')

function createValidator(version: string): (value: Value) => string {
  const ajv = new Ajv2019({ strict: false })
  addFormats.default(ajv)
  const text = readFileSync(join(STANDARDS, `odcs-${version}.schema.json`), 'utf8')
  const validate = ajv.compile(JSON.parse(text))
  return (value) => (validate(value) ? '' : JSON.stringify(validate.errors?.slice(0, 3)))
}

const VALIDATORS = new Map(ODCS_VERSIONS.map((version) => [version, createValidator(version)]))

function assertValid(value: Value, version: OdcsVersion): void {
  assert.equal(VALIDATORS.get(version)?.(value), '', JSON.stringify(value).slice(0, 2000))
  assert.equal(getField(value, 'apiVersion'), version)
}

const toOdcs = (value: Value, version: OdcsVersion): Value =>
  toOdcsVersion(value, { id: 'full', format: 'odcs', version })

function assertSame(a: Value, b: Value): void {
  assert.equal(canonicalText(a, any), canonicalText(b, any))
}

const FULL = FULL_ODCS.get('v3.2.0') ?? {}

/** The full document, without each of its parts, with a single item of each list, and without each part of a field. */
function* listVariants(): Generator<ObjectValue> {
  yield FULL
  const names = Object.keys(FULL).filter(
    (name) => !['apiVersion', 'kind', 'id', 'version'].includes(name),
  )
  for (const name of names) {
    const { [name]: _, ...rest } = FULL
    yield rest
  }
  for (const list of ['servers', 'schema', 'slaProperties', 'customProperties']) {
    const items = getField(FULL, list)
    if (!Array.isArray(items)) continue
    for (const item of items) yield { ...FULL, [list]: [item] }
  }
  const [model] = [getField(FULL, 'schema')].flat()
  const properties = getField(model, 'properties')
  if (!isObject(model) || !Array.isArray(properties)) return
  for (const property of properties) {
    yield { ...FULL, schema: [{ ...model, properties: [property] }] }
    if (!isObject(property)) continue
    for (const name of Object.keys(property)) {
      const { [name]: _, ...rest } = property
      if (name !== 'name') yield { ...FULL, schema: [{ ...model, properties: [rest] }] }
    }
  }
}

describe('ODCS 3.2 as 3.1', () => {
  test('is valid and restored exactly, for every field', () => {
    let count = 0
    for (const document of listVariants()) {
      if (VALIDATORS.get('v3.2.0')?.(document) !== '') continue
      count += 1
      const older = toOdcs(document, 'v3.1.0')
      assertValid(older, 'v3.1.0')
      assertSame(toOdcs(older, 'v3.2.0'), document)
    }
    assert.ok(count > 100, `${count}`)
  })

  test('keeps what the older version lacks beside its place', () => {
    const properties = [
      { name: 'v', logicalType: 'vector', logicalTypeOptions: { dimensions: 3 } },
      { name: 'e', logicalType: 'string', enum: [{ value: 'a', label: 'A' }], deprecated: true },
    ]
    const iceberg = { server: 's', type: 'iceberg', catalog: 'c', catalogUrl: 'https://c.example' }
    const document = {
      apiVersion: 'v3.2.0',
      kind: 'DataContract',
      id: 'a',
      version: '1',
      context: 'Ask.',
      servers: [iceberg],
      schema: [{ name: 'o', properties, synonyms: [{ synonym: 's' }] }],
      customProperties: [{ property: 'p', value: 1, vendor: 'x' }],
    }
    const older = toOdcs(document, 'v3.1.0')
    assertValid(older, 'v3.1.0')
    const text = JSON.stringify(older)
    for (const name of [
      'logicalType',
      'enum',
      'deprecated',
      'synonyms',
      'context',
      'customProperties',
    ]) {
      assert.ok(text.includes(`"property":"odcs32.${name}"`), name)
    }
    assert.match(text, /"type":"custom".*"property":"customType","value":"iceberg"/)
    assert.match(text, /"status":"unknown"/)
    assertSame(toOdcs(older, 'v3.2.0'), document)
  })

  test('restores a document that has custom properties of these names itself', () => {
    const document = {
      ...FULL,
      customProperties: [{ property: 'odcs32.status', value: 'x' }],
      schema: [{ name: 'o', customProperties: [{ property: 'odcs32.*', value: 1 }] }],
    }
    const older = toOdcs(document, 'v3.1.0')
    assertValid(older, 'v3.1.0')
    assertSame(toOdcs(older, 'v3.2.0'), document)
  })
})

describe('other documents in both versions', () => {
  for (const [version, document] of FULL_ODCS) {
    if (version === 'v3.2.0') continue
    test(`ODCS ${version} is valid`, () => {
      for (const wanted of ODCS_VERSIONS) assertValid(toOdcs(document, wanted), wanted)
    })
  }

  test('a document of the requested version stays as it is', () => {
    assert.equal(toOdcs(FULL, 'v3.2.0'), FULL)
    const older = FULL_ODCS.get('v3.1.0') ?? {}
    assert.equal(toOdcs(older, 'v3.1.0'), older)
  })

  for (const [version, document] of FULL_DCS) {
    test(`DCS ${version} is valid, and 3.2 keeps maps and lists of values as such`, () => {
      for (const wanted of ODCS_VERSIONS) {
        const options = { id: 'full', format: 'dcs', version: wanted } as const
        const written: Value = JSON.parse(
          JSON.stringify(toOdcsVersion(document, options)).replaceAll(/\{[\w.-]+\}/g, 'x'),
        )
        assertValid(written, wanted)
      }
    })
  }

  test('DCS in 3.2 has maps and enums, in 3.1 custom properties and checks', () => {
    const fields = {
      m: { type: 'map', keys: { type: 'string' }, values: { type: 'int' } },
      e: { type: 'string', enum: ['a'] },
    }
    const head = { dataContractSpecification: '1.2.1', id: 'a', info: { title: 'A', version: '1' } }
    const document = { ...head, models: { o: { type: 'table', fields } } }
    const write = (version: OdcsVersion) =>
      JSON.stringify(toOdcsVersion(document, { id: 'a', format: 'dcs', version }))
    assert.match(write('v3.2.0'), /"logicalType":"map","map":\{"key":\{.*"value":\{/)
    assert.match(write('v3.2.0'), /"enum":\[\{"value":"a"\}\]/)
    assert.doesNotMatch(write('v3.2.0'), /mapKey|invalidValues/)
    assert.match(write('v3.1.0'), /mapKey.*invalidValues/)
  })
})
