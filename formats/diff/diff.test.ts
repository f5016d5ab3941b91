import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { odpsFromDps } from '../data-product/convert.ts'
import { readDataProduct } from '../data-product/read.ts'
import { readText } from '../text/text.ts'
import { isObject, jsonText, type ObjectValue, type Value } from '../text/value.ts'
import { type Change, diffDataProducts, highestLevel, type Level } from './diff.ts'
import { type ChangeKind, DPS_RULES, getLevel, ODPS_RULES, OTHERWISE, ruleFor } from './level.ts'

const ODPS = { apiVersion: 'v1.1.0', kind: 'DataProduct', id: 'x', name: 'X', team: { name: 't' } }
const DPS = { id: 'x', info: { title: 'X', owner: 't' } }

function read(value: Value) {
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok, JSON.stringify(source))
  const reading = readDataProduct(source, { id: 'x', strict: false })
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading
}

function diff(before: Value, after: Value): Change[] {
  return diffDataProducts(read(before), read(after))
}

function lines(before: Value, after: Value): string[] {
  return diff(before, after).map(({ level, kind, path }) => `${level} ${kind} ${path}`)
}

// Builds a document with one value at the position of a rule: in a list of ports as its only port, in a list of
// custom properties under its name.
function documentWith(
  base: ObjectValue,
  place: readonly string[],
  value: Value | undefined,
): ObjectValue {
  const [step, ...rest] = place
  if (step === undefined) return base
  const inside = rest.length === 0 ? value : nested(step, rest, value, base[step])
  return inside === undefined ? base : { ...base, [step]: inside }
}

function nested(
  step: string,
  rest: readonly string[],
  value: Value | undefined,
  old: Value | undefined,
): Value {
  const [next = '', ...more] = rest
  if (step === 'customProperties') {
    const inner = more.length === 0 ? value : documentWith({ kept: 'k' }, ['leaf'], value)
    return inner === undefined ? [] : [{ property: next, value: inner }]
  }
  if (next === '*' && step !== 'server') {
    const name: ObjectValue =
      step === 'managementPorts' ? { name: 'p', content: 'c' } : { id: 'p', name: 'p' }
    if (more.length === 0) return value === undefined ? [] : [name]
    const others = Object.entries(name).filter(
      ([field_]) => value !== undefined || field_ !== more[0],
    )
    return [documentWith(Object.fromEntries(others), more, value)]
  }
  return documentWith(isObject(old) ? old : { kept: 'k' }, next === '*' ? ['leaf'] : rest, value)
}

function valuesFor(place: readonly string[]): [Value, Value] {
  const last = place.at(-1) ?? ''
  if (
    ['deprecated', 'containsPii', 'autoApprove'].includes(last) &&
    !place.includes('customProperties')
  )
    return [true, false]
  if (last === 'server' && !place.includes('customProperties')) return [{ a: 'b' }, { a: 'c' }]
  if (last === 'inputContracts') return [[{ id: 'a', version: '1' }], [{ id: 'b', version: '1' }]]
  if (last === 'sbom') return [[{ url: 'https://a.b' }], [{ url: 'https://a.c' }]]
  if (last === 'url') return ['https://a.b', 'https://a.c']
  return ['one', 'two']
}

const FORMATS = [
  { name: 'ODPS', base: ODPS, rules: ODPS_RULES },
  { name: 'DPS', base: DPS, rules: DPS_RULES },
]

// Positions that always have a value, or whose change results in another port, have no such case.
const IMPOSSIBLE = new Set([
  'team.name added',
  'team.name removed',
  'info.owner added',
  'info.owner removed',
  'teamId changed',
  'outputPorts.*.version changed',
  'inputPorts.*.version changed',
])

for (const { name, base, rules } of FORMATS) {
  for (const rule of rules) {
    if (rule === OTHERWISE) continue
    const place = rule.path.split('.')
    const [one, two] = valuesFor(place)
    const cases: [ChangeKind, Value | undefined, Value | undefined][] = [
      ['added', undefined, one],
      ['removed', one, undefined],
      ['changed', one, two],
    ]
    for (const [kind, before, after] of cases) {
      if (IMPOSSIBLE.has(`${rule.path} ${kind}`)) continue
      if (place.at(-1) === '*' && place.length === 2 && kind === 'changed') continue
      // A DPS port with two different owner fields would contradict itself.
      const values = rule.path === 'teamId' ? [before && 't', after && 't'] : [before, after]
      test(`${name} › ${rule.path} ${kind} is ${getLevel(rule, kind)}`, () => {
        const changes = diff(
          documentWith(base, place, values[0]),
          documentWith(base, place, values[1]),
        )
        const levels = changes.map((change) => `${change.kind} ${change.level}`)
        assert.deepEqual(
          [...new Set(levels)],
          [`${kind} ${getLevel(rule, kind)}`],
          JSON.stringify(changes),
        )
      })
    }
  }
}

