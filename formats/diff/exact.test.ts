import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ExactNumber, type Value } from '../text/value.ts'
import { compareValues } from './exact.ts'

const exact = (text: string) => new ExactNumber(text)

test('compareValues › distinguishes long numbers by their last digit', () => {
  const [one, other] = [exact('12345678901234567890.1'), exact('12345678901234567890.2')]
  assert.equal(compareValues(one, other), -1)
  assert.equal(compareValues(other, one), 1)
  assert.equal(compareValues(one, exact('1234567890123456789009e-2')), 1)
  assert.equal(compareValues(one, exact('123456789012345678901e-1')), 0)
})

test('compareValues › orders negative numbers, zero and positive numbers', () => {
  const [small, big] = [exact('1e-400'), exact('123456789012345678901')]
  assert.equal(compareValues(0, small), -1)
  assert.equal(compareValues(exact('-1e-400'), 0), -1)
  assert.equal(compareValues(exact('-123456789012345678901'), exact('-123456789012345678902')), 1)
  assert.equal(compareValues(exact('0.000'), 0), 0)
  assert.equal(compareValues(exact('-0.0'), 0), 0)
  assert.equal(compareValues(big, small), 1)
})

test('compareValues › does not expand large exponents', () => {
  const [one, other] = [exact(`1e-${'9'.repeat(300)}`), exact(`1e-${'9'.repeat(299)}8`)]
  assert.equal(compareValues(one, other), -1)
})

test('compareValues › ignores the notation of a number', () => {
  const whole = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
  const power = fc.integer({ min: -30, max: 30 })
  fc.assert(
    fc.property(whole, power, whole, power, (a, m, b, n) => {
      const [one, other] = [a * 10n ** BigInt(m + 30), b * 10n ** BigInt(n + 30)]
      const expected = one === other ? 0 : one < other ? -1 : 1
      const order = compareValues(exact(`${a}e${m}`), exact(`${b}e${n}`)) ?? Number.NaN
      assert.equal(Math.sign(order), expected)
    }),
    { seed: 11, numRuns: 500 },
  )
})

test('compareValues › orders instants in any zone, and other moments only in the same notation', () => {
  const cases: [Value, Value, number | undefined][] = [
    ['2026-01-01', '2026-01-02', -1],
    ['2026-01-01T10:00:00Z', '2026-01-01T09:59:59Z', 1],
    ['10:00', '09:00', 1],
    ['a', 'a', 0],
    ['a', 'b', undefined],
    ['', '2026-01-01', undefined],
    ['2026-01-01', '2026-01-01T00:00:00Z', undefined],
    ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00+01:00', 1],
    ['2026-01-01T10:00:00+0200', '2026-01-01T08:00Z', 0],
    ['2026-01-01T10:00:00.000000001Z', '2026-01-01T10:00:00.000Z', 1],
    ['2026-01-01T10:00:00.1Z', '2026-01-01T11:00:00.10+01:00', 0],
    ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00', undefined],
    ['2026-13-01T10:00:00Z', '2026-12-01T10:00:00+01:00', undefined],
    ['10:00Z', '11:00+01:00', undefined],
    ['1', 1, undefined],
    [null, null, undefined],
    [[1], [1], undefined],
  ]
  for (const [a, b, order] of cases) {
    assert.equal(compareValues(a, b), order, JSON.stringify([a, b]))
  }
})
