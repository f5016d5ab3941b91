/**
 * Documents of another catalog of this API family can be sent to Portbook as they are: every member that its models declare,
 * with their examples; null for every optional one; placeholders; long texts. One row for each kind of document.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expectProblem, readJson } from '../answers.ts'
import { expectOk, odcs, odps, type World } from '../world.ts'
import { onClient } from './client.ts'
import { startSdk, type SdkProcess } from './sdk/sdk-row.ts'

/** A document as JSON. */
type Document = Record<string, unknown>

/** A kind of document with the changes that its example needs: references to what exists here. */
interface ImportedKind {
  readonly model: string
  /** The address; `{id}` is the id of the example. */
  readonly path: string
  readonly id?: string
  /** Members instead of those of the example. */
  readonly members?: Document
  /** Members that must stay when the others are null. */
  readonly required: readonly string[]
  /** The path of a text without a limit that the other catalog documents. */
  readonly text: readonly string[]
}

const UUID = '0b0f4a3e-7a1c-4f0e-9a52-0d9c6f7f2f11'
const TEXT_CHARACTERS = 10_000
// The purpose of access is shown in lists, and has a separate limit.
const PURPOSE_CHARACTERS = 4000

const KINDS: readonly ImportedKind[] = [
  {
    model: 'Team',
    path: '/api/teams/{id}',
    members: { parent: 'fleet', members: [] },
    required: ['id', 'name', 'type'],
    text: ['description'],
  },
  {
    model: 'Asset',
    path: '/api/assets/{id}',
    members: { columns: [{ name: 'id', type: 'string', links: {}, custom: {} }] },
    required: ['id', 'info'],
    text: ['info', 'description'],
  },
  {
    model: 'Definition',
    path: '/api/definitions/{id}',
    members: { owner: 'a' },
    required: ['id', 'owner'],
    text: ['description'],
  },
  {
    model: 'Tag',
    path: '/api/tags/{id}',
    members: { info: { owner: 'a', description: 'People' } },
    required: ['id', 'info'],
    text: ['info', 'description'],
  },
  {
    model: 'SourceSystem',
    path: '/api/sourcesystems/{id}',
    members: { owner: 'a' },
    required: ['id', 'name', 'owner'],
    text: ['description'],
  },
  { model: 'Policy', path: '/api/policies/{id}', required: ['id', 'name'], text: ['content'] },
  {
    model: 'Certification',
    path: '/api/certifications/{id}',
    required: ['id', 'name', 'tag'],
    text: ['criteria'],
  },
  {
    model: 'ClassificationScheme',
    path: '/api/classification-schemes/{id}',
    id: 'externalId',
    required: ['externalId', 'name', 'classifications'],
    text: ['description'],
  },
  {
    model: 'Connector',
    path: '/api/connectors/{id}',
    required: ['id', 'info'],
    text: ['info', 'description'],
  },
  {
    model: 'ExampleData',
    path: '/api/example-data/{id}',
    members: { dataProductId: UUID, data: [{ id: 1 }] },
    required: ['id', 'dataProductId', 'data'],
    text: ['schemaName'],
  },
  {
    model: 'Access',
    path: '/api/access/{id}',
    members: {
      provider: { dataProductId: UUID, outputPortId: 'o', teamId: 'x', dataContractId: 'y' },
      consumer: { dataProductId: 'unknown', teamId: 'a', userId: 'unknown', agentId: 'unknown' },
    },
    required: ['id', 'info', 'provider', 'consumer'],
    text: ['info', 'purpose'],
  },
]

/** Models of other requests, with the changes that their examples need. */
const REQUESTS: readonly (readonly [
  model: string,
  method: string,
  path: string,
  members: Document,
])[] = [
  ['Cost', 'POST', '/api/costs', { dataProductId: UUID }],
  ['TestResults', 'POST', '/api/test-results', {}],
  ['NotificationChannel', 'PUT', '/api/teams/a/notification-channels/slack-alerts', {}],
  ['TeamRolesSettings', 'PUT', '/api/settings/team-roles', { mode: 'default' }],
  ['Customization', 'PUT', '/api/settings/customization', {}],
  ['OpenLineageRunEvent', 'POST', '/api/v1/lineage', {}],
]

