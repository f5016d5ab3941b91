import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatCron, parseCron, scheduleWords, type SchedulePlan } from './cron.ts'

describe('schedules in words', () => {
  const plans: [SchedulePlan, string, string][] = [
    [{ rhythm: 'hand', time: '06:00', weekday: 1 }, '', 'manually'],
    [{ rhythm: 'hourly', time: '06:00', weekday: 1 }, '0 * * * *', 'every hour'],
    [{ rhythm: 'daily', time: '23:59', weekday: 1 }, '59 23 * * *', 'every day at 23:59'],
    [{ rhythm: 'weekdays', time: '06:05', weekday: 1 }, '5 6 * * 1-5', 'Monday to Friday at 06:05'],
    [{ rhythm: 'weekly', time: '00:00', weekday: 0 }, '0 0 * * 0', 'every Sunday at 00:00'],
  ]
  for (const [plan, expression, words] of plans) {
    test(`${words} is written as "${expression}" and read back`, () => {
      assert.equal(formatCron(plan, 'not used'), expression)
      assert.deepEqual(parseCron(expression), plan)
      assert.equal(scheduleWords(expression), words)
    })
  }

  const others = [
    '0 0 6 * * ?',
    '*/10 * * * *',
    '0 6 1 * *',
    '0 6 * * 7',
    '60 6 * * *',
    '0 24 * * *',
  ]
  for (const expression of others) {
    test(`"${expression}" stays an expression`, () => {
      const plan = parseCron(expression)
      assert.equal(plan.rhythm, 'cron')
      assert.equal(formatCron(plan, expression), expression)
    })
  }
})