// The levels that the guide documents, case by case, to detect mistakes in the table of decisions.
const port = { name: 'orders', version: '1.0.0', contractId: 'c', type: 'tables' }
const custom = (property: string, value: Value) => ({ customProperties: [{ property, value }] })
const DECISIONS: { what: string; level: Level; before: ObjectValue; after: ObjectValue }[] = [
  {
    what: 'output port removed',
    level: 'breaking',
    before: { outputPorts: [port] },
    after: { outputPorts: [] },
  },
  { what: 'output port added', level: 'additive', before: {}, after: { outputPorts: [port] } },
  {
    what: 'output port renamed',
    level: 'breaking',
    before: { outputPorts: [port] },
    after: { outputPorts: [{ ...port, name: 'new' }] },
  },
  {
    what: 'output port with a different version',
    level: 'breaking',
    before: { outputPorts: [port] },
    after: { outputPorts: [{ ...port, version: '2.0.0' }] },
  },
  {
    what: 'second version of an output port',
    level: 'additive',
    before: { outputPorts: [port] },
    after: { outputPorts: [port, { ...port, version: '2.0.0' }] },
  },
  {
    what: 'version of a port added',
    level: 'wording',
    before: { outputPorts: [{ ...port, version: '' }] },
    after: { outputPorts: [port] },
  },
  {
    what: 'contract of a port changed',
    level: 'breaking',
    before: { outputPorts: [port] },
    after: { outputPorts: [{ ...port, contractId: 'd' }] },
  },
  {
    what: 'contract of a port removed',
    level: 'breaking',
    before: { outputPorts: [port] },
    after: { outputPorts: [{ ...port, contractId: '' }] },
  },
  {
    what: 'first contract of a port',
    level: 'additive',
    before: { outputPorts: [{ name: 'a' }] },
    after: { outputPorts: [{ name: 'a', contractId: 'c' }] },
  },
  {
    what: 'type of a port changed',
    level: 'breaking',
    before: { outputPorts: [port] },
    after: { outputPorts: [{ ...port, type: 'topic' }] },
  },
  {
    what: 'server of a port moved',
    level: 'breaking',
    before: { outputPorts: [{ ...port, ...custom('server', { a: '1' }) }] },
    after: { outputPorts: [{ ...port, ...custom('server', { a: '2' }) }] },
  },
  {
    what: 'server described in more detail',
    level: 'additive',
    before: { outputPorts: [{ ...port, ...custom('server', { a: '1' }) }] },
    after: { outputPorts: [{ ...port, ...custom('server', { a: '1', b: '2' }) }] },
  },
  {
    what: 'location of a port changed',
    level: 'breaking',
    before: { outputPorts: [{ ...port, ...custom('location', 'a') }] },
    after: { outputPorts: [{ ...port, ...custom('location', 'b') }] },
  },
  {
    what: 'status of a port changed',
    level: 'additive',
    before: { outputPorts: [{ ...port, ...custom('status', 'a') }] },
    after: { outputPorts: [{ ...port, ...custom('status', 'b') }] },
  },
  {
    what: 'description of a port changed',
    level: 'wording',
    before: { outputPorts: [port] },
    after: { outputPorts: [{ ...port, description: 'd' }] },
  },
  {
    what: 'display name of a port changed',
    level: 'wording',
    before: { outputPorts: [{ ...port, ...custom('displayName', 'a') }] },
    after: { outputPorts: [{ ...port, ...custom('displayName', 'b') }] },
  },
  { what: 'input port removed', level: 'additive', before: { inputPorts: [port] }, after: {} },
  {
    what: 'input port renamed',
    level: 'additive',
    before: { inputPorts: [{ name: 'a' }] },
    after: { inputPorts: [{ name: 'b' }] },
  },
  {
    what: 'contract of an input port changed',
    level: 'additive',
    before: { inputPorts: [{ name: 'a', contractId: 'c' }] },
    after: { inputPorts: [{ name: 'a', contractId: 'd' }] },
  },
  {
    what: 'status changed',
    level: 'additive',
    before: { status: 'draft' },
    after: { status: 'active' },
  },
  { what: 'owner changed', level: 'additive', before: {}, after: { team: { name: 'u' } } },
  { what: 'domain changed', level: 'additive', before: { domain: 'a' }, after: { domain: 'b' } },
  { what: 'name changed', level: 'wording', before: {}, after: { name: 'Y' } },
  {
    what: 'description changed',
    level: 'wording',
    before: {},
    after: { description: { purpose: 'p' } },
  },
  { what: 'tags changed', level: 'wording', before: { tags: ['a'] }, after: { tags: ['b'] } },
  {
    what: 'links changed',
    level: 'wording',
    before: {},
    after: { authoritativeDefinitions: [{ type: 'a', url: 'https://a.b' }] },
  },
  {
    what: 'contacts changed',
    level: 'wording',
    before: {},
    after: { support: [{ channel: 'c', url: 'https://a.b' }] },
  },
  {
    what: 'members changed',
    level: 'wording',
    before: {},
    after: { team: { name: 't', members: [{ username: 'ada' }] } },
  },
  { what: 'unknown field', level: 'wording', before: {}, after: { color: 'blue' } },
  {
    what: 'null instead of nothing',
    level: 'wording',
    before: { outputPorts: [port] },
    after: { outputPorts: [{ ...port, sbom: null, type: 'tables' }] },
  },
  {
    what: 'order of sets',
    level: 'none',
    before: { tags: ['a', 'b'], outputPorts: [port, { name: 'b' }] },
    after: { tags: ['b', 'a'], outputPorts: [{ name: 'b' }, port] },
  },
]

