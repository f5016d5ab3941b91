/** The levels of changes of data products: every rule at its position, and decisions by example. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type ObjectValue, type Value } from '../text/value.ts'
import { highestLevel, type Level } from './diff.ts'
import { type ChangeKind, DPS_RULES, getLevel, ODPS_RULES, OTHERWISE } from './level.ts'
import { ODPS, DPS, diffProducts } from '../../test/product-versions.ts'

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
    const [one, two] = rule.variable === true ? ['${A}', '${B:-x}'] : valuesFor(place)
    const cases: [ChangeKind, Value | undefined, Value | undefined][] =
      rule.to === undefined
        ? [
            ['added', undefined, one],
            ['removed', one, undefined],
            ['changed', one, two],
          ]
        : [
            ['added', undefined, rule.to],
            ['changed', one, ` ${rule.to.toUpperCase()} `],
          ]
    for (const [kind, before, after] of cases) {
      if (IMPOSSIBLE.has(`${rule.path} ${kind}`)) continue
      if (place.at(-1) === '*' && place.length === 2 && kind === 'changed') continue
      // A DPS port with two different owner fields would contradict itself.
      const values = rule.path === 'teamId' ? [before && 't', after && 't'] : [before, after]
      const target =
        rule.to === undefined ? (rule.variable ? ' by a variable' : '') : ` to ${rule.to}`
      test(`${name} › ${rule.path} ${kind}${target} is ${getLevel(rule, kind)}`, () => {
        const changes = diffProducts(
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
    const changes = diffProducts({ ...ODPS, ...before }, { ...ODPS, ...after })
    assert.equal(highestLevel(changes), level, JSON.stringify(changes))
  })
}
