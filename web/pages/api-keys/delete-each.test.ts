import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../api/problem.ts'
import { deleteEach } from './delete-each.ts'

const ITEMS = ['a', 'b', 'c'].map((id) => ({ id, name: `Key ${id}` }))

async function runWith(statuses: Record<string, number>): Promise<[string[], Problem | undefined]> {
  const tried: string[] = []
  const deleteOne = (id: string): Promise<void> => {
    tried.push(id)
    const status = statuses[id]
    return status === undefined
      ? Promise.resolve()
      : Promise.reject(new Problem(status, 'Not allowed', 'Ask an owner.'))
  }
  try {
    await deleteEach(ITEMS, deleteOne, 'API keys')
    return [tried, undefined]
  } catch (error) {
    assert.ok(error instanceof Problem)
    return [tried, error]
  }
}

test('one that fails does not affect the others, and is named', async () => {
  const [tried, problem] = await runWith({ a: 403 })
  assert.deepEqual(tried, ['a', 'b', 'c'])
  assert.equal(problem?.title, '1 of 3 API keys could not be deleted')
  assert.equal(problem?.message, '2 are deleted. The list shows those that remain.')
  assert.deepEqual(problem?.violations, [{ field: 'Key a', message: 'Not allowed. Ask an owner.' }])
})

test('one that another person deleted counts as deleted', async () => {
  assert.equal((await runWith({ b: 404 }))[1], undefined)
})

test('without an answer or a session it stops, and names all that remain', async () => {
  for (const status of [0, 401]) {
    const [tried, problem] = await runWith({ b: status })
    assert.deepEqual(tried, ['a', 'b'])
    assert.deepEqual(
      problem?.violations.map(({ field }) => field),
      ['Key b', 'Key c'],
    )
  }
})

test('a single one fails with its own problem', async () => {
  const problem = new Problem(403, 'Not allowed', '')
  const deleted = deleteEach(ITEMS.slice(0, 1), () => Promise.reject(problem), 'API keys')
  await assert.rejects(deleted, { title: 'Not allowed' })
})
