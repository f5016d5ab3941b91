/**
 * A BigQuery server on a model in memory, written from the public reference of the REST API: datasets, tables
 * and the token endpoint, which verifies the signature of a service account.
 */

import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { jwtVerify } from 'jose'
import { JSON_HEADERS, startScriptedServer } from '../scripted-server.ts'
import { getView, queryMetadata } from './metadata.ts'

/** A table as the server returns it, without the names of its containers. */
export type BigQueryTableEntry = { name: string } & Record<string, unknown>

/** A service account, and the JSON of its key. */
export interface ServiceAccount {
  publicKey: KeyObject
  email: string
  json: string
}

/** The contents and behaviour of a server, which a test changes between runs. */
export interface BigQueryModel {
  /** Tables by project and dataset. */
  projects: Record<string, Record<string, BigQueryTableEntry[]>>
  /** Further fields of datasets, by their dotted names. */
  details: Record<string, Record<string, unknown>>
  /** The bindings of policies of tables, by their dotted names. */
  policies: Record<string, readonly Record<string, unknown>[]>
  /** Dotted names of projects, datasets and tables that are not shown. */
  denied: Set<string>
  /** The accepted tokens; undefined = every request. */
  tokens: Set<string> | undefined
  account: ServiceAccount | undefined
  expiresInSeconds: number
  pageSize: number
  /** The project that runs queries; the others may not. */
  billingProject: string | undefined
  /** The number of answers that a query has before it is complete. */
  pendingAnswers: number
  rowsPerPage: number
  /** Other contents that some answers show: by the name of a view, or `tables.get`. */
  otherProjects: Record<string, BigQueryModel['projects']>
  /** The answers to queries of a view of INFORMATION_SCHEMA, or to their later pages: by its name. */
  rejectedViews: Record<string, ScriptedAnswer>
  /** The bodies of queries. */
  queries: Record<string, unknown>[]
  /** The view of the queries that run until they are cancelled; undefined = none. */
  held: string | undefined
  /** The ids of cancelled jobs. */
  cancelled: string[]
}

/** A running server. */
export interface BigQueryServer {
  url: string
  model: BigQueryModel
  /** Counts the jobs that have neither ended nor been cancelled. */
  countRunning(): number
  close(): Promise<void>
}

/** An answer of the server. */
export interface ScriptedAnswer {
  status: number
  body: unknown
}

/** Starts a server with an empty project on loopback. */
export async function startBigQueryServer(): Promise<BigQueryServer> {
  const model: BigQueryModel = {
    projects: { shop: {} },
    details: {},
    policies: {},
    denied: new Set(),
    tokens: undefined,
    account: undefined,
    expiresInSeconds: 3600,
    pageSize: 1000,
    billingProject: undefined,
    pendingAnswers: 0,
    rowsPerPage: 1000,
    otherProjects: {},
    rejectedViews: {},
    queries: [],
    held: undefined,
    cancelled: [],
  }
  const jobs: Jobs = new Map()
  const { url, close } = await startScriptedServer(async (request, text) => {
    const { status, body } = await answer(model, jobs, request, text)
    return { status, headers: JSON_HEADERS, body: JSON.stringify(body) ?? '' }
  })
  const countRunning = (): number => [...jobs.values()].filter(({ isOver }) => !isOver).length
  return { url, model, countRunning, close }
}

/** Creates a service account with a key whose audience is the token endpoint of Google. */
export function newServiceAccount(): ServiceAccount {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const email = 'portbook@shop.iam.gserviceaccount.com'
  const json = JSON.stringify({
    type: 'service_account',
    client_email: email,
    private_key_id: 'key-1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: 'https://oauth2.googleapis.com/token',
  })
  return { publicKey, email, json }
}

/** Creates the answer of a rejected request. */
export function reject(
  status: number,
  reason: string,
  message = `${reason} canary`,
): ScriptedAnswer {
  const error = { code: status, message, errors: [{ message, domain: 'global', reason }] }
  return { status, body: { error } }
}

