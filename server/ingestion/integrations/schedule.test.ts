import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTimes, readSchedule, type Schedule } from './schedule.ts'

function createSchedule(expression: string, timeZone = 'UTC'): Schedule {
  const reading = readSchedule(expression, timeZone)
  assert.ok(reading.ok, reading.ok ? '' : reading.message)
  return reading.schedule
}

function times(expression: string, timeZone: string, after: string, count: number): string[] {
  const instants = nextTimes(createSchedule(expression, timeZone), after, count)
  return instants.map((instant) => instant.replace(':00.000000Z', ''))
}

const NIGHT = '2026-07-01T00:00:00.000000Z'
const READ: [expression: string, timeZone: string, first: string, second: string][] = [
  ['0 6 * * *', 'UTC', '2026-07-01T06:00', '2026-07-02T06:00'],
  ['  0   6 * * * ', 'UTC', '2026-07-01T06:00', '2026-07-02T06:00'],
  ['0 6 * * *', 'Europe/Berlin', '2026-07-01T04:00', '2026-07-02T04:00'],
  ['0 6 * * *', 'Asia/Kathmandu', '2026-07-01T00:15', '2026-07-02T00:15'],
  ['0 6 * * *', 'Etc/GMT+5', '2026-07-01T11:00', '2026-07-02T11:00'],
  ['*/15 * * * *', 'UTC', '2026-07-01T00:15', '2026-07-01T00:30'],
  ['*/5 * * * *', 'UTC', '2026-07-01T00:05', '2026-07-01T00:10'],
  ['0 6 * * 0', 'UTC', '2026-07-05T06:00', '2026-07-12T06:00'],
  ['0 6 * * 7', 'UTC', '2026-07-05T06:00', '2026-07-12T06:00'],
  ['0 6 * * MON-FRI', 'UTC', '2026-07-01T06:00', '2026-07-02T06:00'],
  // A day of the month or a day of the week: either matches.
  ['0 6 1 * 5', 'UTC', '2026-07-01T06:00', '2026-07-03T06:00'],
  ['0 0 29 2 *', 'UTC', '2028-02-29T00:00', '2032-02-29T00:00'],
  ['0 0 6 * * ?', 'UTC', '2026-07-01T06:00', '2026-07-02T06:00'],
  ['0 0 6 ? * *', 'UTC', '2026-07-01T06:00', '2026-07-02T06:00'],
  // In Quartz, Sunday is 1.
  ['0 0 6 ? * 1', 'UTC', '2026-07-05T06:00', '2026-07-12T06:00'],
  ['0 0 6 ? * MON', 'UTC', '2026-07-06T06:00', '2026-07-13T06:00'],
  ['0 0/15 * * * ?', 'UTC', '2026-07-01T00:15', '2026-07-01T00:30'],
  ['0 0 6 L * ?', 'UTC', '2026-07-31T06:00', '2026-08-31T06:00'],
  ['0 6 * * *'.padEnd(200), 'UTC', '2026-07-01T06:00', '2026-07-02T06:00'],
  ['0 0 6 ? * 6#3', 'UTC', '2026-07-17T06:00', '2026-08-21T06:00'],
]
for (const [expression, timeZone, first, second] of READ) {
  test(`readSchedule › ${expression.replace(/ {9,}$/, ' and spaces')} in ${timeZone}`, () => {
    assert.deepEqual(times(expression, timeZone, NIGHT, 2), [first, second])
  })
}

const REJECTED: [expression: string, pattern: RegExp][] = [
  ['', /has 5 fields/],
  ['0 6 * *', /has 5 fields/],
  ['0 0 6 * * ? 2027', /^Years are not supported/],
  ['@daily', /invalid characters/],
  ['daily', /has 5 fields/],
  ['61 6 * * *', /Invalid cron expression: Invalid value for minute: 61/],
  ['0 24 * * *', /Invalid cron expression/],
  ['0 6 32 * *', /Invalid cron expression/],
  ['0 6 * * XYZ', /Invalid cron expression/],
  ['0/15 * * * *', /Invalid cron expression/],
  ['0 6 ? * *', /^Use \? only for/],
  ['0 0 ? * * *', /^Use \? only for/],
  ['0 0 6 1? * *', /^Use \? only for/],
  ['0 0 30 2 *', /never fires/],
  ['* * * * *', /less than 5 minutes/],
  ['*/4 * * * *', /less than 5 minutes/],
  // 56 and 0 are 4 minutes apart.
  ['*/7 * * * *', /less than 5 minutes/],
  ['58,0 0,23 * * *', /less than 5 minutes/],
  ['0,1 0 1 1 *', /less than 5 minutes/],
  ['30 * * * * ?', /less than 5 minutes/],
  ['0,30 0 6 * * ?', /less than 5 minutes/],
  ['* 0 6 * * ?', /less than 5 minutes/],
  ['0 6 * * *'.padEnd(201), /200 characters/],
  ['0 6 * * *\n0 7 * * *', /invalid characters/],
]
for (const [expression, pattern] of REJECTED) {
  test(`readSchedule › rejects ${expression.slice(0, 30)}`, () => {
    const reading = readSchedule(expression, 'UTC')
    assert.ok(!reading.ok)
    assert.equal(reading.field, 'scheduleExpression')
    assert.match(reading.message, pattern)
  })
}

