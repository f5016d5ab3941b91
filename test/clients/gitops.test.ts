/**
 * GitOps pipelines that send each file of their folders with `curl`, as the vendor's public examples do: with
 * `Accept: *`/`*` and the id unencoded, so that its slashes are segments of the path.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { standardsFor } from '../standards.ts'
import { startInstallation, type Installation } from './client.ts'
import { GITOPS_DOCUMENTS, type GitopsDocument } from './gitops-documents.ts'

const ACCEPT = { accept: '*/*', 'content-type': 'application/json' }

describe('GitOps with curl', () => {
  let installation: Installation
  before(async () => {
    installation = await startInstallation()
  })
  after(async () => await installation.close())

  const onOrganization = async (use: (client: HttpClient) => Promise<void>): Promise<void> => {
    const client = newHttpClient(installation.url, await installation.newEmptyOrganization())
    try {
      await use(client)
    } finally {
      client.close()
    }
  }

  test('every folder loads, and loading it again changes nothing', async () => {
    await onOrganization(async (client) => {
      const load = async (): Promise<void> => {
        for (const [kind, documents] of Object.entries(GITOPS_DOCUMENTS)) {
          for (const document of documents) await put(client, kind, document)
        }
      }
      // The entity tag of a document changes with its version.
      const readTags = async (): Promise<Record<string, unknown>> => {
        const tags: Record<string, unknown> = {}
        for (const [kind, documents] of Object.entries(GITOPS_DOCUMENTS)) {
          for (const { id } of documents) {
            const path = `/api/${kind}/${id}`
            tags[path] = (await client.ok('GET', path)).headers.etag
          }
        }
        return tags
      }
      await load()
      const tags = await readTags()
      await load()
      assert.deepEqual(await readTags(), tags)
      assert.ok(Object.values(tags).every((tag) => typeof tag === 'string'))
    })
  })

  test('the public example files load', async (t) => {
    const files = (['dps', 'dcs'] as const).map((standard) => standardsFor(t, standard))
    if (files.includes(undefined)) return
    const documents = files
      .flatMap((one) => one ?? [])
      .filter(({ name }) => name.startsWith('gitops-'))
      .map(({ text }) => parse(text))
    assert.ok(documents.length > 0, 'no example file begins with "gitops-"')
    await onOrganization(async (client) => {
      for (const kind of Object.keys(GITOPS_DOCUMENTS)) {
        for (const document of documents.filter((each) => getKind(each) === kind)) {
          await put(client, kind, document)
        }
      }
    })
  })
})

async function put(client: HttpClient, kind: string, document: GitopsDocument): Promise<void> {
  const path = `/api/${kind}/${document.id}`
  const { status, text } = await client.send('PUT', path, { headers: ACCEPT, body: document })
  assert.equal(status, 200, `${path}: ${text}`)
  assert.partialDeepStrictEqual(JSON.parse((await client.ok('GET', path)).text), document)
}

/** Returns the folder of a public example by its content. */
function getKind(document: object): string {
  if ('outputPorts' in document) return 'dataproducts'
  if ('dataContractSpecification' in document) return 'datacontracts'
  return 'owner' in document ? 'sourcesystems' : 'teams'
}
