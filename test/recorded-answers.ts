/**
 * Real responses of every operation of the API: to all actions of the permission matrix, and to every address of two
 * organizations with all kinds of data.
 */

import { RECORDS } from '../formats/record/kinds.ts'
import { api } from '../server/api.ts'
import { findRoutes } from '../server/requests/http/path.ts'
import type { Store } from '../server/store.ts'
import { FULL_ODCS } from './full-contracts.ts'
import { FULL_DCS } from './full-dcs.ts'
import { FULL_ODPS_1_1, fillSchema } from './full-products.ts'
import { fillStore } from './full-store.ts'
import { ROWS } from './permissions/rows.ts'
import { toRecordId } from './records.ts'
import { expectOk, newProduct, newWorld, type Product } from './world.ts'

/** A response with a body in JSON. */
export interface RecordedAnswer {
  method: string
  /** The path of the endpoint table: `/api/teams/{id}`. */
  route: string
  status: number
  mediaType: string
  text: string
}

/** The media type of lists whose lines are JSON. */
export const JSON_LINES = 'application/jsonl'

/** Takes a response. */
export type Recorder = (answer: RecordedAnswer) => void

/** Sends the request of every row of the permission matrix with the key of the organization, or else of an owner. */
export async function recordActions(store: Store, record: Recorder): Promise<void> {
  const world = await newWorld(newRecordedProduct(newProduct(store), record))
  for (const { route, request } of ROWS) {
    const [method = ''] = route.split(' ')
    const { path, body } = await request(world)
    // An endpoint that checks versions describes that, too.
    await world.as('O', method, path, { body, headers: { 'if-match': '"another"' } })
    const { ok } = await world.as('O', method, path, { body })
    if (!ok) await world.as('Uo', method, path, { body })
  }
}

/** Gets every address of two organizations, and plans the deletion of a document of each kind. */
export async function recordReads(store: Store, record: Recorder): Promise<void> {
  const { world, ingestionKey } = await fillStore(store)
  const { call } = newRecordedProduct(world, record)
  const key = world.keys.O
  await putFullDocuments((path, body) => expectOk(call('PUT', path, { key, body })))
  for (const one of [key, ingestionKey]) {
    await crawl(async (path) => {
      const response = await call('GET', path, { key: one, headers: JSON_ONLY })
      return response.ok && isJson(response) && !isLines(response)
        ? await response.json()
        : undefined
    })
  }
  for (const path of listKeptDocuments()) await call('DELETE', `${path}?dryRun=true`, { key })
}

const JSON_ONLY = { accept: 'application/json, application/*+json;q=0.9, application/jsonl;q=0.8' }

function newRecordedProduct(product: Product, record: Recorder): Product {
  return {
    ...product,
    async call(method, target, options) {
      const response = await product.call(method, target, options)
      const routes = findRoutes(api, target.split('?')[0] ?? '')
      const route = routes.find((one) => one.method === method)?.path
      if (route !== undefined && isJson(response)) {
        const mediaType = response.headers.get('content-type') ?? ''
        const text = await response.clone().text()
        record({ method, route, status: response.status, mediaType, text })
      }
      return response
    },
  }
}

function isJson({ headers }: Response): boolean {
  return /json/.test(headers.get('content-type') ?? '')
}

function isLines({ headers }: Response): boolean {
  return headers.get('content-type') === JSON_LINES
}

async function putFullDocuments(
  put: (path: string, body: object) => Promise<unknown>,
): Promise<void> {
  // The contracts name them as their domain and their team.
  for (const id of ['sales', 't']) await put(`/api/teams/${id}`, { id, name: id })
  const products = Object.entries({
    'odps-1.0': { ...fillSchema('odps-v1.0.0'), team: { name: 'a' } },
    'odps-1.1': { ...(FULL_ODPS_1_1 as object), name: 'Full', team: { name: 'a' } },
    dps: { ...fillSchema('dps-0.0.1'), info: { title: 'Full', owner: 'a' } },
  })
  for (const [id, body] of products) await put(`/api/dataproducts/${id}`, { ...body, id })
  for (const [version, body] of [...FULL_ODCS, ...FULL_DCS]) {
    const { info } = body
    const owner = info === undefined ? {} : { info: { ...(info as object), owner: 'a' } }
    const id = `full-${version}`
    const named = version.startsWith('v2') ? { uuid: id } : { id }
    await put(`/api/datacontracts/${id}`, { ...body, ...owner, ...named })
  }
}

function listKeptDocuments(): string[] {
  return [
    '/api/dataproducts/dps',
    '/api/datacontracts/promise',
    ...RECORDS.map((kind) => `${kind.collection}/${encodeURIComponent(toRecordId(kind, 'kept'))}`),
  ]
}

/** Ids for parameters whose values no list returns. */
const IDS: Readonly<Record<string, readonly string[]>> = {
  file: ['odcs.schema.json'],
  portId: ['out'],
  branch: ['b'],
}

/** The members of the items of a list that are ids, if they have another name than the parameter. */
const ID_MEMBERS: Readonly<Record<string, string>> = {
  email: 'emailAddress',
  channelId: 'id',
  deliveryId: 'id',
}

/** Queries with which addresses have other responses. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/api/events': ['?include=document&longPolling=false'],
  '/api/search': ['?query=kept', '?query=a'],
  '/api/activity': ['?format=jsonl'],
  '/api/datacontracts/{id}/export': ['odcs', 'json-schema', 'sql', 'avro', 'report'].map(
    (format) => `?format=${format}`,
  ),
}

/** Gets every address, with the ids that the lists return. */
async function crawl(get: (path: string) => Promise<unknown>): Promise<void> {
  const lists = new Map<string, unknown>()
  const fillIds = (template: string): string[] => {
    const [whole, prefix = '', parameter = ''] = /^(.*)\/\{(\w+)\}/.exec(template) ?? []
    if (whole === undefined) return [template]
    const rest = template.slice(whole.length)
    return fillIds(prefix).flatMap((list) =>
      (IDS[parameter] ?? listIds(lists.get(list), parameter)).map(
        (id) => `${list}/${encodeURIComponent(id)}${rest}`,
      ),
    )
  }
  const templates = api.filter(({ method }) => method === 'GET').map(({ path }) => path)
  for (const template of templates.toSorted((a, b) => countSegments(a) - countSegments(b))) {
    for (const path of fillIds(template)) {
      lists.set(path, await get(path))
      for (const query of QUERIES[template] ?? []) await get(`${path}${query}`)
    }
  }
}

function countSegments(path: string): number {
  return path.split('/').length
}

function listIds(list: unknown, parameter: string): string[] {
  if (!Array.isArray(list)) return []
  const member = ID_MEMBERS[parameter] ?? parameter
  return list.flatMap((item: Record<string, unknown>) =>
    member in item ? [String(item[member])] : [],
  )
}