async function answer(
  model: BigQueryModel,
  jobs: Jobs,
  { url = '', headers }: IncomingMessage,
  body: string,
): Promise<ScriptedAnswer> {
  const { pathname, searchParams } = new URL(url, 'http://bigquery')
  if (pathname === '/token') return await issueToken(model, new URLSearchParams(body))
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if (model.tokens !== undefined && !model.tokens.has(token)) return reject(401, 'authError')
  const [base, version, ...path] = pathname.slice(1).split('/').map(decodeURIComponent)
  if (base !== 'bigquery' || version !== 'v2') return reject(404, 'notFound')
  const [, project = '', collection = '', id = ''] = path
  if (/^(queries|jobs)$/.test(collection)) {
    return runJob(model, jobs, { project, id, isCancel: path[4] === 'cancel', body }, searchParams)
  }
  return getResource(model, path, searchParams)
}

interface Job {
  sql: string
  datasets: readonly string[]
  answers: number
  isOver: boolean
  isDryRun: boolean
}

type Jobs = Map<string, Job>

function runJob(
  model: BigQueryModel,
  jobs: Jobs,
  {
    project,
    id,
    isCancel,
    body,
  }: Record<'project' | 'id' | 'body', string> & { isCancel: boolean },
  query: URLSearchParams,
): ScriptedAnswer {
  if (project !== model.billingProject) {
    return reject(403, 'accessDenied', 'User does not have bigquery.jobs.create permission')
  }
  if (isCancel) {
    model.cancelled.push(id)
    const cancelled = jobs.get(id)
    if (cancelled !== undefined) cancelled.isOver = true
    return { status: 200, body: { kind: 'bigquery#jobCancelResponse' } }
  }
  const jobId = id || `job-${jobs.size + 1}`
  if (id === '') {
    const sent = JSON.parse(body) as Record<string, unknown>
    model.queries.push(sent)
    jobs.set(jobId, {
      sql: String(sent['query']),
      datasets: readDatasets(sent),
      answers: 0,
      isOver: false,
      isDryRun: sent['dryRun'] === true,
    })
  }
  const job = jobs.get(jobId)
  if (job === undefined) return reject(404, 'notFound')
  job.answers += 1
  const token = query.get('pageToken')
  const rejection = model.rejectedViews[`${getView(job.sql)}${token === null ? '' : ' page 2'}`]
  if (rejection !== undefined) {
    job.isOver = true
    return rejection
  }
  const jobReference = { projectId: project, jobId, location: 'EU' }
  // A dry run starts no job.
  const isHeld = !job.isDryRun && (model.held === '' || getView(job.sql) === model.held)
  if (isHeld || job.answers <= model.pendingAnswers) {
    return { status: 200, body: { jobReference, jobComplete: false } }
  }
  job.isOver = true
  const projects = model.otherProjects[getView(job.sql)] ?? model.projects
  const rows = queryMetadata({ ...model, projects }, job.sql, job.datasets)
  const from = Number(token ?? 0)
  const end = from + model.rowsPerPage
  return {
    status: 200,
    body: {
      jobReference,
      jobComplete: true,
      schema: { fields: [{ name: 'table_schema', type: 'STRING' }] },
      rows: rows.slice(from, end).map((row) => ({ f: row.map((v) => ({ v })) })),
      ...(end < rows.length ? { pageToken: String(end) } : {}),
    },
  }
}

function readDatasets(body: Record<string, unknown>): string[] {
  const [parameter] = body['queryParameters'] as {
    parameterValue: { arrayValues: { value: string }[] }
  }[]
  return (parameter?.parameterValue.arrayValues ?? []).map(({ value }) => value)
}

