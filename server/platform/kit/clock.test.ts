import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCalendarDate, parseInstant } from './clock.ts'

test('isCalendarDate › accepts calendar dates', () => {
  for (const date of ['2026-12-31', '2028-02-29', '2000-02-29', '0001-01-01', '9999-12-31']) {
    assert.equal(isCalendarDate(date), true, date)
  }
})

test('isCalendarDate › rejects everything else', () => {
  for (const text of [
    '2026-02-30',
    '2027-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-01-00',
    '0000-01-01',
    '2026-1-1',
    '20260101',
    '+002026-01-01',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '',
  ]) {
    assert.equal(isCalendarDate(text), false, text)
  }
})

test('parseInstant › accepts any offset, and drops what is below a microsecond', () => {
  for (const [text, instant] of [
    ['2026-12-31T23:59:59Z', '2026-12-31T23:59:59Z'],
    ['2026-12-31T23:59:59.1234567+01:00', '2026-12-31T22:59:59.123456Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ] as const) {
    assert.equal(parseInstant(text), instant)
  }
})

test('parseInstant › rejects everything else', () => {
  for (const text of [
    '2026-02-30T00:00:00Z',
    '2026-12-31T23:59:59',
    '2026-12-31',
    '+012026-12-31T00:00:00Z',
    '0000-12-31T00:00:00Z',
    'now',
    '',
  ]) {
    assert.equal(parseInstant(text), undefined, text)
  }
})
