import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { odpsFromDps } from '../data-product/convert.ts'
import { type ObjectValue, type Value } from '../text/value.ts'
import { type Change, diffDataProducts } from './diff.ts'
import { DPS_RULES, ODPS_RULES, OTHERWISE, ruleFor } from './level.ts'
import {
  ODPS,
  DPS,
  readProduct,
  diffProducts,
  listProductChanges,
} from '../../test/product-versions.ts'

const custom = (property: string, value: Value) => ({ customProperties: [{ property, value }] })
test('a change without a rule › is wording', () => {
  assert.equal(ruleFor(ODPS_RULES, ['outputPorts', '*', 'whatever']), OTHERWISE)
  assert.equal(ruleFor(DPS_RULES, ['info', 'title']), OTHERWISE)
  assert.equal(ruleFor(ODPS_RULES, []), OTHERWISE)
})

test('paths › point into the newer document, or into the older one for removed values', () => {
  const before = {
    ...ODPS,
    tags: ['old', 'kept'],
    outputPorts: [{ name: 'gone' }, { name: 'kept', type: 'a' }],
  }
  const after = {
    ...ODPS,
    tags: ['kept', 'new'],
    outputPorts: [{ name: 'kept', type: 'b' }],
    'a/b~c': 1,
  }
  assert.deepEqual(listProductChanges(before, after), [
    'wording removed /tags/0',
    'wording added /tags/1',
    'breaking changed /outputPorts/0/type',
    'breaking removed /outputPorts/0',
    'wording added /a~1b~0c',
  ])
})

test('messages › name the subject and its change', () => {
  const before = {
    ...ODPS,
    status: 'draft',
    outputPorts: [{ name: 'orders', version: '1', contractId: 'a' }],
    customProperties: [{ property: 'p', value: 1 }],
  }
  const after = {
    ...ODPS,
    status: 'active',
    outputPorts: [{ name: 'orders', version: '1', contractId: 'b' }, { name: 'new' }],
    customProperties: [{ property: 'p', value: 2 }],
  }
  assert.deepEqual(
    diffProducts(before, after).map(({ message }) => message),
    [
      'status changed from "draft" to "active".',
      'Output port "orders" version 1: contractId changed from "a" to "b".',
      'Output port "new" was added.',
      'Custom property "p": value changed from 1 to 2.',
    ],
  )
})

test('renamed ports › are one change, and other changes are reported too', () => {
  const changes = diffProducts(
    { ...ODPS, outputPorts: [{ id: 'i', name: 'a', version: '1', type: 'x' }] },
    { ...ODPS, outputPorts: [{ id: 'i', name: 'b', version: '1', type: 'y' }] },
  )
  assert.deepEqual(
    changes.map(({ kind, level, message }) => [kind, level, message]),
    [
      ['renamed', 'breaking', 'Output port "a" version 1 was renamed; it is now "b" version 1.'],
      ['changed', 'breaking', 'Output port "b" version 1: type changed from "x" to "y".'],
    ],
  )
  assert.deepEqual(
    listProductChanges(
      { ...DPS, outputPorts: [{ id: 'a', name: 'n', type: 't' }] },
      { ...DPS, outputPorts: [{ id: 'b', name: 'n', type: 't' }] },
    ),
    ['breaking renamed /outputPorts/0'],
  )
})

const versions = (version: string, type: string) => ({
  ...ODPS,
  outputPorts: [{ name: 'a', version, type }],
})

test('ports › with different versions, or without a distinguishing property, are not matched', () => {
  assert.deepEqual(listProductChanges(versions('1', 'x'), versions('2', 'x')), [
    'breaking renamed /outputPorts/0',
  ])
  assert.deepEqual(listProductChanges(versions('1', 'x'), versions('2', 'y')), [
    'breaking removed /outputPorts/0',
    'additive added /outputPorts/0',
  ])
  assert.deepEqual(
    listProductChanges(
      { ...ODPS, outputPorts: [{ name: 'a' }, { name: 'b' }] },
      { ...ODPS, outputPorts: [{ name: 'c' }] },
    ),
    [
      'breaking removed /outputPorts/0',
      'breaking removed /outputPorts/1',
      'additive added /outputPorts/0',
    ],
  )
})