onClient('entropy-data-sdk', (installation) => {
  let sdk: SdkProcess
  let world: World
  let examples: Record<string, Document>
  const put = async (path: string, body: object): Promise<string | null> =>
    (await expectOk(world.as('O', 'PUT', path, { body }))).headers.get('etag')
  before(async () => {
    sdk = startSdk(installation().url)
    const models = [...KINDS.map(({ model }) => model), ...REQUESTS.map(([model]) => model)]
    examples = await sdk.makeExamples(models)
    world = await installation().newOrganization()
    await put('/api/teams/fleet', { id: 'fleet', name: 'Fleet', type: 'Domain' })
    await put('/api/teams/team-456', { id: 'team-456', name: 'Owner', type: 'Team' })
    await put('/api/datacontracts/c', odcs('c'))
    const outputPorts = [{ name: 'o', version: '1.0.0', contractId: 'c' }]
    await put(`/api/dataproducts/${UUID}`, odps(UUID, { outputPorts }))
  })
  after(() => sdk.close())

  const makeDocument = (kind: ImportedKind): { document: Document; address: string } => {
    const document = { ...examples[kind.model], ...kind.members }
    const name = encodeURIComponent(String(document[kind.id ?? 'id']))
    return { document, address: kind.path.replace('{id}', name) }
  }

  for (const kind of KINDS) {
    const { path, required, text } = kind
    describe(path, () => {
      test('takes every member of the model, and its own answer changes nothing', async () => {
        const { document, address } = makeDocument(kind)
        const tag = await put(address, document)
        const answer = await readJson<Document>(world.as('O', 'GET', address))
        assert.equal(await put(address, answer), tag)
      })

      test('takes null for every optional member', async () => {
        const { document, address } = makeDocument(kind)
        const nulls = Object.keys(document).map((name) => [
          name,
          required.includes(name) ? document[name] : null,
        ])
        await put(address, Object.fromEntries(nulls) as Document)
      })

      test('takes members that it does not know', async () => {
        const { document, address } = makeDocument(kind)
        await put(address, { ...document, createdBy: 'x', internalId: UUID, score: 5 })
      })

      test('takes long texts', async () => {
        const { document, address } = makeDocument(kind)
        const characters = text.includes('purpose') ? PURPOSE_CHARACTERS : TEXT_CHARACTERS
        await put(address, setText(document, text, 'é'.repeat(characters)))
      })
    })
  }

  for (const [model, method, path, members] of REQUESTS) {
    test(`${method} ${path} › takes every member of the model`, async () => {
      const body = { ...examples[model], ...members }
      await expectOk(world.as('O', method, path, { body }))
    })
  }

  test('/api/access/{id} › the placeholders of the consumer are absent', async () => {
    const id = 'placeholders'
    const body = {
      id,
      info: { purpose: 'Reports' },
      provider: { dataProductId: UUID, outputPortId: 'o' },
    }
    const path = `/api/access/${id}`
    for (const [sent, stored] of [
      [{ dataProductId: 'unknown', teamId: 'a', userId: 'unknown' }, { teamId: 'a' }],
      [
        { dataProductId: UUID, teamId: 'unknown', userId: 'unknown' },
        { dataProductId: UUID, teamId: 'a' },
      ],
    ]) {
      await expectOk(world.as('O', 'PUT', path, { body: { ...body, consumer: sent } }))
      const { consumer } = await readJson<{ consumer: object }>(world.as('O', 'GET', path))
      assert.deepEqual(consumer, stored)
      await expectOk(world.as('O', 'DELETE', path))
    }
    // A consumer of only placeholders is one that the other catalog no longer has.
    const gone = { dataProductId: 'unknown', teamId: 'unknown', userId: 'unknown' }
    await expectProblem(world.as('O', 'PUT', path, { body: { ...body, consumer: gone } }), 422)
  })

  test('/api/access/{id} › a team with the id of the placeholder can be the only consumer', async () => {
    const team = { id: 'unknown', name: 'Unknown', type: 'Team' }
    await expectOk(world.as('O', 'PUT', '/api/teams/unknown', { body: team }))
    const body = {
      id: 'of-unknown',
      info: { purpose: 'Reports' },
      provider: { dataProductId: UUID, outputPortId: 'o' },
      consumer: { teamId: 'unknown' },
    }
    await expectOk(world.as('O', 'PUT', '/api/access/of-unknown', { body }))
  })
})

function setText(
  document: Document,
  [name = '', ...rest]: readonly string[],
  text: string,
): Document {
  const value = rest.length === 0 ? text : setText(document[name] as Document, rest, text)
  return { ...document, [name]: value }
}
