import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { expectProblem } from '../../../test/answers.ts'
import { standardsFor } from '../../../test/standards.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'

const STANDARDS = join(import.meta.dirname, '../../../formats/standards')

const DIALECT = 'https://json-schema.org/draft/2019-09/schema'

const readSchema = (name: string): object => ({
  $schema: DIALECT,
  ...JSON.parse(readFileSync(join(STANDARDS, name), 'utf8')),
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const get = (file: string): Promise<Response> => world.as('Tr', 'GET', `/api/schemas/${file}`)

  const stored = readdirSync(STANDARDS).flatMap((name) => {
    const [, standard, version] = /^(odcs|odps)-v(.*)\.schema\.json$/.exec(name) ?? []
    return standard === undefined || version === undefined ? [] : [{ name, standard, version }]
  })

  for (const { name, standard, version } of stored) {
    for (const file of [`${standard}-${version}`, `${standard}-${version}-custom`]) {
      test(`GET /api/schemas/${file}.schema.json › 200 with the schema and its version`, async () => {
        const answer = await get(`${file}.schema.json`)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('x-schema-version'), version)
        assert.equal(answer.headers.get('content-type'), 'application/json')
        assert.deepEqual(await answer.json(), readSchema(name))
      })
    }
  }

  for (const [file, version] of [
    ['odcs', '3.1.0'],
    ['odps', '1.0.0'],
    ['odcs-custom', '3.1.0'],
    ['odps-custom', '1.0.0'],
  ] as const) {
    test(`GET /api/schemas/${file}.schema.json › 200 with version ${version}`, async () => {
      const answer = await get(`${file}.schema.json`)
      assert.equal(answer.headers.get('x-schema-version'), version)
      const name = `${file.replace('-custom', '')}-v${version}.schema.json`
      assert.deepEqual(await answer.json(), readSchema(name))
    })
  }

  test('GET /api/schemas/{file} › 200 with the dialect of the official schemas', async (t) => {
    for (const standard of ['odcs', 'odps'] as const) {
      for (const { text } of standardsFor(t, standard) ?? []) {
        const dialect = /"\$schema": *"(.*)"/.exec(text)?.[1]
        if (dialect !== undefined) assert.equal(dialect, DIALECT)
      }
    }
  })

  for (const file of [
    'odcs-9.9.9.schema.json',
    'odps-3.1.0.schema.json',
    'dcs.schema.json',
    'odcs-3.1.schema.json',
    'odcs.json',
    'constructor.schema.json',
    'odcs-3.1.0-other.schema.json',
  ]) {
    test(`GET /api/schemas/${file} › 404 with the names that exist`, async () => {
      await expectProblem(get(file), 404, /odcs-3\.1\.0/)
    })
  }

  test('GET /api/schemas/{file} › 401 without a key', async () => {
    await expectProblem(world.as('none', 'GET', '/api/schemas/odcs.schema.json'), 401)
  })
})