test('across formats › the same product is only a wording change', () => {
  const dps = {
    ...DPS,
    info: { ...DPS.info, status: 'active' },
    outputPorts: [{ id: 'p', name: 'P', dataContractId: 'c', server: { a: 'b' } }],
  }
  assert.deepEqual(diffProducts(dps, odpsFromDps(dps, 'x')), [
    {
      path: '',
      kind: 'changed',
      level: 'wording',
      before: 'dps',
      after: 'odps',
      message: 'The document is in ODPS now; it was in DPS.',
    },
  ])
  assert.deepEqual(listProductChanges(odpsFromDps(dps, 'x'), dps), ['wording changed '])
  const byHand = {
    ...ODPS,
    apiVersion: 'v1.0.0',
    status: 'active',
    outputPorts: [
      { name: 'p', version: '1.0.0', contractId: 'd', ...custom('server', { a: 'b' }) },
    ],
  }
  assert.deepEqual(
    listProductChanges(dps, byHand).filter((line) => !line.startsWith('wording')),
    ['breaking changed /outputPorts/0/contractId'],
  )
})

const field = fc.constantFrom('a', 'b', '', null)
const ports = fc.array(
  fc.record(
    {
      id: field,
      name: field,
      version: field,
      type: field,
      tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      customProperties: fc.array(
        fc.record({
          property: fc.constantFrom('server', 'x'),
          value: fc.constantFrom<Value>({ a: 1 }, { a: 2, b: 1 }, 1),
        }),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 3 },
)
const documents: fc.Arbitrary<ObjectValue> = fc
  .record(
    {
      status: field,
      tags: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
      outputPorts: ports,
      inputPorts: ports,
      team: fc.constantFrom({ name: 't' }, { name: 'u', members: [] }),
      unknown: fc.jsonValue({ maxDepth: 1 }),
      description: fc.constantFrom({}, { purpose: 'a' }, { purpose: 'b', usage: null }),
    },
    { requiredKeys: [] },
  )
  .map((some) => JSON.parse(JSON.stringify({ ...ODPS, ...some })))

test('diff › is empty if and only if both documents mean the same', () => {
  fc.assert(
    fc.property(documents, documents, fc.boolean(), (one, other, isSelf) => {
      const [before, after] = [
        readProduct(one),
        readProduct(isSelf ? { ...one, tags: one['tags'] ?? [] } : other),
      ]
      const changes = diffDataProducts(before, after)
      assert.equal(changes.length === 0, before.canonical === after.canonical)
      assert.deepEqual(diffDataProducts(before, before), [])
      for (const { level, message, path } of changes) {
        assert.ok(['breaking', 'additive', 'wording'].includes(level))
        assert.match(message, /^\S.*\.$/s)
        assert.ok(path === '' || path.startsWith('/'))
      }
    }),
    { seed: 1, numRuns: 400 },
  )
})

function reverseSets(document: ObjectValue): ObjectValue {
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [
      name,
      ['tags', 'outputPorts', 'inputPorts'].includes(name) && Array.isArray(value)
        ? value.toReversed()
        : value,
    ]),
  )
}

function describeChanges(changes: Change[]): string[] {
  return changes.map(({ level, kind, message }) => `${level} ${kind} ${message}`).toSorted()
}

test('diff › does not depend on the order of sets', () => {
  fc.assert(
    fc.property(documents, documents, (one, other) => {
      assert.deepEqual(
        describeChanges(diffProducts(reverseSets(one), reverseSets(other))),
        describeChanges(diffProducts(one, other)),
      )
    }),
    { seed: 1, numRuns: 150 },
  )
})
