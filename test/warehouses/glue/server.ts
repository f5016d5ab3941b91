/**
 * The Data Catalog of AWS Glue on a model in memory, written from the public reference of its API: the JSON 1.1
 * protocol with pages, AssumeRole of AWS STS, and GetResourceLFTags of Lake Formation. Every signature is verified.
 */

import { startScriptedServer } from '../scripted-server.ts'
import { isSignatureValid, parseAuthorization, type SignedRequest } from './signature.ts'

/** A table as the server lists it, without the name of its database. */
export type GlueTableEntry = { Name: string } & Record<string, unknown>

/** A permission of a principal; without a resource it is that of the request. */
export interface GluePermission {
  principal: string
  permissions: readonly string[]
  grantable?: readonly string[]
  resource?: Record<string, unknown>
  condition?: string
}

/** The contents and behaviour of a server, which a test changes between runs. */
export interface GlueModel {
  account: string
  region: string
  /** Tables by database. */
  databases: Record<string, GlueTableEntry[]>
  /** Further fields of databases. */
  details: Record<string, Record<string, unknown>>
  /** Databases of other accounts, by account. */
  shared: Record<string, Record<string, GlueTableEntry[]>>
  /** Tables that listings do not show, as `database.table`. */
  hidden: Set<string>
  /** Names of databases whose tables are not shown; `*` denies their listing. */
  denied: Set<string>
  /** The accepted keys by their ids. */
  keys: Map<string, { secret: string; token?: string; isExpired?: boolean }>
  role: { arn: string; externalId: string | undefined; lifetimeSeconds: number }
  /** The answers of Lake Formation by `database` or `database.table`. */
  tags: Record<string, unknown>
  /** The permissions of Lake Formation by `database.table`; `database.*` = all tables. */
  permissions: Record<string, readonly GluePermission[]>
  administrators: { full: readonly string[]; readOnly: readonly string[] }
  /** The ARN of the keys. */
  callerArn: string
  pageSize: number
  /** Hosts for which requests may be signed: those of the server and of a proxy. */
  hosts: Set<string>
  /** Set to false behind a proxy that changes bodies. */
  checksSignatures: boolean
}

/** A running server. */
export interface GlueServer {
  url: string
  model: GlueModel
  close(): Promise<void>
}

interface Answer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** Starts an empty server on loopback. */
export async function startGlueServer(): Promise<GlueServer> {
  const model: GlueModel = {
    account: '123456789012',
    region: 'eu-central-1',
    databases: {},
    details: {},
    shared: {},
    hidden: new Set(),
    denied: new Set(),
    keys: new Map([['AKIATEST', { secret: 'canary-secret' }]]),
    role: {
      arn: 'arn:aws:iam::123456789012:role/portbook',
      externalId: undefined,
      lifetimeSeconds: 3600,
    },
    tags: {},
    permissions: {},
    administrators: { full: [], readOnly: ['arn:aws:iam::123456789012:user/portbook'] },
    callerArn: 'arn:aws:iam::123456789012:user/portbook',
    pageSize: 100,
    hosts: new Set(),
    checksSignatures: true,
  }
  const { url, close } = await startScriptedServer((request, body) => {
    const { method = '', url: target = '', headers } = request
    const { status, body: json, headers: more } = answer(model, { method, target, headers, body })
    const type = { 'content-type': 'application/x-amz-json-1.1' }
    return { status, headers: { ...type, ...more }, body: JSON.stringify(json) ?? '' }
  })
  model.hosts.add(new URL(url).host)
  return { url, model, close }
}

