import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { createNameFilter, type NameGlobs } from '../../../formats/name/name-filter.ts'
import { setAllTicks, setTick } from './scope-ticks.ts'

const ALL: NameGlobs = { include: [], exclude: [] }

describe('a tick', () => {
  test('is an exclusion of one name as long as everything else is included', () => {
    const without = setTick(ALL, 'crm', false)
    assert.deepEqual(without, { include: [], exclude: ['crm'] })
    assert.deepEqual(setTick(without, 'crm', true), ALL)
  })

  test('keeps patterns, and names an exception from them', () => {
    const patterns = { include: ['sales*'], exclude: ['*_old'] }
    assert.deepEqual(setTick(patterns, 'crm', true).include, ['sales*', 'crm'])
    assert.deepEqual(setTick(patterns, 'sales_old', true).include, ['sales*', 'sales_old'])
    assert.deepEqual(setTick(patterns, 'sales_eu', false).exclude, ['*_old', 'sales_eu'])
  })

  test('includes a name that a pattern excludes without excluding the others', () => {
    const globs = setTick({ include: [], exclude: ['tmp_*'] }, 'tmp_keep', true)
    const isIncluded = createNameFilter(globs)
    assert.deepEqual(['tmp_keep', 'tmp_other', 'crm'].map(isIncluded), [true, false, true])
  })

  test('that takes the last name away includes nothing, rather than everything', () => {
    const globs = setTick({ include: ['crm'], exclude: [] }, 'crm', false)
    assert.deepEqual(['crm', 'other'].map(createNameFilter(globs)), [false, false])
    assert.deepEqual(['crm', 'other'].map(createNameFilter(setTick(globs, 'crm', true))), [
      true,
      false,
    ])
  })

  const names = ['a', 'ab', 'b', 'tmp_a']
  const globs = fc.uniqueArray(fc.constantFrom(...names, '*', 'a*', '?', 'tmp_*'), { maxLength: 4 })

  test('decides about its name and about no other', () => {
    const given = fc.record({ include: globs, exclude: globs })
    fc.assert(
      fc.property(given, fc.constantFrom(...names), fc.boolean(), (before, name, isTicked) => {
        const after = createNameFilter(setTick(before, name, isTicked))
        assert.equal(after(name), isTicked)
        for (const other of names) {
          if (other === name) continue
          assert.equal(after(other), createNameFilter(before)(other), `${other} changed`)
        }
      }),
    )
  })
})

test('setAllTicks › ticks or unticks all names', () => {
  assert.deepEqual(setAllTicks(ALL, ['a', 'b'], false), { include: [], exclude: ['a', 'b'] })
  assert.deepEqual(setAllTicks({ include: [], exclude: ['a', 'b'] }, ['a', 'b'], true), ALL)
})
