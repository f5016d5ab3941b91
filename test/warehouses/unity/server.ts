/**
 * A Unity Catalog server on a model in memory, written from the public reference of the Databricks REST API:
 * listings with pages, the OAuth token endpoint, and statements that the SQL warehouse runs.
 */

import type { IncomingMessage } from 'node:http'
import { JSON_HEADERS, startScriptedServer } from '../scripted-server.ts'

/** A table as the server lists it, without the names of its containers. */
export type UnityTable = { name: string } & Record<string, unknown>

/** The privileges of a principal; each may be followed by the kind of the object from which it is inherited: `SELECT from SCHEMA`. */
export interface UnityAssignment {
  principal: string
  privileges: readonly string[]
}

/** The contents and behaviour of a server, which a test changes between runs. */
export interface UnityModel {
  /** Tables by catalog and schema. */
  catalogs: Record<string, Record<string, UnityTable[]>>
  /** Further fields of catalogs and schemas, by their dotted names. */
  details: Record<string, Record<string, unknown>>
  /** Other contents whose columns the listing of tables shows. */
  listedColumns: Record<string, Record<string, UnityTable[]>> | undefined
  /** The grants on objects with those that they inherit, by their dotted names. */
  permissions: Record<string, readonly UnityAssignment[]>
  /** The account with its groups; undefined = the server does not show it. */
  me: { userName: string; groups: readonly string[] } | undefined
  metastoreOwner: string
  /** Dotted names of tables that listings do not show. */
  hidden: Set<string>
  /** Dotted names of catalogs and schemas whose contents are not shown. */
  denied: Set<string>
  /** The accepted tokens; undefined = every request. */
  tokens: Set<string> | undefined
  client: { id: string; secret: string; expiresInSeconds: number }
  pageSize: number
  /** The states that a statement has before it succeeds. */
  pendingStates: number
  /** The chunks of rows that a statement returns: by a part of its text. */
  results: Record<string, (string | null)[][][] | { error_code: string; message: string }>
  /** A statement with more rows fails, as its result is too large. */
  rowsMax: number
  /** A part of the statements that run until they are cancelled; undefined = none. */
  held: string | undefined
  /** The ids of cancelled statements. */
  cancelled: string[]
}

/** A running server. */
export interface UnityServer {
  url: string
  model: UnityModel
  /** Counts the statements that have neither ended nor been cancelled. */
  countRunning(): number
  close(): Promise<void>
}

interface Answer {
  status: number
  body: unknown
}

interface Statement {
  text: string
  /** The values of its parameters by name. */
  parameters: Record<string, string>
  isOver: boolean
  polls: number
}

/** Starts an empty server on loopback. */
export async function startUnityServer(): Promise<UnityServer> {
  const model: UnityModel = {
    catalogs: {},
    details: {},
    permissions: {},
    me: { userName: 'portbook@example.com', groups: [] },
    metastoreOwner: 'admins',
    listedColumns: undefined,
    hidden: new Set(),
    denied: new Set(),
    tokens: undefined,
    client: { id: 'portbook', secret: 'canary-secret', expiresInSeconds: 3600 },
    pageSize: 50,
    pendingStates: 0,
    results: {},
    rowsMax: Infinity,
    held: undefined,
    cancelled: [],
  }
  const statements = new Map<string, Statement>()
  const { url, close } = await startScriptedServer((request, text) => {
    const { status, body } = answer(model, statements, request, text)
    return { status, headers: JSON_HEADERS, body: JSON.stringify(body) ?? '' }
  })
  const countRunning = (): number => [...statements.values()].filter(({ isOver }) => !isOver).length
  return { url, model, countRunning, close }
}

