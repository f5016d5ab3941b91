/** Differences of official examples, of their mutations, and of generated contracts. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { mutations } from '../../test/document-mutations.ts'
import { standardsFor } from '../../test/standards.ts'
import { odcsFromDcs } from '../data-contract/convert/convert.ts'
import { readText } from '../text/text.ts'
import { getField, type Value, valueAt } from '../text/value.ts'
import { diffDataContracts } from './contract.ts'
import { type Change } from './level.ts'
import { ODCS, parseContract, readContract } from '../../test/contract-versions.ts'

// Every readable document, with one position changed.
for (const kind of ['odcs', 'dcs'] as const) {
  test(`${kind} › reports no change of official examples and their mutations if and only if both mean the same`, (context) => {
    const files = standardsFor(context, kind)?.filter(({ name }) => name.endsWith('.yaml')) ?? []
    for (const { name, text } of files) {
      const source = readText(text, 'application/yaml')
      assert.ok(source.ok, name)
      const document = source.value
      const original = parseContract(document)
      if (original?.ok !== true) continue
      assert.deepEqual(diffDataContracts(original, original), [], name)
      const property = fc.property(mutations(document), mutations(document), (one, other) => {
        const [before, after] = [parseContract(one), parseContract(other)]
        if (before?.ok !== true || after?.ok !== true) return
        for (const [a, b] of [
          [original, after],
          [before, after],
        ] as const) {
          const changes = diffDataContracts(a, b)
          const isEqual = a.canonical === b.canonical && a.contract.format === b.contract.format
          assert.equal(changes.length === 0, isEqual, `${name}: ${JSON.stringify(changes)}`)
          for (const change of changes) checkChange(change, a.value, b.value)
        }
      })
      fc.assert(property, { seed: 5, numRuns: 15 })
    }
  })
}

test('dcs › the ODCS form of every official example means the same', (context) => {
  for (const { name, text } of standardsFor(context, 'dcs') ?? []) {
    if (!name.endsWith('.yaml')) continue
    const source = readText(text, 'application/yaml')
    assert.ok(source.ok, name)
    const original = parseContract(source.value)
    if (original?.ok !== true) continue
    const converted = readContract(odcsFromDcs(source.value, original.contract.id))
    for (const changes of [
      diffDataContracts(original, converted),
      diffDataContracts(converted, original),
    ]) {
      assert.deepEqual(
        changes.map(({ level, path }) => `${level} ${path}`),
        ['wording '],
        name,
      )
    }
  }
})

function checkChange({ path, after: now, message }: Change, before: Value, after: Value): void {
  assert.match(message, /^\S[^]*\.$/)
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const leads = (value: Value) => {
    let here: Value | undefined = value
    for (const step of steps) {
      here = Array.isArray(here) ? here[Number(step)] : getField(here, step)
    }
    return here !== undefined
  }
  // A value without content may be absent.
  if (now === null) assert.ok(leads(before) || leads(after), `${path}: ${message}`)
  else assert.ok(leads(after), `${path}: ${message}`)
}

const leaf = fc.constantFrom<Value>('a', 'b', '', null, 1, true)
const property = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c', '__proto__'),
    logicalType: fc.constantFrom('string', 'integer', 'array', 'object'),
    physicalType: fc.constantFrom('int', 'int4', 'varchar(5)', 'varchar(9)', 'odd'),
    required: fc.boolean(),
    businessName: leaf,
    description: leaf,
    tags: fc.array(fc.constantFrom('s', 't'), { maxLength: 2 }),
    primaryKey: fc.boolean(),
    logicalTypeOptions: fc.constantFrom({}, { maxLength: 3 }, { maxLength: 4, multipleOf: 2 }),
    quality: fc.constantFrom([], [{ metric: 'nullValues', mustBe: 0 }]),
    properties: fc.constantFrom([], [{ name: 'n' }], [{ name: 'm' }, { name: 'n' }]),
    items: fc.constantFrom({ logicalType: 'string' }, { logicalType: 'integer' }),
  },
  { requiredKeys: ['name'] },
)
const documents: fc.Arbitrary<Value> = fc
  .record(
    {
      schema: fc.array(
        fc.record(
          {
            name: fc.constantFrom('m', 'n', 'o'),
            properties: fc.array(property, { maxLength: 3 }),
            physicalName: leaf,
            extra: leaf,
          },
          { requiredKeys: ['name'] },
        ),
        { maxLength: 3 },
      ),
      servers: fc.array(
        fc.record({
          server: fc.constantFrom('s', 't'),
          type: fc.constant('kafka'),
          host: fc.constantFrom('h', 'i'),
        }),
        { maxLength: 2 },
      ),
      slaProperties: fc.array(
        fc.record({
          property: fc.constantFrom('latency', 'x'),
          value: leaf,
          unit: fc.constantFrom('h', 'd'),
        }),
        { maxLength: 2 },
      ),
      tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }),
      unknown: leaf,
    },
    { requiredKeys: [] },
  )
  .map((some) => JSON.parse(JSON.stringify({ ...ODCS, ...some })))

function renamesIn(changes: readonly Change[]): number {
  return changes.filter(({ kind, path }) => kind === 'renamed' && !path.includes('quality')).length
}

test('generated contracts › reports no change if and only if both mean the same', () => {
  fc.assert(
    fc.property(documents, documents, fc.boolean(), (one, other, isSelf) => {
      const [before, after] = [parseContract(one), parseContract(isSelf ? one : other)]
      if (before?.ok !== true || after?.ok !== true) return
      const changes = diffDataContracts(before, after)
      assert.equal(changes.length === 0, before.canonical === after.canonical)
      for (const change of changes) checkChange(change, before.value, after.value)
      const back = diffDataContracts(after, before)
      assert.equal(renamesIn(back), renamesIn(changes))
    }),
    { seed: 6, numRuns: 100 },
  )
})

test('generated contracts › the order of unordered parts is ignored', () => {
  fc.assert(
    fc.property(documents, (one) => {
      const before = parseContract(one)
      if (before?.ok !== true) return
      const turn = (name: string): [string, Value] => {
        const list = valueAt(one, [name])
        return [name, Array.isArray(list) ? list.toReversed() : (list ?? null)]
      }
      const names = Object.keys(before.value ?? {}).toReversed()
      const sets = new Set(['tags', 'servers', 'slaProperties'])
      const reversed = names.map((name): [string, Value] =>
        sets.has(name) ? turn(name) : [name, valueAt(one, [name]) ?? null],
      )
      assert.deepEqual(diffDataContracts(before, readContract(Object.fromEntries(reversed))), [])
    }),
    { seed: 7, numRuns: 100 },
  )
})
