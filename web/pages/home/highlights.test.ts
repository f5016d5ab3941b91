import assert from 'node:assert/strict'
import test from 'node:test'
import { withoutRepetitions } from './highlights.ts'

const group = (minute: string, actor: string, total: number) => ({ minute, actor, total })

test('withoutRepetitions › leaves out groups that are breaking as a whole', () => {
  const breaking = [group('10:00', 'a', 2), group('09:00', 'a', 1)]
  const latest = [group('10:01', 'a', 2), group('10:00', 'a', 2), group('09:00', 'a', 5)]
  assert.deepEqual(withoutRepetitions(latest, breaking), [latest[0], latest[2]])
})
