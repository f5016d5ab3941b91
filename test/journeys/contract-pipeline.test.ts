/**
 * Contracts on real input: the script of the guide plans and registers them as a pipeline would, and
 * the public examples of the standards are registered, read as a model and exported.
 */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isMap, parseDocument } from 'yaml'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { standardsFor } from '../standards.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'

const GUIDE = fileURLToPath(new URL('../../docs/guides/ci.md', import.meta.url))
const FORMATS = ['odcs', 'json-schema', 'avro', 'protobuf', 'sql', 'dbt', 'bigquery']

const createContract = (type: string): string => `apiVersion: v3.1.0
kind: DataContract
id: journeys
name: Journeys
version: 1.0.0
status: active
team: {name: fleet}
schema:
  - name: journeys
    physicalType: table
    properties:
      - {name: id, logicalType: string, physicalType: uuid, required: true, primaryKey: true, primaryKeyPosition: 1}
      - {name: distance_km, logicalType: number, physicalType: "${type}"}
`

const PRODUCT = `apiVersion: v1.0.0
kind: DataProduct
id: wagons
name: Wagons
version: 1.0.0
status: active
description: {purpose: where wagons are}
team: {name: fleet}
outputPorts:
  - {name: journeys, version: 1.0.0, contractId: journeys}
`

const folder = mkdtempSync(join(tmpdir(), 'portbook-pipeline-'))
let place: StorePlace
let product: ProductProcess
let client: HttpClient
let key: string

before(async () => {
  place = await newStorePlace()
  const start = createUnattendedStart(place)
  product = await startProduct(start.environment)
  key = start.key()
  client = newHttpClient(product.url, key)
  await client.ok('PUT', '/api/teams/fleet', { body: { id: 'fleet', name: 'Fleet' } })
  for (const name of ['data-products', 'data-contracts']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'portbook.sh'), readScript(readFileSync(GUIDE, 'utf8')))
  writeFileSync(join(folder, 'data-products', 'wagons.yaml'), PRODUCT)
})
after(async () => {
  client.close()
  await product.stop()
  await place.remove()
  rmSync(folder, { recursive: true })
})

const run = async (
  verb: string,
  more: Record<string, string> = {},
): Promise<{ code: number; output: string }> => {
  const files = ['data-contracts/journeys.yaml', 'data-products/wagons.yaml']
  const child = spawn('sh', ['portbook.sh', verb, ...files], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORTBOOK_URL: product.url,
      PORTBOOK_API_KEY: key,
      ...more,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const [code] = await once(child, 'close')
  return { code: Number(code), output }
}
const write = (type: string): void =>
  writeFileSync(join(folder, 'data-contracts', 'journeys.yaml'), createContract(type))

test('the script of the guide plans, registers, and rejects a breaking change', async () => {
  write('decimal(10,2)')
  const planned = await run('plan')
  assert.equal(planned.code, 0, planned.output)
  assert.match(planned.output, /"outcome":"created"/)
  assert.equal((await client.send('GET', '/api/datacontracts/journeys')).status, 404)

  const registered = await run('register')
  assert.equal(registered.code, 0, registered.output)
  const stored = await client.ok('GET', '/api/datacontracts/journeys/datacontract.yaml')
  assert.equal(stored.text, createContract('decimal(10,2)'))

  write('decimal(12,2)')
  const rejected = await run('plan')
  assert.equal(rejected.code, 22, rejected.output)
  assert.match(rejected.output, /"level":"breaking"/)
  assert.match(rejected.output, /"resourceType":"DATA_PRODUCT","id":"wagons"/)
  assert.match(rejected.output, /"status":409/)
  assert.equal((await run('register')).code, 22)
  assert.equal((await listVersions('journeys')).length, 1)

  const intendedChange = { ALLOW_BREAKING: 'yes' }
  assert.equal((await run('plan', intendedChange)).code, 0)
  assert.equal((await run('register', intendedChange)).code, 0)
  const [last, first] = await listVersions('journeys')
  assert.deepEqual([last?.level, first?.level], ['breaking', 'none'])
  const diff = await client.ok('GET', '/api/datacontracts/journeys/diff?from=1&to=2')
  assert.equal(JSON.parse(diff.text).level, 'breaking')
})

const listVersions = async (id: string): Promise<{ level: string }[]> =>
  JSON.parse((await client.ok('GET', `/api/datacontracts/${id}/versions`)).text)

test('every example of the standards is stored, read as a model and exported', async (t) => {
  for (const standard of ['odcs', 'dcs'] as const) {
    for (const { name, text } of standardsFor(t, standard) ?? []) {
      if (!name.endsWith('.yaml')) continue
      const { id, yaml } = setTeam(text)
      const path = `/api/datacontracts/${encodeURIComponent(id)}`
      await client.ok('PUT', path, { yaml })
      assert.equal((await client.ok('GET', `${path}/datacontract.yaml`)).text, yaml, name)
      const { models } = JSON.parse((await client.ok('GET', `${path}/model`)).text)
      assert.ok(Array.isArray(models), name)
      for (const format of FORMATS) {
        const answer = await client.ok('GET', `${path}/export?format=${format}`)
        assert.ok(models.length === 0 || answer.text.length > 0, `${name} as ${format}`)
      }
    }
  }
})

/** Returns the first shell script of a guide. */
function readScript(guide: string): string {
  const [, script = ''] = /```sh\n(#!\/bin\/sh\n[\s\S]*?)```/.exec(guide) ?? []
  assert.ok(script.length > 0)
  return script
}

/** Changes the team of an example to the existing one, and nothing else. */
function setTeam(text: string): { id: string; yaml: string } {
  const document = parseDocument(text)
  const contents = document.contents
  assert.ok(isMap(contents))
  const id = String(document.get('id') ?? document.get('uuid'))
  if (document.has('info')) document.setIn(['info', 'owner'], 'fleet')
  else document.set('team', { name: 'fleet' })
  return { id, yaml: document.toString() }
}
