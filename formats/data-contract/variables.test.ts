// Variables in documents of ODCS and ODPS are kept, and never reported.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ODCS, readContract } from '../../test/contract-readings.ts'
import { FULL_ODCS } from '../../test/full-contracts.ts'
import { listPaths, replaceAt } from '../../test/document-mutations.ts'
import { fillSchema } from '../../test/full-products.ts'
import { readDataProduct } from '../data-product/read.ts'
import { readText } from '../text/text.ts'
import { jsonText, type Path, type Value, valueAt } from '../text/value.ts'

const isScalar = (value: Value | undefined) => value === null || typeof value !== 'object'

// Positions that decide how the document is read.
const STRUCTURAL = new Set(['apiVersion', 'kind'])

function listScalars(document: Value): Path[] {
  return listPaths(document).filter((path) => {
    const isNamed = !STRUCTURAL.has(String(path[0])) && path.length > 0
    return isNamed && isScalar(valueAt(document, path)) && valueAt(document, path) !== null
  })
}

function listNew(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before)
  return after.filter((message) => !known.has(message))
}

function listContractProblems(value: Value, strict: boolean): string[] {
  const read = readContract({ ...(value as object), id: 'orders' }, { strict })
  return read.ok
    ? read.warnings.map(({ field, message }) => `${field}: ${message}`)
    : read.problems.map(({ field, message }) => `error ${field}: ${message}`)
}

for (const version of ['v3.0.2', 'v3.1.0', 'v3.2.0']) {
  test(`ODCS ${version} › a variable instead of any value adds no problem, also if strict`, () => {
    const full = FULL_ODCS.get(version) ?? {}
    const paths = listScalars(full)
    const everyNth = Math.max(1, Math.floor(paths.length / 50))
    for (const strict of [false, true]) {
      const before = listContractProblems(full, strict)
      for (const path of paths.filter((_, at) => at % everyNth === 0)) {
        // The type of a check, option or server decides which fields it has.
        if (['type', 'logicalType'].includes(String(path.at(-1)))) continue
        const changed = listContractProblems(
          replaceAt(full, path, () => '${A:-b c}'),
          strict,
        )
        assert.deepEqual(listNew(before, changed), [], path.join('.'))
      }
    }
  })
}

test('ODPS v1.1.0 › a variable instead of any value adds no problem, also if strict', () => {
  const full = { ...fillSchema('odps-v1.1.0'), id: 'x', apiVersion: 'v1.1.0' }
  for (const strict of [false, true]) {
    const list = (value: Value): string[] => {
      const source = readText(jsonText(value), 'application/json')
      assert.ok(source.ok)
      const read = readDataProduct(source, { id: 'x', strict, owner: 't' })
      return (read.ok ? read.warnings : read.problems).map(({ message }) => message)
    }
    const before = list(full)
    for (const path of listScalars(full)) {
      const changed = list(replaceAt(full, path, () => '${A}'))
      assert.deepEqual(listNew(before, changed), [], path.join('.'))
    }
  }
})

test('ODCS › a server whose type is a variable may have any fields', () => {
  const server = { server: 's', type: '${TYPE}', host: '${HOST}', port: '${PORT:-5432}' }
  const read = readContract({ ...ODCS, apiVersion: 'v3.2.0', servers: [server] }, { strict: true })
  assert.ok(read.ok, JSON.stringify(read))
  assert.deepEqual(read.warnings, [])
  assert.deepEqual(read.contract.servers[0]?.properties, server)
})

test('ODCS › a list or an object cannot be a variable', () => {
  const read = readContract({ ...ODCS, tags: '${TAGS}' })
  assert.ok(!read.ok)
})

test('DCS › a variable is a text like any other', () => {
  const value = {
    dataContractSpecification: '1.2.1',
    id: 'orders',
    info: { title: 'Orders', version: '1', owner: 'a' },
    models: { orders: { fields: { id: { type: 'text', required: '${A}' } } } },
  }
  assert.ok(!readContract(value).ok)
})
