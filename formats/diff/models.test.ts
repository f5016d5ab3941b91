import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { assertSoon } from '../../test/specification.ts'
import { modelArbitrary } from '../../test/model-arbitrary.ts'
import type { Field, Model } from '../schema/model.ts'
import { type Change, highestLevel } from './level.ts'
import { diffModels } from './models.ts'

function field(name: string, more: Partial<Field> = {}): Field {
  return {
    name,
    logicalType: 'string',
    required: false,
    unique: false,
    tags: [],
    references: [],
    quality: [],
    origin: `/${name}`,
    ...more,
  }
}

function model(name: string, fields: Field[], more: Partial<Model> = {}): Model {
  const origin = `/models/${name}`
  return { name, kind: 'table', fields, primaryKey: [], quality: [], tags: [], origin, ...more }
}

function lines(before: readonly Model[], after: readonly Model[]): string[] {
  return diffModels(before, after).map(({ level, kind, path }) => `${level} ${kind} ${path}`)
}

const id = field('id', { logicalType: 'integer', required: true })
const total = field('total', { logicalType: 'number' })

test('diffModels › a longer varchar is reported once, although its length appears twice', () => {
  const before = field('a', { physicalType: 'varchar(10)', maxLength: 10 })
  const after = field('a', { physicalType: 'varchar(20)', maxLength: 20 })
  assert.deepEqual(diffModels([model('m', [before])], [model('m', [after])]), [
    {
      path: '/a',
      kind: 'changed',
      level: 'breaking',
      before: 'varchar(10)',
      after: 'varchar(20)',
      message:
        'Field m.a: type changed from varchar(10) to varchar(20); the new type allows values that the old one did not.',
    },
  ])
})

test('diffModels › a separate length is reported separately', () => {
  const before = field('a', { physicalType: 'varchar(20)', maxLength: 10 })
  const after = field('a', { physicalType: 'varchar(20)', maxLength: 12 })
  assert.deepEqual(lines([model('m', [before])], [model('m', [after])]), ['breaking changed /a'])
})

test('diffModels › a field that only differs in its name was renamed', () => {
  const renamed = { ...id, name: 'key', origin: '/key' }
  const [change] = diffModels([model('m', [id, total])], [model('m', [renamed, total])])
  assert.deepEqual(change, {
    path: '/key',
    kind: 'renamed',
    level: 'breaking',
    before: 'id',
    after: 'key',
    message: 'Field m.id was renamed to key; consumers that use the old name fail.',
  })
})

test('diffModels › fields that are ambiguous or have other changes were not renamed', () => {
  const [a, b, c] = [field('a'), field('b'), field('c')]
  assert.deepEqual(lines([model('m', [a, b])], [model('m', [c])]), [
    'breaking removed /a',
    'breaking removed /b',
    'additive added /c',
  ])
  const other = field('b', { maxLength: 5 })
  assert.deepEqual(lines([model('m', [a])], [model('m', [other])]), [
    'breaking removed /a',
    'additive added /b',
  ])
})

test('diffModels › a renamed field stays in the primary key', () => {
  const renamed = { ...id, name: 'key', origin: '/key' }
  const before = model('m', [id, total], { primaryKey: ['id'] })
  const after = model('m', [renamed, total], { primaryKey: ['key'] })
  assert.deepEqual(lines([before], [after]), ['breaking renamed /key'])
})

test('diffModels › a renamed or moved model is reported once', () => {
  const before = [model('orders', [id]), model('other', [total])]
  assert.deepEqual(lines(before, [model('sales', [id]), model('other', [total])]), [
    'breaking renamed /models/sales',
  ])
  assert.deepEqual(lines(before, before.toReversed()), [])
})

test('diffModels › a changed order of fields is one change of a model', () => {
  const [a, b, c] = [field('a'), field('b'), field('c', { logicalType: 'date' })]
  assert.deepEqual(lines([model('m', [a, b, c])], [model('m', [c, b, a])]), [
    'wording changed /models/m',
  ])
  assert.deepEqual(lines([model('m', [a, b, c])], [model('m', [a, c])]), ['breaking removed /b'])
})

test('diffModels › the path of a removed member points into the older version', () => {
  const gone = field('gone', { origin: '/older/3' })
  const kept = (at: number) => field('kept', { origin: `/f/${at}`, required: at === 1 })
  assert.deepEqual(lines([model('m', [gone, kept(1)])], [model('m', [kept(0)])]), [
    'breaking changed /f/0',
    'breaking removed /older/3',
  ])
})

