import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHANGES_MAX, countOutlineMarks, listChangedFields } from './outline-marks.ts'
import { findSection, SOURCE_ONLY } from './outline-parts.ts'

const SECTIONS = [
  { id: 'basics', paths: [['name'], ['team', 'name']] },
  { id: 'people', paths: [['team', 'members']] },
  { id: 'models', paths: [['schema']] },
]

const error = (field: string) => ({ severity: 'error' as const, field })

describe('countOutlineMarks', () => {
  test('problems and changes belong to the section with the nearest path', () => {
    const problems = [error('schema[0].name'), { severity: 'warning' as const, field: 'schema' }]
    const base = { name: 'a', schema: [{ name: 'x' }], other: 1 }
    const value = { name: 'b', schema: [{ name: '' }], other: 2 }
    const marks = countOutlineMarks(SECTIONS, problems, base, value)
    assert.deepEqual(Object.fromEntries(marks), {
      models: {
        error: { count: 1, firstField: 'schema[0].name' },
        warning: { count: 1, firstField: 'schema' },
        change: { count: 1, firstField: 'schema[0].name' },
      },
      basics: { change: { count: 1, firstField: 'name' } },
      [SOURCE_ONLY]: { change: { count: 1, firstField: 'other' } },
    })
  })

  test('a problem of the object around a section belongs to its first section', () => {
    assert.deepEqual(
      [...countOutlineMarks(SECTIONS, [error('team')], undefined, {}).keys()],
      ['basics'],
    )
  })

  test('a name that only begins like a section is not in it', () => {
    const marks = countOutlineMarks(SECTIONS, [error('schemaVersion'), error('')], undefined, {})
    assert.deepEqual([...marks.keys()], [SOURCE_ONLY])
  })

  test('the first of several errors is the one to go to', () => {
    const problems = [error('schema[1].name'), error('schema[2].name')]
    const marks = countOutlineMarks(SECTIONS, problems, undefined, {})
    assert.deepEqual(marks.get('models')?.error, { count: 2, firstField: 'schema[1].name' })
  })

  test('a new document has no changes', () => {
    assert.equal(countOutlineMarks(SECTIONS, [], undefined, { name: 'new' }).size, 0)
  })
})

describe('listChangedFields', () => {
  test('an item that is inserted in front is one change', () => {
    const before = { schema: [{ name: 'a' }, { name: 'b' }] }
    const after = { schema: [{ name: 'new' }, { name: 'a' }, { name: 'b' }] }
    assert.deepEqual(listChangedFields(before, after), ['schema[0]'])
    assert.deepEqual(listChangedFields(after, before), ['schema[0]'])
  })

  test('a removed object is one change, and a changed item one for each value', () => {
    const before = { price: { amount: 1, unit: 'EUR' }, list: [{ a: 1, b: 2 }, 'end'] }
    const after = { list: [{ a: 2, b: 3 }, 'end'] }
    assert.deepEqual(listChangedFields(before, after), ['price', 'list[0].a', 'list[0].b'])
  })

  test('null, absent and empty values differ; names of prototypes are names', () => {
    const after = Object.fromEntries([
      ['a', null],
      ['constructor', 'x'],
    ])
    assert.deepEqual(listChangedFields({ a: '' }, after), ['a', 'constructor'])
    assert.deepEqual(listChangedFields({}, { a: null }), ['a'])
    assert.deepEqual(listChangedFields([{ a: 1 }], [{ a: 1 }]), [])
  })

  test('ends after the maximum', () => {
    const many = Array.from({ length: 5000 }, (_, at) => at)
    const others = many.map((one) => one + 10_000)
    assert.equal(listChangedFields(many, others).length, CHANGES_MAX + 1)
  })
})

describe('findSection', () => {
  test('finds the section of a field, and none for what only the source has', () => {
    assert.equal(findSection(SECTIONS, 'team.members[0].name'), 'people')
    assert.equal(findSection(SECTIONS, 'team.name'), 'basics')
    assert.equal(findSection(SECTIONS, 'tenant'), undefined)
  })
})