function answer(model: GlueModel, request: SignedRequest): Answer {
  const { target, headers, body, method } = request
  const operation = /^AWSGlue\.(\w+)$/.exec(String(headers['x-amz-target']))?.[1]
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  const service = isForm ? 'sts' : target === '/' ? 'glue' : 'lakeformation'
  const problem = findKeyProblem(model, request, service)
  if (problem !== undefined) return isForm ? rejectForm(problem) : reject(problem)
  if (method !== 'POST') return reject('UnknownOperationException')
  if (service === 'sts') return assumeRole(model, new URLSearchParams(body), headers.accept)
  const input = JSON.parse(body) as Record<string, unknown>
  if (target === '/GetResourceLFTags') return getTags(model, input)
  if (target === '/GetDataLakeSettings') return getSettings(model)
  if (target === '/ListPermissions') return getPermissions(model, input)
  const isJson = headers['content-type'] === 'application/x-amz-json-1.1'
  if (!isJson || operation === undefined) return reject('UnknownOperationException')
  // The real service reads the catalog of the key then, which may be another one.
  if (typeof input['CatalogId'] !== 'string') return emptyAnswer(operation)
  switch (operation) {
    case 'GetDatabases':
      return getDatabases(model, input)
    case 'GetTables':
      return getTables(model, input)
    case 'GetTable':
      return getTable(model, input)
    default:
      return reject('UnknownOperationException')
  }
}

function emptyAnswer(operation: string): Answer {
  return {
    status: 200,
    body: operation === 'GetDatabases' ? { DatabaseList: [] } : { TableList: [] },
  }
}

function reject(code: string, message = `${code} of the script`): Answer {
  return { status: 400, body: { __type: `com.amazonaws.glue#${code}`, Message: message } }
}

function rejectForm(code: string): Answer {
  const Code = FORM_CODES[code] ?? code
  return {
    status: 403,
    body: { Error: { Code, Message: `${Code} of the script`, Type: 'Sender' } },
  }
}

const FORM_CODES: Readonly<Record<string, string>> = {
  UnrecognizedClientException: 'InvalidClientTokenId',
  InvalidSignatureException: 'SignatureDoesNotMatch',
  ExpiredTokenException: 'ExpiredToken',
}

function findKeyProblem(
  model: GlueModel,
  request: SignedRequest,
  service: string,
): string | undefined {
  const authorization = parseAuthorization(request.headers.authorization)
  if (authorization === undefined) return 'MissingAuthenticationTokenException'
  const key = model.keys.get(authorization.accessKeyId)
  const token = request.headers['x-amz-security-token']
  if (key === undefined || key.token !== token) return 'UnrecognizedClientException'
  if (key.isExpired === true) return 'ExpiredTokenException'
  if (!model.checksSignatures) return undefined
  if (!authorization.scope.endsWith(`/${model.region}/${service}/aws4_request`)) {
    return 'InvalidSignatureException'
  }
  const isValid = [...model.hosts].some((host) =>
    isSignatureValid(request, authorization, key.secret, host),
  )
  return isValid ? undefined : 'InvalidSignatureException'
}

function assumeRole(
  { role, keys, callerArn }: GlueModel,
  form: URLSearchParams,
  accept = '',
): Answer {
  if (form.get('Action') === 'GetCallerIdentity') {
    const GetCallerIdentityResult = { Arn: callerArn }
    return { status: 200, body: { GetCallerIdentityResponse: { GetCallerIdentityResult } } }
  }
  const isAllowed =
    form.get('Action') === 'AssumeRole' &&
    form.get('RoleArn') === role.arn &&
    (form.get('ExternalId') ?? undefined) === role.externalId
  if (!isAllowed || accept !== 'application/json') return rejectForm('AccessDenied')
  const number = keys.size
  const issued = { secret: `canary-issued-${number}`, token: `canary-token-${number}` }
  keys.set(`ASIATEST${number}`, issued)
  const Credentials = {
    AccessKeyId: `ASIATEST${number}`,
    SecretAccessKey: issued.secret,
    SessionToken: issued.token,
    Expiration: Date.now() / 1000 + role.lifetimeSeconds,
  }
  return { status: 200, body: { AssumeRoleResponse: { AssumeRoleResult: { Credentials } } } }
}

function getDatabases(model: GlueModel, { CatalogId, ...input }: Record<string, unknown>): Answer {
  if (model.denied.has('*')) return reject('AccessDeniedException')
  const names = CatalogId === model.account ? Object.keys(model.databases) : []
  const databases = names.map((Name) => ({ Name, CatalogId, ...model.details[Name] }))
  return toPage(model, databases, 'DatabaseList', input)
}

