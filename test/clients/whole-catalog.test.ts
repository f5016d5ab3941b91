/**
 * Whole catalogs with the public command line: a catalog that is exported and applied to another organization
 * is the same there, and applying it again changes nothing.
 */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readJson } from '../answers.ts'
import { addIntegration, ingest, sourceTable } from '../ingested-assets.ts'
import { untilSettled } from '../feed.ts'
import { expectOk, odcs, odps } from '../world.ts'
import { DOCUMENTS } from './cli/whole-catalog.ts'
import { checkEnd } from './command-rows.ts'
import {
  makeFolder,
  onClient,
  runProgram,
  startCommands,
  startInstallation,
  type CommandProcess,
  type Installation,
} from './client.ts'

const KINDS = [
  'teams,tags,definitions,policies,sourcesystems,certifications,classification-schemes',
  'assets,datacontracts,dataproducts,example-data,access,email-templates,organization-features,semantic-ontology',
].join(',')

// The organization has its default e-mails, and Portbook has no semantic namespaces.
const EMPTY_KINDS = new Set(['email-templates', 'semantic-ontology'])

onClient('entropy-data', (installation) => {
  const folder = makeFolder()
  let other: Installation
  let commands: CommandProcess
  let source = ''
  let target = ''
  before(async () => {
    other = await startInstallation()
    const environment = { ENTROPY_DATA_HOST: installation().url }
    commands = startCommands('entropy-data', 'entropy-data', environment, folder)
    source = await installation().newEmptyOrganization()
    target = await installation().newEmptyOrganization()
    for (const [path, body] of DOCUMENTS) {
      await expectOk(installation().product.call('PUT', path, { key: source, body }))
    }
  })
  after(async () => {
    commands.close()
    await other.close()
  })

  const run = async (key: string, ...args: readonly string[]): Promise<string> => {
    const result = await commands.run(args, { environment: { ENTROPY_DATA_API_KEY: key } })
    checkEnd(result)
    return result.stdout
  }
  const exportTo = async (key: string, name: string): Promise<Map<string, string>> => {
    await run(key, 'export', 'dir', name)
    return readFolder(join(folder, name))
  }
  const listEvents = async (key: string): Promise<string[]> => {
    const call = installation().product.call('GET', '/api/events', { key })
    const events = await readJson<{ type: string; subject: string }[]>(call)
    return events.map(({ type, subject }) => `${type} ${subject}`)
  }
  test('export dir writes every document', async () => {
    const files = await exportTo(source, 'source')
    const kinds = new Set([...files.keys()].map((name) => name.split('/')[0]))
    for (const kind of KINDS.split(',')) {
      if (!EMPTY_KINDS.has(kind)) assert.ok(kinds.has(kind), kind)
    }
    assert.match(files.get('assets/orders-table.yaml') ?? '', /assignedTags:\n- Governance\/PII/)
    assert.match(files.get('tags/Governance_PII.yaml') ?? '', /^id: Governance\/PII$/m)
  })

  test('apply dir to an empty organization makes an equal catalog', async () => {
    assert.match(await run(target, 'apply', 'dir', 'source', '--dry-run'), /create=2/)
    assert.match(await run(target, 'apply', 'dir', 'source'), /succeeded, 0 failed/)
    assert.deepEqual(await exportTo(target, 'target'), readFolder(join(folder, 'source')))
  })

  test('import zip of the own export changes nothing', async () => {
    const kinds = readdirSync(join(folder, 'source')).map((kind) => join('source', kind))
    const args = ['-m', 'zipfile', '-c', 'source.zip', ...kinds]
    checkEnd(await runProgram('entropy-data', 'python', args, { folder }))
    await untilSettled(installation().product.services.db)
    const events = await listEvents(source)
    assert.match(await run(source, 'import', 'zip', 'source.zip'), /, 0 failed/)
    await untilSettled(installation().product.services.db)
    assert.deepEqual(await listEvents(source), events)
    assert.deepEqual(await exportTo(source, 'again'), readFolder(join(folder, 'source')))
  })

  test('an export with ingested assets can be applied', async () => {
    const world = await installation().newOrganization()
    const key = world.keys.O ?? ''
    const integration = await addIntegration(world)
    const [id = ''] = await ingest(world, integration, [sourceTable(['shop', 'sales', 'pay'])])
    const only = ['--include', 'assets']
    await run(key, 'export', 'dir', 'ingested', ...only)
    assert.match(await run(key, 'apply', 'dir', 'ingested', ...only), /1 succeeded, 0 failed/)
    // A copy in another organization is an ordinary asset.
    await run(target, 'apply', 'dir', 'ingested', ...only)
    const path = `/api/assets/${id}`
    const copy = await readJson<object>(installation().product.call('GET', path, { key: target }))
    assert.ok(!('ingestion' in copy), JSON.stringify(copy))
    await expectOk(installation().product.call('DELETE', path, { key: target }))
  })

  test('apply --prune deletes the rest, and then has nothing to do', async () => {
    for (const [path, body] of EXTRA_DOCUMENTS) {
      await expectOk(installation().product.call('PUT', path, { key: target, body }))
    }
    const prune = ['apply', 'dir', 'source', '--prune', '--yes']
    const first = await run(target, ...prune)
    assert.equal(first.match(/\bDEL\b/g)?.length, EXTRA_DOCUMENTS.length)
    assert.match(first, /, 0 failed/)
    const second = await run(target, ...prune)
    assert.ok(!/\bDEL\b/.test(second), second)
    assert.deepEqual(await exportTo(target, 'pruned'), readFolder(join(folder, 'source')))
  })

  test('apply --prune hides ingested assets, and then has nothing to do', async () => {
    const world = await installation().newOrganization()
    const integration = await addIntegration(world, { owner: 'a' })
    await ingest(world, integration, [sourceTable(['shop', 'sales', 'pay'])])
    const prune = ['apply', 'dir', 'source', '--prune', '--yes', '--include', 'teams,tags,assets']
    assert.match(await run(world.keys.O ?? '', ...prune), /\bDEL\b/)
    assert.ok(!/\bDEL\b/.test(await run(world.keys.O ?? '', ...prune)))
  })

  test('sync copies a catalog between two installations', async () => {
    const key = await other.newEmptyOrganization()
    const add = async (name: string, url: string, secret: string): Promise<void> => {
      await run(source, 'connection', 'add', name, '--host', url, '--api-key', secret)
    }
    await add('here', installation().url, source)
    await add('there', other.url, key)
    const sync = ['sync', '--source', 'here', '--target', 'there', '--include', KINDS]
    assert.match(await run(source, ...sync, '--dry-run'), /dataproducts: create=1/)
    assert.match(await run(source, ...sync), /succeeded, 0 failed \(0 export failures\)/)
    assert.match(await run(source, ...sync, '--prune', '--yes'), /succeeded, 0 failed/)
    const back = ['export', 'dir', 'there']
    await run(source, '--connection', 'there', ...back)
    assert.deepEqual(readFolder(join(folder, 'there')), readFolder(join(folder, 'source')))
  })
})