for (const timeZone of [
  '',
  'Nowhere/City',
  '+02:00',
  '-01',
  'UTC\n',
  'Europe',
  '1',
  'x'.repeat(999),
]) {
  test(`readSchedule › rejects the time zone ${JSON.stringify(timeZone).slice(0, 30)}`, () => {
    const reading = readSchedule('0 6 * * *', timeZone)
    assert.ok(!reading.ok)
    assert.equal(reading.field, 'timeZone')
  })
}

test('nextTimes › moves a missing time to the end of the gap', () => {
  const before = '2026-03-28T12:00:00Z'
  for (const expression of ['30 2 * * *', '0 30 2 * * ?']) {
    assert.deepEqual(times(expression, 'Europe/Berlin', before, 2), [
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
  }
  assert.deepEqual(times('30 2,14 * * *', 'Europe/Berlin', before, 3), [
    '2026-03-28T13:30',
    '2026-03-29T01:00',
    '2026-03-29T12:30',
  ])
})

test('nextTimes › uses the first of a repeated time', () => {
  const before = '2026-10-24T12:00:00Z'
  for (const expression of ['30 2 * * *', '0 30 2 * * ?']) {
    assert.deepEqual(times(expression, 'Europe/Berlin', before, 2), [
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
  }
  // Also between the two.
  assert.deepEqual(times('30 2 * * *', 'Europe/Berlin', '2026-10-25T00:45:00Z', 1), [
    '2026-10-26T01:30',
  ])
})

test('nextTimes › a period continues through missing and repeated hours', () => {
  assert.deepEqual(times('0 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 2), [
    '2026-03-29T01:00',
    '2026-03-29T02:00',
  ])
  assert.deepEqual(times('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 3), [
    '2026-10-25T00:00',
    '2026-10-25T01:00',
    '2026-10-25T02:00',
  ])
})

test('nextTimes › strictly after the instant, to the microsecond', () => {
  const schedule = createSchedule('0 6 * * *')
  assert.deepEqual(nextTimes(schedule, '2026-07-01T05:59:59.999999Z', 1), [
    '2026-07-01T06:00:00.000000Z',
  ])
  assert.deepEqual(nextTimes(schedule, '2026-07-01T06:00:00.000000Z', 1), [
    '2026-07-02T06:00:00.000000Z',
  ])
})

test('nextTimes › always uses the same second of the minute for an integration', () => {
  const schedule = createSchedule('0 6 * * *')
  const seconds = new Set<string>()
  for (let index = 0; index < 300; index += 1) {
    const id = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`
    const [first = '', second = ''] = nextTimes(schedule, NIGHT, 2, id)
    assert.match(first, /^2026-07-01T06:00:[0-5]\d\.000000Z$/)
    assert.equal(second, first.replace('07-01', '07-02'))
    // From the time itself, and from the last instant before it.
    assert.deepEqual(nextTimes(schedule, first, 1, id), [second])
    assert.deepEqual(
      nextTimes(schedule, '2026-07-01T06:00:00Z', 1, id)[0],
      first.endsWith(':00.000000Z') ? second : first,
    )
    seconds.add(first.slice(17, 19))
  }
  assert.ok(seconds.size > 50)
})

test('nextTimes › keeps the seconds of a schedule that specifies them', () => {
  const schedule = createSchedule('30 0 6 * * ?')
  const [first] = nextTimes(schedule, NIGHT, 1, '00000000-0000-7000-8000-000000000001')
  assert.equal(first, '2026-07-01T06:00:30.000000Z')
})