function getTables(model: GlueModel, { CatalogId, ...input }: Record<string, unknown>): Answer {
  const name = String(input['DatabaseName'])
  if (model.denied.has(name)) return reject('AccessDeniedException')
  const tables = CatalogId === model.account ? model.databases[name] : undefined
  if (tables === undefined) return reject('EntityNotFoundException')
  const entries = tables
    .filter((table) => !model.hidden.has(`${name}.${table.Name}`))
    .map((table) => ({ DatabaseName: name, CatalogId, ...table }))
  return toPage(model, entries, 'TableList', input)
}

function getTable(
  model: GlueModel,
  { CatalogId, DatabaseName, Name }: Record<string, unknown>,
): Answer {
  const account = String(CatalogId)
  const databases = account === model.account ? model.databases : model.shared[account]
  const name = String(DatabaseName)
  const isHidden = model.hidden.has(`${name}.${String(Name)}`)
  if (isHidden || model.denied.has(name)) return reject('AccessDeniedException')
  const table = databases?.[name]?.find((each) => each.Name === Name)
  return table === undefined
    ? reject('EntityNotFoundException')
    : { status: 200, body: { Table: table } }
}

function toPage(
  { pageSize }: GlueModel,
  entries: readonly unknown[],
  list: string,
  input: Record<string, unknown>,
): Answer {
  const { MaxResults, NextToken = 'page-0' } = input
  const from = Number(/^page-(\d+)$/.exec(String(NextToken))?.[1])
  if (!Number.isInteger(MaxResults) || Number.isNaN(from)) return reject('InvalidInputException')
  const end = from + Math.min(Number(MaxResults), pageSize, 100)
  const next = end < entries.length ? { NextToken: `page-${end}` } : {}
  return { status: 200, body: { [list]: entries.slice(from, end), ...next } }
}

function toPrincipals(names: readonly string[]): object[] {
  return names.map((name) => ({ DataLakePrincipalIdentifier: name }))
}

function getSettings({ administrators }: GlueModel): Answer {
  const DataLakeSettings = {
    DataLakeAdmins: toPrincipals(administrators.full),
    ReadOnlyAdmins: toPrincipals(administrators.readOnly),
  }
  return { status: 200, body: { DataLakeSettings } }
}

function getPermissions(model: GlueModel, input: Record<string, unknown>): Answer {
  const { Table } = input['Resource'] as { Table: { DatabaseName: string; Name?: string } }
  const name = `${Table.DatabaseName}.${Table.Name ?? '*'}`
  if (model.denied.has(name)) return rejectInHeader('AccessDeniedException')
  const entries = (model.permissions[name] ?? []).map(
    ({ principal, permissions, grantable = [], resource, condition }) => ({
      Principal: { DataLakePrincipalIdentifier: principal },
      Resource: resource ?? { Table },
      Permissions: permissions,
      PermissionsWithGrantOption: grantable,
      ...(condition !== undefined && { Condition: { Expression: condition } }),
    }),
  )
  return toPage(model, entries, 'PrincipalResourcePermissions', input)
}

// This service names the error in a header.
function rejectInHeader(code: string): Answer {
  return {
    status: code === 'AccessDeniedException' ? 403 : 400,
    headers: { 'x-amzn-errortype': `${code}:http://internal.amazon.com/` },
    body: { Message: 'of the script' },
  }
}

function getTags(model: GlueModel, { Resource }: Record<string, unknown>): Answer {
  const { Database, Table } = Resource as {
    Database?: { Name: string }
    Table?: { DatabaseName: string; Name: string }
  }
  const name = Table ? `${Table.DatabaseName}.${Table.Name}` : String(Database?.Name)
  const tags = model.tags[name]
  if (typeof tags === 'string') return rejectInHeader(tags)
  return { status: 200, body: tags ?? {} }
}