async function issueToken(model: BigQueryModel, form: URLSearchParams): Promise<ScriptedAnswer> {
  const { account, tokens } = model
  const rejection = { status: 400, body: { error: 'invalid_grant', error_description: 'canary' } }
  const isGrant = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  if (account === undefined || !isGrant) return rejection
  const rules = {
    issuer: account.email,
    audience: 'https://oauth2.googleapis.com/token',
    algorithms: ['RS256'],
    requiredClaims: ['iat', 'exp'],
  }
  try {
    const assertion = form.get('assertion') ?? ''
    const { payload, protectedHeader } = await jwtVerify(assertion, account.publicKey, rules)
    const isScoped = payload['scope'] === 'https://www.googleapis.com/auth/bigquery'
    if (!isScoped || protectedHeader.kid !== 'key-1') return rejection
  } catch {
    return rejection
  }
  const token = `canary-token-${(tokens?.size ?? 0) + 1}`
  tokens?.add(token)
  return { status: 200, body: { access_token: token, expires_in: model.expiresInSeconds } }
}

/** Answers `projects/p/datasets`, `…/d`, `…/d/tables` and `…/d/tables/t`. */
function getResource(
  model: BigQueryModel,
  [, project = '', , dataset, , resource]: readonly string[],
  query: URLSearchParams,
): ScriptedAnswer {
  const { projects, denied, details, policies } = model
  const [table, method] = resource?.split(':') ?? []
  const names = [project, dataset, table].filter((name) => name !== undefined)
  const isDenied = names.some((_, at) => denied.has(names.slice(0, at + 1).join('.')))
  if (isDenied) return reject(403, 'accessDenied')
  const datasets = projects[project]
  const reference = { projectId: project, datasetId: dataset }
  if (datasets === undefined) return reject(404, 'notFound')
  if (dataset === undefined) {
    const entries = Object.keys(datasets).map((name) => ({
      datasetReference: { projectId: project, datasetId: name },
      ...details[`${project}.${name}`],
    }))
    return list(model, 'datasets', entries, query)
  }
  const tables = datasets[dataset]
  if (tables === undefined) return reject(404, 'notFound')
  if (!query.has('maxResults') && table === undefined) {
    const { description, access, ...rest } = details[`${project}.${dataset}`] ?? {}
    const policy = access === undefined ? {} : { access: toAccess(access, query) }
    return { status: 200, body: { datasetReference: reference, description, ...policy, ...rest } }
  }
  const toAnswer = ({ name, ...fields }: BigQueryTableEntry) => ({
    tableReference: { ...reference, tableId: name },
    type: 'TABLE',
    ...fields,
  })
  if (table === undefined) {
    const entries = tables
      .map(toAnswer)
      .map(({ tableReference, type }) => ({ tableReference, type }))
    return list(model, 'tables', entries, query)
  }
  const shown = model.otherProjects['tables.get']?.[project]?.[dataset] ?? tables
  const entry = shown.find(({ name }) => name === table)
  if (entry === undefined) return reject(404, 'notFound')
  if (method === 'getIamPolicy') {
    const bindings = policies[`${project}.${dataset}.${table}`]
    return { status: 200, body: { etag: 'ACAB', ...(bindings && { version: 3, bindings }) } }
  }
  return { status: 200, body: toAnswer(entry) }
}

// Older versions of a policy have no conditions, and other names of their roles.
function toAccess(access: unknown, query: URLSearchParams): unknown {
  if (query.get('accessPolicyVersion') === '3' || !Array.isArray(access)) return access
  return access.map(({ condition, role, ...entry }: Record<string, unknown>) => ({
    ...entry,
    role: condition === undefined ? role : `${String(role)}_withcond_7a34`,
  }))
}

function list(
  model: BigQueryModel,
  listing: string,
  entries: readonly unknown[],
  query: URLSearchParams,
): ScriptedAnswer {
  const from = Number(query.get('pageToken')?.replace('page-', '') ?? 0)
  const size = Math.min(Number(query.get('maxResults')) || model.pageSize, model.pageSize)
  const page = entries.slice(from, from + size)
  const next = from + size < entries.length ? { nextPageToken: `page-${from + size}` } : {}
  // The real server leaves out empty lists.
  return { status: 200, body: { ...(page.length > 0 ? { [listing]: page } : {}), ...next } }
}