function answer(
  model: UnityModel,
  statements: Map<string, Statement>,
  { url = '', headers }: IncomingMessage,
  body: string,
): Answer {
  const { pathname, searchParams } = new URL(url, 'http://unity')
  if (pathname === '/oidc/v1/token') return issueToken(model, headers.authorization, body)
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if (model.tokens !== undefined && !model.tokens.has(token)) return reject(401, 'UNAUTHENTICATED')
  const access = answerAccess(model, pathname, searchParams)
  if (access !== undefined) return access
  const asked = /^\/api\/2\.1\/unity-catalog\/tables\/([^/]+)\/exists$/.exec(pathname)?.[1]
  if (asked !== undefined) {
    const { status } = getTable(model, decodeURIComponent(asked))
    if (status === 403) return reject(403, 'PERMISSION_DENIED')
    return { status: 200, body: { table_exists: status === 200 } }
  }
  const name = /^\/api\/2\.1\/unity-catalog\/tables\/([^/]+)$/.exec(pathname)?.[1]
  if (name !== undefined) return getTable(model, decodeURIComponent(name))
  const listing = /^\/api\/2\.1\/unity-catalog\/(catalogs|schemas|tables)$/.exec(pathname)?.[1]
  if (listing !== undefined) return list(model, listing, searchParams)
  const statement = /^\/api\/2\.0\/sql\/statements(?:\/([\w-]+)(\/.+)?)?$/.exec(pathname)
  if (statement === null) return reject(404, 'ENDPOINT_NOT_FOUND')
  const [, id = `statement-${statements.size + 1}`, action = ''] = statement
  if (action === '/cancel') {
    model.cancelled.push(id)
    const cancelled = statements.get(id)
    if (cancelled !== undefined) cancelled.isOver = true
    return { status: 200, body: {} }
  }
  if (statement[1] === undefined) {
    const { statement: text, parameters: given } = JSON.parse(body) as {
      statement: string
      parameters: { name: string; value: string }[]
    }
    const parameters = Object.fromEntries(given.map(({ name, value }) => [name, value]))
    statements.set(id, { text, parameters, polls: 0, isOver: false })
  }
  return runStatement(
    model,
    id,
    statements.get(id),
    Number(/(\d+)$/.exec(action)?.[1] ?? Number.NaN),
  )
}

function answerAccess(
  { me, metastoreOwner, permissions, denied, pageSize }: UnityModel,
  pathname: string,
  query: URLSearchParams,
): Answer | undefined {
  if (pathname === '/api/2.0/preview/scim/v2/Me') {
    if (me === undefined) return reject(404, 'ENDPOINT_NOT_FOUND')
    const groups = me.groups.map((display) => ({ display, type: 'direct' }))
    return { status: 200, body: { userName: me.userName, groups } }
  }
  if (pathname === '/api/2.1/unity-catalog/metastore_summary') {
    return { status: 200, body: { owner: metastoreOwner } }
  }
  const [, name] =
    /^\/api\/2\.1\/unity-catalog\/effective-permissions\/[A-Z]+\/([^/]+)$/.exec(pathname) ?? []
  if (name === undefined) return undefined
  if (query.get('max_results') === null) return reject(400, 'UC-PGRQD')
  const path = decodeURIComponent(name)
  if (denied.has(path)) return reject(403, 'PERMISSION_DENIED')
  const all = (permissions[path] ?? []).map(({ principal, privileges }) => ({
    principal,
    privileges: privileges.map((text) => {
      const [privilege, from] = text.split(' from ')
      return { privilege, ...(from && { inherited_from_type: from }) }
    }),
  }))
  const from = Number(query.get('page_token') ?? 0)
  const next = from + pageSize < all.length ? { next_page_token: String(from + pageSize) } : {}
  const page = all.slice(from, from + pageSize)
  return {
    status: 200,
    body: { ...(page.length > 0 && { privilege_assignments: page }), ...next },
  }
}

function issueToken({ client, tokens }: UnityModel, authorization = '', body: string): Answer {
  const pair = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
  const form = new URLSearchParams(body)
  const isKnown = pair === `${client.id}:${client.secret}` && form.get('scope') === 'all-apis'
  if (!isKnown) return { status: 401, body: { error: 'invalid_client' } }
  const token = `canary-token-${(tokens?.size ?? 0) + 1}`
  tokens?.add(token)
  return { status: 200, body: { access_token: token, expires_in: client.expiresInSeconds } }
}

function reject(status: number, code: string): Answer {
  return { status, body: { error_code: code, message: `${code} of the script` } }
}

