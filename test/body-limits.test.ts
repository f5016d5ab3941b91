/** The limits of request bodies: every endpoint names its own, and the guide lists those of reports. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { api } from '../server/api.ts'
import type { Route } from '../server/requests/http/endpoint.ts'
import { isScimPath } from '../server/requests/http/scim-problem.ts'
import { expectProblem } from './answers.ts'
import { expectScimError } from './directory.ts'
import { onStore } from './stores.ts'
import { newProduct, newWorld, type World } from './world.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../docs/guides/tests-and-lineage.md'), 'utf8')
// | `POST /api/costs` | 64 KiB | … |
const GUIDE_ROW = /^\| `(?<method>\w+) (?<path>\S+)` +\| (?<limit>[\d.]+ [KM]iB) +\|/gm

const WITH_BODY = api.filter(({ described }) => described.body !== undefined)

function getLimit({ described }: Route): string {
  const bytes = described.body?.bytesMax ?? 0
  const mebibytes = bytes / 1024 ** 2
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${bytes / 1024} KiB`
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const route of WITH_BODY) {
    const { method, path, described } = route
    test(`${method} ${path} › 413 that names the limit of ${getLimit(route)}`, async () => {
      const bytes = String((described.body?.bytesMax ?? 0) + 1)
      const answer = world.as('O', method, path.replaceAll(/\{\w+\}/g, '1'), {
        body: '{}',
        headers: { 'content-length': bytes },
      })
      const detail = isScimPath(path)
        ? await expectScimError(answer, 413)
        : (await expectProblem(answer, 413)).detail
      assert.ok(detail.startsWith(`The body may have ${getLimit(route)} at most`), detail)
    })
  }
})

test('the guide lists the limits of reports', () => {
  const rows = [...GUIDE.matchAll(GUIDE_ROW)].map(({ groups }) => ({
    method: groups?.['method'] ?? '',
    path: groups?.['path'] ?? '',
    limit: groups?.['limit'] ?? '',
  }))
  for (const { method, path, limit } of rows) {
    const route = WITH_BODY.find((one) => one.method === method && one.path === path)
    assert.ok(route !== undefined, `${method} ${path}`)
    assert.equal(limit, getLimit(route), path)
  }
  assert.deepEqual(rows.map(({ path }) => path).toSorted(), [
    '/api/connectors/{id}',
    '/api/costs',
    '/api/datacontracts/{id}/branches/{branch}/test-results',
    '/api/example-data/{id}',
    '/api/test-results',
    '/api/v1/lineage',
    '/api/v1/lineage/batch',
    '/api/v1/traces',
  ])
})
