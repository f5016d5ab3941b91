/**
 * A Snowflake account on a model in memory, written from the public reference of the SQL API: statements
 * with handles, partitions and cancellation, and tokens of every kind.
 */

import { createHash, verify } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import { startScriptedServer } from '../scripted-server.ts'
import { newSnowflakeModel, type ModelError, type SnowflakeModel } from './model.ts'
import { runStatement, type ModelRow } from './statements.ts'

/** A running server. */
export interface SnowflakeServer {
  url: string
  model: SnowflakeModel
  /** Counts the submitted statements that have neither ended nor been cancelled. */
  countRunning(): number
  close(): Promise<void>
}

interface Answer {
  status: number
  body: unknown
}

interface Statement {
  handle: string
  sql: string
  isOver: boolean
  result: ModelRow[] | ModelError
  polls: number
}

/** Starts an empty account on loopback. */
export async function startSnowflakeServer(): Promise<SnowflakeServer> {
  const model = newSnowflakeModel()
  const statements = new Map<string, Statement>()
  const { url, close } = await startScriptedServer((request, text) => {
    const { status, body } = answer(model, statements, request, text)
    const json = JSON.stringify(body) ?? ''
    const isCompressed = request.headers['accept-encoding'] === 'gzip'
    const headers = {
      'content-type': 'application/json',
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    }
    return { status, headers, body: isCompressed ? gzipSync(json) : json }
  })
  const countRunning = (): number =>
    new Set(statements.values().filter(({ isOver }) => !isOver)).size
  return { url, model, countRunning, close }
}

function answer(
  model: SnowflakeModel,
  statements: Map<string, Statement>,
  { url = '', headers, method }: IncomingMessage,
  body: string,
): Answer {
  const { pathname, searchParams } = new URL(url, 'http://snowflake')
  if (pathname === '/oauth/token') return issueToken(model, body)
  const rejection = findRejection(model, headers)
  if (rejection !== undefined) return reject(401, rejection)
  if (!headers['user-agent']) return reject(400, '391911')
  const path = /^\/api\/v2\/statements(?:\/([\w-]+)(\/cancel)?)?$/.exec(pathname)
  if (path === null) return { status: 404, body: undefined }
  const [, handle, cancel] = path
  if (cancel !== undefined) {
    model.cancelled.push(handle ?? '')
    const statement = statements.get(handle ?? '')
    if (statement !== undefined) statement.isOver = true
    return { status: 200, body: { code: '000604', message: 'cancelled', statementHandle: handle } }
  }
  if (method === 'GET') {
    const statement = statements.get(handle ?? '')
    if (statement === undefined) return reject(404, '391902')
    const partition = searchParams.get('partition')
    return partition === null
      ? poll(model, statement)
      : { status: 200, body: { data: toData(model, statement, Number(partition)) } }
  }
  return submit(model, statements, searchParams, body)
}

function submit(
  model: SnowflakeModel,
  statements: Map<string, Statement>,
  query: URLSearchParams,
  text: string,
): Answer {
  const id = query.get('requestId')
  if (id === null) return reject(400, '391913')
  const known = statements.get(id)
  // Without `retry`, a repeated request runs the statement again.
  if (known !== undefined && query.get('retry') === 'true') return poll(model, known)
  const body = JSON.parse(text) as Record<string, unknown>
  const sql = String(body['statement']).trim()
  model.bodies.push(body)
  model.statements.push(sql)
  const handle = `handle-${model.statements.length}`
  const statement = { handle, sql, result: runStatement(model, sql), polls: 0, isOver: false }
  statements.set(id, statement)
  statements.set(handle, statement)
  return poll(model, statement)
}

function poll(model: SnowflakeModel, statement: Statement): Answer {
  const { handle, result, sql } = statement
  statement.polls += 1
  const isHeld = model.held !== undefined && sql.includes(model.held)
  if (isHeld || statement.polls <= model.pendingPolls) {
    return { status: 202, body: { code: '333334', message: 'running', statementHandle: handle } }
  }
  statement.isOver = true
  if (!Array.isArray(result)) return { status: 422, body: { ...result, statementHandle: handle } }
  const names = listNames(result)
  const size = model.rowsPerPartition
  const partitions = Math.ceil(result.length / size)
  return {
    status: 200,
    body: {
      code: '090001',
      statementHandle: handle,
      resultSetMetaData: {
        numRows: result.length,
        format: 'jsonv2',
        // The platform names selected columns in upper case.
        rowType: names.map((name) => ({ name: name.toUpperCase(), type: 'text' })),
        partitionInfo: Array.from({ length: partitions }, (_, at) => ({
          rowCount: Math.min(size, result.length - at * size),
          uncompressedSize: 1,
        })),
      },
      data: toData(model, statement, 0),
    },
  }
}

function toData(
  { rowsPerPartition }: SnowflakeModel,
  { result }: Statement,
  partition: number,
): unknown[] {
  if (!Array.isArray(result)) return []
  const names = listNames(result)
  const from = partition * rowsPerPartition
  return result
    .slice(from, from + rowsPerPartition)
    .map((row) => names.map((name) => (row[name] == null ? null : String(row[name]))))
}

function listNames(rows: readonly ModelRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}

function issueToken({ client, tokens }: SnowflakeModel, body: string): Answer {
  const form = new URLSearchParams(body)
  const isKnown = form.get('client_id') === client.id && form.get('client_secret') === client.secret
  if (!isKnown) return { status: 401, body: { error: 'invalid_client' } }
  const token = `canary-oauth-${tokens.size}`
  tokens.add(token)
  return { status: 200, body: { access_token: token, expires_in: client.expiresInSeconds } }
}

/** Returns the code of the rejection of a request's credentials; undefined if they are accepted. */
function findRejection(model: SnowflakeModel, headers: IncomingHttpHeaders): string | undefined {
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if (model.rejections > 0) {
    model.rejections -= 1
    return '390318'
  }
  switch (String(headers['x-snowflake-authorization-token-type'])) {
    case 'KEYPAIR_JWT':
      return isSigned(model, token) ? undefined : '390144'
    case 'PROGRAMMATIC_ACCESS_TOKEN':
      return model.tokens.has(token) ? undefined : '394400'
    case 'OAUTH':
      return model.tokens.has(token) ? undefined : '390303'
    default:
      return '390101'
  }
}

function isSigned({ user }: SnowflakeModel, token: string): boolean {
  const { publicKey, account, name } = user
  const [header = '', payload = '', signature = ''] = token.split('.')
  if (publicKey === undefined || payload === '') return false
  const [head, claims] = [header, payload].map(
    (part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>,
  )
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const fingerprint = createHash('sha256').update(der).digest('base64')
  const [issuedAt, expiresAt] = [Number(claims?.['iat']), Number(claims?.['exp'])]
  return (
    head?.['alg'] === 'RS256' &&
    claims?.['iss'] === `${account}.${name}.SHA256:${fingerprint}` &&
    claims['sub'] === `${account}.${name}` &&
    expiresAt - issuedAt <= 3600 &&
    expiresAt > Date.now() / 1000 &&
    verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    )
  )
}

function reject(status: number, code: string): Answer {
  return { status, body: { code, message: `${code} of the script` } }
}
