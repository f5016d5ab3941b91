import assert from 'node:assert/strict'
import test from 'node:test'
import { DEPRECATED_PARTS_MAX } from '../data-product/deprecated-parts.ts'
import { listProductParts } from '../data-product/deprecated-parts.ts'
import { readDataProduct } from '../data-product/read.ts'
import { getEffectiveStatus, isEndedStatus } from '../data-product/standing.ts'
import { readAcceptedText, type SourceText } from '../text/text.ts'
import type { ObjectValue } from '../text/value.ts'
import { listContractParts } from './deprecated-parts.ts'
import { readDataContract } from './read.ts'

const OPTIONS = { id: 'c', strict: false, owner: 'a' }

function toSource(value: ObjectValue): SourceText {
  const source = readAcceptedText(JSON.stringify(value), 'application/json')
  assert.ok(source.ok)
  return source
}

function listParts(value: ObjectValue): ReturnType<typeof listContractParts> {
  const reading = readDataContract(toSource(value), OPTIONS)
  assert.ok(reading.ok)
  return listContractParts(reading.contract)
}

function odcs(properties: ObjectValue[], more: ObjectValue = {}): ObjectValue {
  return {
    apiVersion: 'v3.2.0',
    kind: 'DataContract',
    id: 'c',
    status: 'active',
    version: '1',
    schema: [{ name: 'orders', properties, ...more }],
  }
}

test('listContractParts › finds models and fields at every depth, with advice and successor', () => {
  const flagged = { logicalType: 'string', deprecated: true }
  const { deprecated, listKeys } = listParts(
    odcs(
      [
        { name: 'a', ...flagged, description: 'Use b.' },
        { name: 'list', logicalType: 'array', items: { ...flagged, name: 'item' } },
        {
          name: 'map',
          logicalType: 'map',
          map: { key: { logicalType: 'string' }, value: flagged },
        },
        { name: 'plain', logicalType: 'object', properties: [{ name: 'x', ...flagged }] },
      ],
      { deprecated: true, customProperties: [{ property: 'replacedBy', value: 'next' }] },
    ),
  )
  assert.deepEqual(
    deprecated.map(({ name, pointer, advice, replacedBy }) => [name, pointer, advice, replacedBy]),
    [
      ['orders', '/schema/0', undefined, 'next'],
      ['orders.a', '/schema/0/properties/0', 'Use b.', undefined],
      ['orders.list.item', '/schema/0/properties/1/items', undefined, undefined],
      ['orders.map.values', '/schema/0/properties/2/map/value', undefined, undefined],
      ['orders.plain.x', '/schema/0/properties/3/properties/0', undefined, undefined],
    ],
  )
  const keys = listKeys()
  assert.ok(deprecated.every(({ key }) => keys.has(key)))
  assert.ok(keys.has('field/orders.plain'))
})

test('listContractParts › records a limited number of parts', () => {
  const fields = Array.from({ length: DEPRECATED_PARTS_MAX + 5 }, (_, at) => ({
    name: `f${at}`,
    logicalType: 'string',
    deprecated: true,
  }))
  assert.equal(listParts(odcs(fields)).deprecated.length, DEPRECATED_PARTS_MAX)
})

test('listProductParts › finds the product and all kinds of ports; a conversion keeps the keys', () => {
  const dps = {
    dataProductSpecification: '0.0.1',
    info: { title: 'P', owner: 'a', status: 'Retired' },
    outputPorts: [{ id: 'o', name: 'Out', status: 'deprecated', custom: { replacedBy: 'o2' } }],
  }
  const status = [{ property: 'status', value: 'deprecated' }]
  const odps = {
    apiVersion: 'v1.1.0',
    kind: 'DataProduct',
    name: 'P',
    id: 'c',
    status: 'active',
    deprecated: true,
    inputPorts: [{ name: 'in', version: '1', deprecated: true }],
    outputPorts: [{ id: 'o', name: 'out', version: '2', customProperties: status }],
    managementPorts: [{ name: 'ops', content: 'c', deprecated: true }],
  }
  const [old, next] = [dps, odps].map((value) => {
    const reading = readDataProduct(toSource(value), OPTIONS)
    assert.ok(reading.ok)
    return listProductParts(reading.product, reading.value).deprecated
  })
  assert.deepEqual(
    old?.map(({ key, kind, replacedBy }) => [key, kind, replacedBy]),
    [
      ['', 'document', undefined],
      ['outputPorts/id/o', 'output port', 'o2'],
    ],
  )
  assert.deepEqual(
    next?.map(({ key, kind }) => [key, kind]),
    [
      ['', 'document'],
      ['inputPorts/name/in@1', 'input port'],
      ['outputPorts/id/o', 'output port'],
      ['managementPorts/name/ops@', 'management port'],
    ],
  )
})

test('getEffectiveStatus › the flag is the status unless the status itself ends', () => {
  assert.equal(getEffectiveStatus({ status: 'active', deprecated: true }), 'deprecated')
  assert.equal(getEffectiveStatus({ deprecated: true }), 'deprecated')
  assert.equal(getEffectiveStatus({ status: 'Retired', deprecated: true }), 'Retired')
  assert.equal(getEffectiveStatus({ status: 'active' }), 'active')
  assert.equal(getEffectiveStatus({}), undefined)
  assert.deepEqual(['EOL', 'end of life', 'active'].map(isEndedStatus), [true, true, false])
})
