import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Value } from '../../../formats/text/value.ts'
import { chooseTestedServers, listIndexedPorts } from './tested-parts.ts'

function choose(servers: readonly [name: string, environment?: string][], value: Value = {}) {
  const listed = servers.map(([name, environment]) => ({
    name,
    properties: {},
    origin: '',
    ...(environment !== undefined && { environment }),
  }))
  return chooseTestedServers({ servers: listed }, value)
}

describe('chooseTestedServers', () => {
  test('the servers of production, in any spelling', () => {
    const { tested, ignored } = choose([
      ['a', 'PROD'],
      ['b', 'dev'],
      ['c', ' live '],
      ['d', 'prd'],
      ['e', 'production'],
      ['f', 'preprod'],
      ['g'],
    ])
    assert.deepEqual(
      [tested, ignored],
      [
        ['a', 'c', 'd', 'e'],
        ['b', 'f', 'g'],
      ],
    )
  })

  test('all servers if none is of production, and none without servers', () => {
    assert.deepEqual(choose([['a', 'dev'], ['b']]).tested, ['a', 'b'])
    assert.deepEqual(choose([]), { tested: [], ignored: [], validSeconds: null })
  })

  test('how long a result counts is the custom property testsValidFor, if it is a duration', () => {
    const cases: [value: Value, seconds: number | null][] = [
      ['36 h', 129_600],
      ['P14D', 1_209_600],
      ['weekly', 604_800],
      ['soon', null],
      ['unlimited', null],
      ['99%', null],
      [-1, null],
      [null, null],
    ]
    for (const [value, seconds] of cases) {
      const customProperties = [{ property: 'testsValidFor', value }]
      assert.equal(
        choose([], { customProperties }).validSeconds,
        seconds,
        `${JSON.stringify(value)} in ODCS`,
      )
      const custom = { testsValidFor: value }
      assert.equal(choose([], { custom }).validSeconds, seconds, `${JSON.stringify(value)} in DCS`)
    }
  })
})

describe('listIndexedPorts', () => {
  test('every output port with its names, contract and status', () => {
    const outputPorts = [
      { key: 'orders@1', id: 'o', name: 'orders', contractId: 'c', tags: [] },
      { key: 'old', id: 'old', name: 'old', deprecated: true as const, tags: [] },
    ]
    assert.deepEqual(listIndexedPorts({ outputPorts }), [
      { name: 'orders', names: ['o', 'orders', 'orders@1'], contract: 'c', status: null },
      { name: 'old', names: ['old'], contract: null, status: 'deprecated' },
    ])
  })
})