const nestDeep = (type: 'integer' | 'number') => {
  const lines = field('items', {
    logicalType: 'object',
    fields: [field('n', { logicalType: type })],
  })
  return model('m', [field('lines', { logicalType: 'array', items: lines })])
}

test('diffModels › names the path of a nested field', () => {
  const messages = diffModels([nestDeep('integer')], [nestDeep('number')]).map(
    ({ message }) => message,
  )
  assert.deepEqual(messages, [
    'Field m.lines[].n: type changed from integer to number; the new type allows values that the old one did not.',
  ])
})

const structure = (physicalType: string, part: string) => {
  const a = field('a', { logicalType: 'integer', physicalType: part })
  return model('m', [field('s', { logicalType: 'object', physicalType, fields: [a] })])
}

test('diffModels › a widened part of a structure is reported only at the part', () => {
  assert.deepEqual(
    lines([structure('struct<a:int>', 'int')], [structure('struct<a:bigint>', 'bigint')]),
    ['breaking changed /a'],
  )
})

const named = (name: string) => model(name, [field('__proto__'), field('constructor')])

test('diffModels › names of built-in properties are treated like any other', () => {
  assert.deepEqual(lines([named('__proto__')], [named('__proto__')]), [])
  assert.deepEqual(lines([named('toString')], [named('__proto__')]), [
    'breaking renamed /models/__proto__',
  ])
})

const models = fc.array(modelArbitrary(), { maxLength: 3 })

const OPPOSITE: ReadonlyMap<string, string> = new Map([
  ['added', 'removed'],
  ['removed', 'added'],
])

function whole(changes: readonly Change[], isTurned: boolean): string[] {
  return changes
    .filter(({ message }) => /^(Model|Field) \S+ was (added|removed)/.test(message))
    .map(({ kind, message }) => {
      const name = message.split(' was ')[0] ?? ''
      return `${isTurned ? OPPOSITE.get(kind) : kind} ${name}`
    })
    .toSorted()
}

test('diffModels › additions are removals in reverse, and equal models have no changes', () => {
  fc.assert(
    fc.property(models, models, (before, after) => {
      assert.deepEqual(diffModels(before, before), [])
      assert.deepEqual(
        whole(diffModels(before, after), false),
        whole(diffModels(after, before), true),
      )
    }),
    { seed: 3, numRuns: 100 },
  )
})

const MUTATIONS: { what: string; level: string; change: (one: Field) => Field }[] = [
  {
    what: 'a longer description',
    level: 'wording',
    change: (one) => ({ ...one, description: `${one.description ?? ''}!` }),
  },
  { what: 'required', level: 'additive', change: (one) => ({ ...one, required: true }) },
  { what: 'unique', level: 'additive', change: (one) => ({ ...one, unique: true }) },
  {
    what: 'a first reference',
    level: 'additive',
    change: (one) => ({ ...one, references: [...one.references, 'x.y'] }),
  },
  {
    what: 'another type',
    level: 'breaking',
    change: (one) => ({
      ...one,
      logicalType: one.logicalType === 'boolean' ? 'date' : 'boolean',
      physicalType: 'odd',
    }),
  },
]

test('diffModels › one change of one field has the same level in any model', () => {
  fc.assert(
    fc.property(
      modelArbitrary({ keys: false, unknowns: false }),
      fc.constantFrom(...MUTATIONS),
      fc.nat(),
      (whole, { what, level, change }, pick) => {
        const at = pick % Math.max(whole.fields.length, 1)
        const old = whole.fields[at]
        fc.pre(old !== undefined && !(what === 'required' && old.required))
        const fields = whole.fields.map((one, place) => (place === at ? change(one) : one))
        const changes = diffModels([whole], [{ ...whole, fields }])
        assert.equal(highestLevel(changes), level, `${what}: ${JSON.stringify(changes)}`)
        fc.pre(what !== 'another type')
        assert.equal(changes.length, 1, JSON.stringify(changes))
        // A stricter promise is a weaker one in reverse.
        const back = highestLevel(diffModels([{ ...whole, fields }], [whole]))
        assert.equal(back, level === 'additive' ? 'breaking' : level)
      },
    ),
    { seed: 4, numRuns: 100 },
  )
})

const many = (mark: string) =>
  model(
    'm',
    Array.from({ length: 40_000 }, (_, at) => field(`${mark}${at}`)),
  )

test('diffModels › forty thousand renamed fields are not compared pairwise', () => {
  const [before, after] = [many('a'), many('b')]
  assertSoon(() => assert.equal(diffModels([before], [after]).length, 80_000))
})
