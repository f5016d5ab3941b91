// Documents of ODPS 1.1 as 1.0 and back, and DPS in both versions.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { FULL_ODPS_1_1 } from '../../test/full-products.ts'
import { canonicalText } from '../shape/canonical.ts'
import { any } from '../shape/shape.ts'
import { getField, isObject, type ObjectValue, type Value } from '../text/value.ts'
import { ODPS_VERSIONS, type OdpsVersion, toOdpsVersion } from './versions.ts'

function createValidator(version: string): (value: Value) => string {
  const ajv = new Ajv2019({ strict: false })
  addFormats.default(ajv)
  const file = join(import.meta.dirname, `../standards/odps-${version}.schema.json`)
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')))
  return (value) => (validate(value) ? '' : JSON.stringify(validate.errors?.slice(0, 3)))
}

const VALIDATORS = new Map(ODPS_VERSIONS.map((version) => [version, createValidator(version)]))

const toOdps = (value: Value, version: OdpsVersion): Value =>
  toOdpsVersion(value, { id: 'full', format: 'odps', version })

function assertValid(value: Value, version: OdpsVersion): void {
  assert.equal(VALIDATORS.get(version)?.(value), '', JSON.stringify(value))
  assert.equal(getField(value, 'apiVersion'), version)
}

/** The full document, and the same without each of its members. */
function listVariants(): ObjectValue[] {
  if (!isObject(FULL_ODPS_1_1)) return []
  const full = FULL_ODPS_1_1
  return Object.keys(full).map((left) => {
    const members = Object.entries(full).filter(([name]) => name !== left || name === 'id')
    return Object.fromEntries(members)
  })
}

test('ODPS 1.1 as 1.0 is valid and restored exactly, for every field', () => {
  let count = 0
  for (const document of listVariants()) {
    if (VALIDATORS.get('v1.1.0')?.(document) !== '') continue
    count += 1
    const older = toOdps(document, 'v1.0.0')
    assertValid(older, 'v1.0.0')
    assert.equal(canonicalText(toOdps(older, 'v1.1.0'), any), canonicalText(document, any))
  }
  assert.ok(count > 8)
})

test('a document of the requested version stays as it is, and DPS is valid in both', () => {
  assert.equal(toOdps(FULL_ODPS_1_1, 'v1.1.0'), FULL_ODPS_1_1)
  const info = { title: 'A', owner: 't', status: 'active' }
  const dps = {
    dataProductSpecification: '0.0.1',
    id: 'a',
    info,
    outputPorts: [{ id: 'o', name: 'o' }],
  }
  for (const version of ODPS_VERSIONS) {
    assertValid(toOdpsVersion(dps, { id: 'a', format: 'dps', version }), version)
  }
})