for (const { what, level, before, after } of DECISIONS) {
  test(`decision › ${what} is ${level}`, () => {
    const changes = diff({ ...ODPS, ...before }, { ...ODPS, ...after })
    assert.equal(highestLevel(changes), level, JSON.stringify(changes))
  })
}

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
  assert.deepEqual(lines(before, after), [
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
    diff(before, after).map(({ message }) => message),
    [
      'status changed from “draft” to “active”.',
      'Output port “orders” version 1: contractId changed from “a” to “b”.',
      'Output port “new” was added.',
      'Custom property “p”: value changed from 1 to 2.',
    ],
  )
})

test('renamed ports › are one change, and other changes are reported too', () => {
  const changes = diff(
    { ...ODPS, outputPorts: [{ id: 'i', name: 'a', version: '1', type: 'x' }] },
    { ...ODPS, outputPorts: [{ id: 'i', name: 'b', version: '1', type: 'y' }] },
  )
  assert.deepEqual(
    changes.map(({ kind, level, message }) => [kind, level, message]),
    [
      ['renamed', 'breaking', 'Output port “a” version 1 was renamed; it is now “b” version 1.'],
      ['changed', 'breaking', 'Output port “b” version 1: type changed from “x” to “y”.'],
    ],
  )
  assert.deepEqual(
    lines(
      { ...DPS, outputPorts: [{ id: 'a', name: 'n', type: 't' }] },
      { ...DPS, outputPorts: [{ id: 'b', name: 'n', type: 't' }] },
    ),
    ['breaking renamed /outputPorts/0'],
  )
})

test('ports › with different versions, or without a distinguishing property, are not matched', () => {
  const versions = (version: string, type: string) => ({
    ...ODPS,
    outputPorts: [{ name: 'a', version, type }],
  })
  assert.deepEqual(lines(versions('1', 'x'), versions('2', 'x')), [
    'breaking renamed /outputPorts/0',
  ])
  assert.deepEqual(lines(versions('1', 'x'), versions('2', 'y')), [
    'breaking removed /outputPorts/0',
    'additive added /outputPorts/0',
  ])
  assert.deepEqual(
    lines(
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
  assert.deepEqual(diff(dps, odpsFromDps(dps, 'x')), [
    {
      path: '',
      kind: 'changed',
      level: 'wording',
      before: 'dps',
      after: 'odps',
      message: 'The document is in ODPS now; it was in DPS.',
    },
  ])
  assert.deepEqual(lines(odpsFromDps(dps, 'x'), dps), ['wording changed '])
  const byHand = {
    ...ODPS,
    apiVersion: 'v1.0.0',
    status: 'active',
    outputPorts: [
      { name: 'p', version: '1.0.0', contractId: 'd', ...custom('server', { a: 'b' }) },
    ],
  }
  assert.deepEqual(
    lines(dps, byHand).filter((line) => !line.startsWith('wording')),
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
        read(one),
        read(isSelf ? { ...one, tags: one['tags'] ?? [] } : other),
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
    { seed: 1, numRuns: 1500 },
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
        describeChanges(diff(reverseSets(one), reverseSets(other))),
        describeChanges(diff(one, other)),
      )
    }),
    { seed: 1, numRuns: 500 },
  )
})
