// Documents of versions that are newer than those that the catalog reads.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDataContract } from '../data-contract/read.ts'
import { readDataProduct } from '../data-product/read.ts'
import { readText } from '../text/text.ts'
import { jsonText, type ObjectValue } from '../text/value.ts'

const ODCS = {
  kind: 'DataContract',
  id: 'x',
  version: '1',
  name: 'X',
  team: { name: 't' },
  schema: [],
}
const ODPS = {
  kind: 'DataProduct',
  id: 'x',
  name: 'X',
  status: 'active',
  version: '1',
  team: { name: 't' },
}

function listProblems(value: ObjectValue, strict: boolean): string[] {
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const read = value['kind'] === 'DataContract' ? readDataContract : readDataProduct
  const result = read(source, { id: 'x', strict })
  const problems = result.ok ? result.warnings : result.problems
  return problems.map(
    ({ field, message }) => `${result.ok ? 'warning' : 'error'} ${field}: ${message}`,
  )
}

const NEWER = [
  { base: ODCS, version: 'v3.3.0', newest: 'ODCS v3.3.0 is newer than v3.2.0' },
  { base: ODCS, version: 'v3.2.1', newest: 'ODCS v3.2.1 is newer than v3.2.0' },
  { base: { ...ODCS, uuid: 'x' }, version: 'v2.10.0', newest: 'ODCS v2.10.0 is newer than v2.2.2' },
  { base: ODPS, version: 'v1.2.0', newest: 'ODPS v1.2.0 is newer than v1.1.0' },
]

describe('apiVersion', () => {
  for (const { base, version, newest } of NEWER) {
    test(`${version} › is read as the newest version of its major, with one warning`, () => {
      // A member of the new version is not a mistake.
      const [warning, ...others] = listProblems({ ...base, apiVersion: version, novelty: 1 }, false)
      assert.ok(warning?.startsWith(`warning apiVersion: ${newest}`), String(warning))
      assert.deepEqual(others, [])
    })

    test(`${version} › is an error if strict, because it cannot be checked`, () => {
      const [error, ...others] = listProblems({ ...base, apiVersion: version }, true)
      assert.ok(error?.startsWith(`error apiVersion: ${newest}`), String(error))
      assert.deepEqual(others, [])
    })

    test(`${version} › a wrong type is an error`, () => {
      const problems = listProblems({ ...base, apiVersion: version, tags: 7 }, false)
      assert.ok(problems.every((problem) => problem.startsWith('error')))
      assert.ok(problems.some((problem) => problem.startsWith('error tags: ')))
    })
  }

  for (const [base, version] of [
    [ODCS, 'v4.0.0'],
    [ODCS, 'v1.0.0'],
    [ODPS, 'v2.0.0'],
  ] as const) {
    test(`${version} of ${base.kind} › another major version is an error`, () => {
      for (const strict of [false, true]) {
        const problems = listProblems({ ...base, apiVersion: version }, strict)
        assert.ok(problems.some((one) => /^error apiVersion: .* is not supported; use/.test(one)))
      }
    })
  }

  test('versions between the known ones are deviations, as before', () => {
    const [warning] = listProblems({ ...ODCS, apiVersion: 'v3.0.9' }, false)
    assert.match(warning ?? '', /^warning apiVersion: "v3.0.9" is not allowed/)
  })
})
