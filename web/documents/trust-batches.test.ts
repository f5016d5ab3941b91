import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getTrustName, splitIntoRequests, type TrustedRef } from './trust-batches.ts'

function list(resourceType: string, count: number): TrustedRef[] {
  return Array.from({ length: count }, (_, at) => ({ resourceType, id: `${at}` }))
}

describe('splitIntoRequests', () => {
  test('asks once for the documents of a list, each once, and for nothing else', () => {
    const refs = [...list('DATA_PRODUCT', 2), ...list('DATA_CONTRACT', 1), ...list('TEAM', 3)]
    assert.deepEqual(splitIntoRequests([...refs, ...refs]), [
      { dataProductId: ['0', '1'], outputPortId: [], dataContractId: ['0'], assetId: [] },
    ])
    assert.deepEqual(splitIntoRequests(list('DATA_ASSET', 1)), [
      { dataProductId: [], outputPortId: [], dataContractId: [], assetId: ['0'] },
    ])
    assert.deepEqual(splitIntoRequests(list('TEAM', 2)), [])
  })

  test('splits long lists, and keeps the first requests of one that grows', () => {
    const [short, long] = [150, 201].map((count) => splitIntoRequests(list('DATA_PRODUCT', count)))
    assert.deepEqual(
      long?.map(({ dataProductId }) => dataProductId.length),
      [100, 100, 1],
    )
    assert.deepEqual(short?.[0], long?.[0])
  })

  test('asks for ports with their product, which is not asked for again', () => {
    const ports = list('OUTPUT_PORT', 100).map((port) => ({ ...port, dataProductId: 'p' }))
    const requests = splitIntoRequests([{ resourceType: 'DATA_PRODUCT', id: 'p' }, ...ports])
    assert.deepEqual(
      requests.map(({ dataProductId, outputPortId }) => [dataProductId, outputPortId.length]),
      [
        [['p'], 99],
        [['p'], 1],
      ],
    )
  })

  test('asks for ports of several products in pairs', () => {
    const ports = list('OUTPUT_PORT', 60).map((port, at) => ({
      ...port,
      dataProductId: `p${at % 59}`,
    }))
    const requests = splitIntoRequests([...ports, ...ports])
    assert.deepEqual(
      requests.map(({ dataProductId, outputPortId }) => [
        dataProductId.length,
        outputPortId.length,
      ]),
      [
        [50, 50],
        [10, 10],
      ],
    )
    assert.deepEqual(requests[1]?.dataProductId.slice(-2), ['p58', 'p0'])
  })
})

describe('getTrustName', () => {
  test('differs by kind, product and id', () => {
    const names = [
      { resourceType: 'DATA_PRODUCT', id: 'a' },
      { resourceType: 'DATA_CONTRACT', id: 'a' },
      { resourceType: 'OUTPUT_PORT', id: 'a', dataProductId: 'p' },
      { resourceType: 'OUTPUT_PORT', id: 'a', dataProductId: 'q' },
    ].map(getTrustName)
    assert.equal(new Set(names).size, 4)
    assert.equal(
      getTrustName({ resourceType: 'DATA_PRODUCT', id: 'a', dataProductId: null }),
      names[0],
    )
  })
})
