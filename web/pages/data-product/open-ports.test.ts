import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getPortName, isPortOpen, matchesFilter, togglePort } from './open-ports.ts'

const customers = { key: 'customers 1', id: 'customers' }
const orders = { key: 'orders 1', id: 'orders' }
const laterOrders = { key: 'orders 2', id: 'orders' }
const ports = [customers, orders, laterOrders]

describe('getPortName', () => {
  test('is the id of a port, and the key if versions share the id', () => {
    assert.deepEqual(
      ports.map((port) => getPortName(port, ports)),
      ['customers', 'orders 1', 'orders 2'],
    )
  })
})

describe('isPortOpen', () => {
  test('an id opens all versions, a key only one', () => {
    const cases: [names: string[], open: boolean[]][] = [
      [[], [false, false, false]],
      [['orders'], [false, true, true]],
      [
        ['orders 2', 'customers'],
        [true, false, true],
      ],
      [['unknown'], [false, false, false]],
    ]
    for (const [names, open] of cases) {
      assert.deepEqual(
        ports.map((port) => isPortOpen(names, port)),
        open,
      )
    }
  })
})

describe('togglePort', () => {
  test('opens a folded port and keeps the others', () => {
    assert.deepEqual(togglePort(['customers'], laterOrders, ports), ['customers', 'orders 2'])
  })

  test('folds an open port and keeps the others', () => {
    assert.deepEqual(togglePort(['customers', 'orders 1'], customers, ports), ['orders 1'])
  })

  test('folds one of the versions that an id opened', () => {
    assert.deepEqual(togglePort(['orders'], orders, ports), ['orders 2'])
  })
})

describe('matchesFilter', () => {
  const port = {
    name: 'Orders',
    version: '2.0',
    type: 'Snowflake',
    description: 'All orders of the day',
    synonyms: ['sales'],
    tags: ['gold'],
  }

  test('matches each word in any text and any letter case', () => {
    for (const filter of ['', ' ', 'ORDERS', 'snow day', 'sales gold', '2.0']) {
      assert.equal(matchesFilter(filter, port), true, filter)
    }
  })

  test('does not match if one word is nowhere', () => {
    for (const filter of ['orders kafka', 'undefined', 'ordersday']) {
      assert.equal(matchesFilter(filter, port), false, filter)
    }
  })
})