function list(model: UnityModel, listing: string, query: URLSearchParams): Answer {
  if (!query.has('max_results')) return reject(400, 'UC-PGRQD')
  const [catalog, schema] = [query.get('catalog_name') ?? '', query.get('schema_name') ?? '']
  const parent = [catalog, schema].filter((name) => name !== '').join('.')
  if (model.denied.has(parent)) return reject(403, 'PERMISSION_DENIED')
  const details = (name: string) => model.details[parent === '' ? name : `${parent}.${name}`]
  const children = { catalogs: model.catalogs, schemas: model.catalogs[catalog] }[listing]
  const entries =
    listing === 'tables'
      ? model.catalogs[catalog]?.[schema]
          ?.filter(({ name }) => !model.hidden.has(`${parent}.${name}`))
          .map((table) => ({
            ...table,
            columns:
              query.get('omit_columns') === 'true'
                ? undefined
                : getListedColumns(model, catalog, schema, table),
          }))
      : children && Object.keys(children).map((name) => ({ name, ...details(name) }))
  if (entries === undefined) return reject(404, 'NOT_FOUND')
  const from = Number(query.get('page_token') ?? 0)
  const size = Math.min(Number(query.get('max_results')) || model.pageSize, model.pageSize)
  const next = from + size < entries.length ? { next_page_token: String(from + size) } : {}
  // The real server leaves out empty lists.
  const page = entries.slice(from, from + size)
  return { status: 200, body: { ...(page.length > 0 ? { [listing]: page } : {}), ...next } }
}

function getListedColumns(
  { listedColumns }: UnityModel,
  catalog: string,
  schema: string,
  table: UnityTable,
): unknown {
  if (listedColumns === undefined) return table['columns']
  return listedColumns[catalog]?.[schema]?.find(({ name }) => name === table.name)?.['columns']
}

function getTable({ catalogs, denied }: UnityModel, fullName: string): Answer {
  const [catalog = '', schema = '', name = ''] = fullName.split('.')
  if (denied.has(`${catalog}.${schema}`)) return reject(403, 'PERMISSION_DENIED')
  const table = catalogs[catalog]?.[schema]?.find((each) => each.name === name)
  return table === undefined ? reject(404, 'TABLE_DOES_NOT_EXIST') : { status: 200, body: table }
}

const TOO_LARGE = {
  error_code: 'BAD_REQUEST',
  message:
    'Inline byte limit exceeded. Statements executed with disposition=INLINE can have a result size of at most 26214400 bytes.',
}

/** Selects the rows of a statement: those after a table, in one chunk if there are more than its limit. */
function selectRows({ results, rowsMax }: UnityModel, { text, parameters }: Statement) {
  const chunks = Object.entries(results).find(([part]) => text.includes(part))?.[1] ?? []
  if (!Array.isArray(chunks)) return chunks
  const { after } = parameters
  const limit = Number(/ limit (\d+)$/.exec(text)?.[1] ?? Infinity)
  const rows = chunks.flat()
  const rest = after === undefined ? rows : rows.filter(([table]) => table != null && table > after)
  if (Math.min(rest.length, limit) > rowsMax) return TOO_LARGE
  return after === undefined && rest.length <= limit ? chunks : [rest.slice(0, limit)]
}

function runStatement(
  model: UnityModel,
  id: string,
  statement: Statement | undefined,
  chunkIndex: number,
): Answer {
  if (statement === undefined) return reject(404, 'NOT_FOUND')
  const { pendingStates, held } = model
  const found = selectRows(model, statement)
  const isError = !Array.isArray(found)
  const toChunk = (index: number) => ({
    chunk_index: index,
    data_array: isError ? [] : (found[index] ?? []),
    ...(!isError && index + 1 < found.length ? { next_chunk_index: index + 1 } : {}),
  })
  if (!Number.isNaN(chunkIndex)) return { status: 200, body: toChunk(chunkIndex) }
  statement.polls += 1
  const answerWith = (state: string, more: object): Answer => ({
    status: 200,
    body: { statement_id: id, status: { state, ...(isError ? { error: found } : {}) }, ...more },
  })
  const isHeld = held !== undefined && statement.text.includes(held)
  if (isHeld || statement.polls <= pendingStates) return answerWith('RUNNING', {})
  statement.isOver = true
  if (isError) return answerWith('FAILED', {})
  return answerWith('SUCCEEDED', { manifest: { truncated: false }, result: toChunk(0) })
}
