import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPortTest } from './find-port-test.ts'

const PORT = { id: 'p1', name: 'orders', contractId: 'c' }

test('findPortTest › finds the newest result of the contract and of no other port', () => {
  const other = { dataContractId: 'd' }
  const otherPort = { dataContractId: 'c', outputPortId: 'p2' }
  const byName = { dataContractId: 'c', outputPortId: 'orders' }
  const byId = { dataContractId: 'c', outputPortId: 'p1' }
  const ofContract = { dataContractId: 'c' }
  assert.equal(findPortTest([other, otherPort, byName, byId], PORT), byName)
  assert.equal(findPortTest([byId, ofContract], PORT), byId)
  assert.equal(findPortTest([ofContract, byId], PORT), ofContract)
  assert.equal(findPortTest([other, otherPort], PORT), undefined)
  assert.equal(findPortTest([ofContract], { id: 'p1', name: 'orders' }), undefined)
})
