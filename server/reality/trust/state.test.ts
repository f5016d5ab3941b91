import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findSignalAt } from '../../ledger/trust/signal.ts'
import { judgeOverTime, listNextChanges, toPortPrefix, toPortSubject } from './state.ts'

describe('judgeOverTime', () => {
  test('keeps the signals that differ from the one before, and each holds from its time on', () => {
    const times = judgeOverTime(0, [10, 20, 30], (ms) => ({
      state: 'neutral' as const,
      word: ms < 20 ? 'a' : 'b',
    }))
    assert.deepEqual(
      times.map(({ from, word }) => [from, word]),
      [
        [null, 'a'],
        ['1970-01-01T00:00:00.020Z', 'b'],
      ],
    )
    assert.deepEqual(
      [0, 19, 20, 1000].map((ms) => findSignalAt(times, ms)?.word),
      ['a', 'a', 'b', 'b'],
    )
    assert.equal(findSignalAt(undefined, 0), undefined)
  })

  test('is limited', () => {
    const many = Array.from({ length: 1000 }, (_, n) => n)
    assert.equal(judgeOverTime(0, many, (word) => ({ word })).length, 12)
    assert.equal(listNextChanges(0, many).length, 100)
  })
})

test('listNextChanges › in order, once, after now, in years that have four digits', () => {
  const odd = [5, 9, 7, 7, 3, Infinity, Number.NaN, Date.parse('9999-12-31T23:59:59Z') + 1]
  assert.deepEqual(listNextChanges(5, odd), [7, 9])
})

test('toPortSubject › keys of one data product are between its prefix and the next character', () => {
  const id = 'a"],[1\\'
  for (const position of [1, 10, 100]) {
    const subject = toPortSubject(id, position)
    assert.ok(subject > `${toPortPrefix(id)}0` && subject < `${toPortPrefix(id)}:`)
  }
  assert.ok(!toPortSubject('a', 1).startsWith(toPortPrefix('')))
})
