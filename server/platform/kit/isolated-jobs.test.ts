import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runIsolated } from './isolated-jobs.ts'

test('runIsolated › a job that fails is logged, and the others run in order', async () => {
  const done: string[] = []
  const logged: unknown[] = []
  const warn = (fields: object, message: string): void => void logged.push([fields, message])
  const err = new Error('disk full')
  await runIsolated({ warn }, [
    { what: 'one', work: async () => done.push('one') },
    {
      what: 'two',
      work: async () => {
        throw err
      },
    },
    { what: 'three', work: async () => done.push('three') },
  ])
  assert.deepEqual(done, ['one', 'three'])
  assert.deepEqual(logged, [[{ err }, 'two failed']])
})