/** A document of each kind that the source does not have. Certifications have a UUID. */
const EXTRA_DOCUMENTS: readonly (readonly [path: string, body: object])[] = [
  ['/api/teams/zz', { id: 'zz', name: 'Other', type: 'Team', parent: 'fleet' }],
  ['/api/tags/zz', { id: 'zz', info: {} }],
  ['/api/definitions/other/zz', { id: 'other/zz', owner: 'zz', title: 'Other' }],
  ['/api/policies/GLOBAL-2', { id: 'GLOBAL-2', name: 'Other', status: 'Draft' }],
  ['/api/sourcesystems/zz', { id: 'zz', name: 'Other', owner: 'zz' }],
  [
    '/api/classification-schemes/zz',
    { externalId: 'zz', name: 'Other', classifications: [{ externalId: 'one', name: 'One' }] },
  ],
  ['/api/assets/zz', { id: 'zz', info: { name: 'zz', type: 'table', source: 'x', owner: 'zz' } }],
  ['/api/datacontracts/zz', odcs('zz', { team: { name: 'zz' } })],
  [
    '/api/dataproducts/zz',
    odps('zz', { team: { name: 'zz' }, outputPorts: [{ name: 'o', contractId: 'zz' }] }),
  ],
  [
    '/api/access/zz',
    {
      id: 'zz',
      info: { purpose: 'Other' },
      provider: { dataProductId: 'zz', outputPortId: 'o' },
      consumer: { teamId: 'zz' },
    },
  ],
  ['/api/example-data/zz', { id: 'zz', dataProductId: 'zz', schemaName: 'o', data: {} }],
]

/** Reads the files of a folder by their paths. */
function readFolder(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => name.endsWith('.yaml'))
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}
