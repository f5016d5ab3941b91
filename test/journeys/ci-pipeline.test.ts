/**
 * The main job on real input: a CI pipeline registers the public example documents of the standards in
 * an unattended installation, reads them back, changes one, and follows the changes.
 */

import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import { listFeed } from '../feed.ts'
import { newHttpClient, type HttpAnswer, type HttpClient } from '../http-client.ts'
import { startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { standardsFor } from '../standards.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'

interface Document {
  id: string
  path: string
  yaml: string
}

// The team that the customer product refers to; the pipeline also assigns it to the product without a
// team.
const DATA_TEAM = 'Data Team'
// Documents of other kinds in the folder of the products: a team and a source system.
const TEAM_FILE = 'gitops-fulfillment.yaml'
const SOURCE_SYSTEM_FILE = 'gitops-stock_service.yaml'
const WITHOUT_OWNER_FILE = 'example-simple.odps.yaml'

let place: StorePlace
let product: ProductProcess
let client: HttpClient

before(async () => {
  place = await newStorePlace()
  const start = createUnattendedStart(place)
  product = await startProduct(start.environment)
  client = newHttpClient(product.url, start.key())
})
after(async () => {
  client.close()
  await product.stop()
  await place.remove()
})

test('a pipeline registers, changes and follows the documents of the standards', async (t) => {
  const files = readStandards(t)
  if (files === undefined) return
  await registerTeams(client, files)
  await assertInvalidProductsRejected(client, files)
  const documents = listProducts(files)
  assert.equal(documents.length, 4)

  for (const document of documents) await registerAsYaml(client, document)
  for (const document of documents) await registerAsJson(client, document)
  const registered = await listFeed(client)
  for (const document of documents) await registerAgain(client, document)
  const later = await listFeed(client, { lastEventId: registered.at(-1)?.id })
  assert.equal(later.length, 1, 'only the change that marks the end')
  const { headers } = await client.ok('GET', '/api/events')
  assert.equal(headers['content-type'], 'application/cloudevents-batch+json')

  await changeOnePort(client, findDocument(documents, 'fbe8d147-28db-4f1d-bedf-a3fe9f458427'), {
    from: 'Consolidated transactions',
    to: 'Consolidated transactions of all shops',
    port: 'consolidatedtransactions',
  })
  await changeOnePort(client, findDocument(documents, 'stock_updated'), {
    from: 'All stock updates represented as a S3 bucket',
    to: 'All stock updates as files in a bucket',
    port: 's3_bucket_stock_updated_v1',
  })
  await readEverythingFromTheStart(client)
})

test('the ODPS form of a DPS document is valid according to the official schema', async (t) => {
  const files = readStandards(t)
  if (files === undefined) return
  await registerTeams(client, files)
  const isValid = odpsValidator(files, 'odps-v1.0.0.schema.json')
  const documents = listProducts(files).filter(({ yaml }) => !/^kind:/m.test(yaml))
  assert.deepEqual(
    documents.map(({ id }) => id),
    ['shelf_warmers', 'stock_updated'],
  )
  for (const { path, yaml, id } of documents) {
    await client.ok('PUT', path, { yaml })
    const answer = await client.ok('GET', `${path}?format=odps`)
    assert.ok(isValid(JSON.parse(answer.text)), `${id}: ${JSON.stringify(isValid.errors)}`)
    const odps = JSON.parse(answer.text)
    assert.deepEqual([odps.kind, odps.id, odps.team.name], ['DataProduct', id, 'fulfillment'])
    const before = parse(yaml)
    assert.deepEqual(
      odps.outputPorts.map((port: { contractId: string }) => port.contractId),
      before.outputPorts.map((port: { dataContractId: string }) => port.dataContractId),
    )
    // The pipeline then registers the ODPS form under the same id.
    await client.ok('PUT', path, { body: answer.text })
    const stored = await client.ok('GET', path)
    assert.equal(stored.text, answer.text)
    assert.equal(stored.headers['deprecation'], undefined)
  }
  const broken = { ...JSON.parse((await client.ok('GET', documents[0]?.path ?? '')).text) }
  delete broken.status
  assert.equal(isValid(broken), false, 'the validator rejects a document without status')
})

test('responses for DPS have deprecation headers, those for ODPS do not', async (t) => {
  const files = readStandards(t)
  if (files === undefined) return
  await registerTeams(client, files)
  const documents = listProducts(files)
  const dps = await registerAsYaml(client, findDocument(documents, 'stock_updated'))
  assert.match(String(dps.headers['deprecation']), /^@\d+$/)
  assert.match(String(dps.headers['sunset']), /GMT$/)
  assert.match(String(dps.headers['link']), /guides\/dps-to-odps/)
  const guide = /<([^>]+)>/.exec(String(dps.headers['link']))?.[1] ?? ''
  assert.equal((await fetch(guide)).status, 200)
  const odps = await registerAsYaml(
    client,
    findDocument(documents, 'fbe8d147-28db-4f1d-bedf-a3fe9f458427'),
  )
  assert.deepEqual([odps.headers['deprecation'], odps.headers['sunset']], [undefined, undefined])
})

type Files = ReadonlyMap<string, string>

function readStandards(t: TestContext): Files | undefined {
  const odps = standardsFor(t, 'odps')
  const dps = odps === undefined ? undefined : standardsFor(t, 'dps')
  if (odps === undefined || dps === undefined) return undefined
  return new Map([...odps, ...dps].map(({ name, text }) => [name, text]))
}

function getText(files: Files, name: string): string {
  const text = files.get(name)
  assert.ok(text !== undefined, `${name} is among the files`)
  return text
}

/** Returns the products among the files, as the pipeline sends them. */
function listProducts(files: Files): Document[] {
  const names = [...files.keys()].filter(
    (name) => name.endsWith('.yaml') && name !== TEAM_FILE && name !== SOURCE_SYSTEM_FILE,
  )
  return names.map((name) => {
    const text = getText(files, name)
    const yaml = name === WITHOUT_OWNER_FILE ? addTeam(text) : text
    const { id } = parse(yaml) as { id: string }
    return { id, path: `/api/dataproducts/${id}`, yaml }
  })
}

/** Adds the missing team, and leaves everything else unchanged. */
function addTeam(yaml: string): string {
  return `${yaml.trimEnd()}\n\nteam:\n  name: ${DATA_TEAM}\n`
}

function findDocument(documents: readonly Document[], id: string): Document {
  const document = documents.find((one) => one.id === id)
  assert.ok(document !== undefined)
  return document
}

async function registerTeams(client: HttpClient, files: Files): Promise<void> {
  const yaml = getText(files, TEAM_FILE)
  const fulfillment = await client.ok('PUT', '/api/teams/fulfillment', { yaml })
  // A team is always returned as JSON: it is one shape, not a stored text.
  assert.deepEqual(JSON.parse(fulfillment.text), parse(yaml))
  const path = `/api/teams/${encodeURIComponent(DATA_TEAM)}`
  await client.ok('PUT', path, { body: { id: DATA_TEAM, name: DATA_TEAM } })
  assert.equal(JSON.parse((await client.ok('GET', path)).text).name, DATA_TEAM)
}

async function assertInvalidProductsRejected(client: HttpClient, files: Files): Promise<void> {
  // A source system has neither the fields of ODPS nor `info`; it has no endpoint yet.
  const system = await client.send('PUT', '/api/dataproducts/stock-service', {
    yaml: getText(files, SOURCE_SYSTEM_FILE),
  })
  assertProblem(system, 422)
  const yaml = getText(files, WITHOUT_OWNER_FILE)
  const path = `/api/dataproducts/${(parse(yaml) as { id: string }).id}`
  const ownerless = await client.send('PUT', path, { yaml })
  assert.ok(assertProblem(ownerless, 422).some(({ field }) => field === 'team.name'))
  const misplaced = await client.send('PUT', '/api/dataproducts/another-id', {
    yaml: addTeam(yaml),
  })
  assert.ok(assertProblem(misplaced, 422).some(({ field }) => field === 'id'))
  const unknown = await client.send('PUT', path, {
    yaml: addTeam(yaml).replace(`name: ${DATA_TEAM}`, 'name: Nobody'),
  })
  const [violation] = assertProblem(unknown, 422)
  assert.equal(violation?.field, 'team.name')
  assert.match(violation?.message ?? '', /Nobody/)
  assert.equal((await client.send('GET', path)).status, 404)
}

async function registerAsYaml(client: HttpClient, { path, yaml }: Document): Promise<HttpAnswer> {
  await client.ok('PUT', path, { yaml })
  const asYaml = await client.ok('GET', path, { headers: { accept: 'application/yaml' } })
  assert.equal(asYaml.headers['content-type'], 'application/yaml')
  assert.equal(asYaml.text, yaml, 'the YAML is returned byte for byte')
  const asJson = await client.ok('GET', path)
  assert.equal(asJson.headers['content-type'], 'application/json')
  assert.deepEqual(JSON.parse(asJson.text), parse(yaml), 'and has the same content as JSON')
  return asJson
}

/** Registers the product as JSON under another id, with unusual formatting. */
async function registerAsJson(client: HttpClient, { id, yaml }: Document): Promise<void> {
  const path = `/api/dataproducts/${id}-json`
  const text = `\n${JSON.stringify({ ...parse(yaml), id: `${id}-json` }, null, '\t')}  \n`
  const put = await client.ok('PUT', path, { body: text })
  assert.equal(put.text, text)
  const got = await client.ok('GET', path)
  assert.equal(got.text, text, 'the JSON is returned byte for byte')
  assert.equal(got.headers['etag'], put.headers['etag'])
}

/** Registers the same product twice more, once with reordered fields: nothing may change. */
async function registerAgain(client: HttpClient, { path, yaml }: Document): Promise<void> {
  const before = await client.ok('GET', path, { headers: { accept: 'application/yaml' } })
  await client.ok('PUT', path, { yaml })
  const fields = Object.entries(parse(yaml) as object).toReversed()
  await client.ok('PUT', path, { body: JSON.stringify(Object.fromEntries(fields)) })
  const after = await client.ok('GET', path, { headers: { accept: 'application/yaml' } })
  assert.deepEqual([after.text, after.headers['etag']], [yaml, before.headers['etag']])
  const versions = JSON.parse((await client.ok('GET', `${path}/versions`)).text)
  assert.deepEqual(
    versions.map(({ version }: { version: number }) => version),
    [1],
  )
}

async function changeOnePort(
  client: HttpClient,
  { id, path, yaml }: Document,
  change: { from: string; to: string; port: string },
): Promise<void> {
  assert.equal(yaml.split(change.from).length, 2, 'the text occurs once')
  const lastEventId = (await listFeed(client)).at(-1)?.id
  const etag = (await client.ok('GET', path)).headers['etag']
  const changed = yaml.replace(change.from, change.to)
  await client.ok('PUT', path, { yaml: changed, headers: { 'if-match': String(etag) } })

  const events = (await listFeed(client, { lastEventId })).slice(0, -1)
  assert.deepEqual(
    events.map(({ type, subject, data }) => [
      toEventName(type),
      subject,
      data.version,
      data.outputPortId,
    ]),
    [
      ['DataProductUpdatedEvent', id, 2, undefined],
      ['OutputPortUpdatedEvent', id, 2, change.port],
    ],
  )
  const versions = JSON.parse((await client.ok('GET', `${path}/versions`)).text)
  assert.deepEqual(
    versions.map(({ version }: { version: number }) => version),
    [2, 1],
  )
  assert.deepEqual([versions[0].validTo, versions[1].validTo], [null, versions[0].validFrom])
  const accept = { headers: { accept: 'application/yaml' } }
  assert.equal((await client.ok('GET', `${path}/versions/1`, accept)).text, yaml)
  assert.equal((await client.ok('GET', `${path}/versions/2`, accept)).text, changed)
  const pastVersion = await client.ok('GET', `${path}?asOf=${versions[1].validFrom}`, accept)
  assert.equal(pastVersion.text, yaml)
  // A second pipeline that still has the first version changes nothing.
  const staleWrite = await client.send('PUT', path, { yaml, headers: { 'if-match': String(etag) } })
  assertProblem(staleWrite, 412)
}

/** Asserts that a new follower receives the complete history once and in order. */
async function readEverythingFromTheStart(client: HttpClient): Promise<void> {
  const versions = new Map<string, number>()
  for (const { type, subject, data } of await listFeed(client)) {
    if (!toEventName(type).startsWith('DataProduct')) continue
    assert.equal(data.version, (versions.get(subject) ?? 0) + 1)
    versions.set(subject, data.version)
  }
  const products = JSON.parse((await client.ok('GET', '/api/dataproducts')).text)
  assert.deepEqual(
    [...versions.keys()].toSorted(),
    products.map(({ id }: { id: string }) => id).toSorted(),
  )
}

function toEventName(type: string): string {
  assert.ok(type.startsWith('com.datamesh-manager.events.'))
  return type.slice('com.datamesh-manager.events.'.length)
}

interface Violation {
  field: string
  message: string
  line: number
  column: number
}

function assertProblem(answer: HttpAnswer, status: number): Violation[] {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers['content-type'], 'application/problem+json')
  const problem = JSON.parse(answer.text)
  assert.equal(problem.status, status)
  return problem.violations ?? []
}

function odpsValidator(files: Files, name: string) {
  const ajv = new Ajv2019({ strict: false })
  addFormats.default(ajv)
  return ajv.compile(JSON.parse(getText(files, name)))
}
