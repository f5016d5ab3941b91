import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SourceFailure, type Batch, type FailureKind, type Scope } from '../connector.ts'
import { readScopesConcurrently } from './read-scopes.ts'

const SCOPES = ['a', 'b', 'c', 'd'].map((name): Scope => ({
  path: [name],
  kind: 'schema',
  reading: '',
  decision: 'included',
}))

function newAsset({ path }: Scope): Batch {
  return { assets: [{ kind: 'table', path: [...path, 't'], scope: path }] }
}

function describeBatch({ assets, outcomes = [] }: Batch): string {
  return [
    ...assets.map(({ path }) => path.join('.')),
    ...outcomes.map(({ path, failure }) => `${path.join('.')} ${failure?.kind ?? 'complete'}`),
  ].join()
}

/** Creates a reader that fails for the scope `b`. */
function newFailingReader(kind: FailureKind): (scope: Scope) => AsyncGenerator<Batch> {
  return async function* (scope) {
    if (scope.path[0] === 'b') throw new SourceFailure(kind, 'x')
    yield newAsset(scope)
  }
}

async function read(
  concurrency: number,
  readScope: (scope: Scope) => AsyncIterable<Batch>,
): Promise<string[]> {
  const texts: string[] = []
  for await (const batch of readScopesConcurrently(SCOPES, concurrency, readScope)) {
    texts.push(describeBatch(batch))
  }
  return texts
}

test('readScopesConcurrently › starts no more scopes than allowed, and keeps their order', async () => {
  let runningCount = 0
  let greatestCount = 0
  const texts = await read(2, async function* (scope) {
    runningCount += 1
    greatestCount = Math.max(greatestCount, runningCount)
    await Promise.resolve()
    yield newAsset(scope)
    runningCount -= 1
  })
  assert.deepEqual(
    texts,
    SCOPES.flatMap(({ path }) => [`${path.join()}.t`, `${path.join()} complete`]),
  )
  assert.equal(greatestCount, 2)
})

test('readScopesConcurrently › ends only the scope that may not be read', async () => {
  assert.deepEqual((await read(3, newFailingReader('permission'))).slice(2), [
    'b permission',
    'c.t',
    'c complete',
    'd.t',
    'd complete',
  ])
  await assert.rejects(read(3, newFailingReader('unreachable')), { kind: 'unreachable' })
})

test('readScopesConcurrently › ends all scopes when the caller stops', async () => {
  const ended: string[] = []
  const stopped = Promise.withResolvers<void>()
  const reading = readScopesConcurrently(SCOPES, 2, async function* ({ path: [name = ''] }) {
    try {
      for (;;) yield { assets: [] }
    } finally {
      ended.push(name)
      if (ended.length === 2) stopped.resolve()
    }
  })
  for await (const _ of reading) break
  await stopped.promise
  assert.deepEqual(ended.toSorted(), ['a', 'b'])
})
