/** Checks the responses to random requests against the OpenAPI document. */

import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isScimPath } from '../server/requests/http/scim-problem.ts'
import type { Outcome, WireAnswer } from './fuzz-connection.ts'
import type { FuzzRequest, KeyOwner, Operation } from './fuzz-pool.ts'
import type { Shape } from './fuzz-shapes.ts'

// Above this size, a body may be rejected while it is still written, and the response may get lost.
const BODY_BYTES_SURE = 64 * 1024

/** The parts of an OpenAPI document from which requests are generated. */
export interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, Shape>; responses: Record<string, ApiResponse> }
}

interface OpenApiOperation {
  parameters?: {
    name: string
    in: string
    required?: boolean
    schema: { enum?: string[]; type?: string }
  }[]
  requestBody?: { content: Record<string, { schema: Shape }> }
  responses: Record<string, ApiResponse | { $ref: string }>
}

interface ApiResponse {
  content?: Record<string, unknown>
}

/** The operations of an OpenAPI document with their possible responses. */
export interface Description {
  operations: Operation[]
  /** Schemas to which the bodies of operations refer. */
  components: Readonly<Record<string, Shape>>
  /** Lists the problems of a JSON value according to its schema. */
  flawsIn(
    operation: Operation,
    status: number,
    mediaType: string,
    value: unknown,
  ): string | undefined
}

/** Reads an OpenAPI document. */
export function describeApi(document: OpenApi): Description {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const validators = new Map<string, ValidateFunction>()
  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      getOperation(template, method, operation, document.components.responses),
    ),
  )
  return {
    operations,
    components: document.components.schemas,
    flawsIn({ method, template }, status, mediaType, value) {
      const answer = document.paths[template]?.[method.toLowerCase()]?.responses[String(status)]
      const pointer =
        answer !== undefined && '$ref' in answer
          ? ['components', 'responses', getName(answer.$ref)]
          : ['paths', template, method.toLowerCase(), 'responses', status]
      const path = [...pointer, 'content', mediaType, 'schema']
        .map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))
        .map(encodeURIComponent)
        .join('/')
      const validate = validators.get(path) ?? ajv.compile({ $ref: `openapi#/${path}` })
      validators.set(path, validate)
      return validate(value) ? undefined : ajv.errorsText(validate.errors)
    },
  }
}

function getOperation(
  template: string,
  method: string,
  described: OpenApiOperation,
  responses: Readonly<Record<string, ApiResponse>>,
): Operation {
  const queryNames = (described.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required = false, schema }) => ({
      name,
      required,
      values: saneValues(name, schema),
    }))
  const answers = Object.entries(described.responses).map(
    ([status, answer]): [number, string[]] => {
      const response = '$ref' in answer ? responses[getName(answer.$ref)] : answer
      return [Number(status), Object.keys(response?.content ?? {})]
    },
  )
  return {
    method: method.toUpperCase(),
    template,
    queryNames,
    bodyMediaTypes: Object.keys(described.requestBody?.content ?? {}),
    bodyShape: described.requestBody?.content['application/json']?.schema,
    answers: new Map(answers),
  }
}

function getName(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}

function saneValues(name: string, schema: { enum?: string[]; type?: string }): string[] {
  if (schema.enum !== undefined) return schema.enum
  if (schema.type === 'boolean') return ['true', 'false']
  if (schema.type === 'integer') return ['0', '1', '2']
  if (name === 'asOf') return ['2026-01-01T00:00:00Z', '2999-01-01T00:00:00Z']
  if (name === 'from' || name === 'to') return ['1', '2', '3']
  return ['a', 'b', 'active', 'product', 'p', 'T', 'member@example.test']
}

// Its schema is that of a line.
const JSON_LINES = 'application/jsonl'

// Responses that the server sends before it has determined the operation.
const FRAMING_STATUSES = [400, 408, 431]

/** Checks that the document describes the response; returns the operation of the request. */
export function judge(
  request: FuzzRequest,
  outcome: Outcome,
  described: Description,
  canaries: Record<'A' | 'B', string[]>,
): Operation | undefined {
  const operation = operationMeant(request, described.operations)
  if (outcome === 'closed') {
    const isLarge = (request.body?.length ?? 0) > BODY_BYTES_SURE
    const mayEnd =
      isLarge || request.headers.some(([name]) => /^(upgrade|connection|expect)$/.test(name))
    assert.ok(mayEnd, 'the connection ended without a response')
    return operation
  }
  const { status, headers, body } = outcome
  for (const canary of hiddenFrom(request.keyOwner, canaries)) {
    assert.ok(!body.includes(canary) && !JSON.stringify([...headers]).includes(canary), 'a leak')
  }
  const isBusy = status === 503 && headers.has('retry-after')
  // Parts of a standard that are not offered, which the description names.
  const isMissingPart = status === 501 && operation?.answers.has(501) === true
  assert.ok(status < 500 || isBusy || isMissingPart, `${status}: ${body}`)
  const isFraming = !headers.has('x-request-id')
  if (isFraming) {
    assert.ok(
      FRAMING_STATUSES.includes(status),
      `unexpected status ${status} before routing: ${body}`,
    )
    assertProblem(outcome, request, '/')
    return operation
  }
  const path = request.target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/)[0] || '/'
  const isApi = path === '/api' || path.startsWith('/api/')
  if (request.keyOwner === 'none' && isApi) assert.equal(status, 401, body)
  // One error (a run is in progress) has a special form for existing clients.
  const mediaTypes = operation?.answers.get(status) ?? []
  const isOwnForm = status === 409 && mediaTypes.includes('application/json')
  if (status >= 400 && !isOwnForm) assertProblem(outcome, request, path)
  if (operation === undefined) {
    // A session must prove the origin of a change, at any address.
    const isForged = status === 403 && request.headers.some(([name]) => name === 'cookie')
    const isUnrouted = [400, 401, 404, 405, 429].includes(status) || isForged
    if (isApi) assert.ok(isUnrouted, `${status} without an operation`)
    return undefined
  }
  assertDescribed(operation, outcome, request, described)
  return operation
}

function hiddenFrom(owner: KeyOwner, canaries: Record<'A' | 'B', string[]>): string[] {
  if (owner === 'A') return canaries.B
  return owner === 'B' ? canaries.A : [...canaries.A, ...canaries.B]
}

function operationMeant(
  { method, target }: FuzzRequest,
  operations: readonly Operation[],
): Operation | undefined {
  const segments = (target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/)[0] ?? '').split('/')
  const asked = method === 'HEAD' ? 'GET' : method
  return operations.find((operation) => {
    const parts = operation.template.split('/')
    return (
      operation.method === asked &&
      parts.length === segments.length &&
      parts.every((part, index) =>
        part.startsWith('{') ? segments[index] !== '' : part === segments[index],
      )
    )
  })
}

function assertDescribed(
  operation: Operation,
  { status, headers, body }: WireAnswer,
  { method }: FuzzRequest,
  described: Description,
): void {
  const name = `${operation.method} ${operation.template}`
  const mediaTypes = operation.answers.get(status)
  assert.ok(mediaTypes !== undefined, `${name} does not describe ${status}: ${body}`)
  const mediaType = headers.get('content-type')
  if (mediaTypes.length === 0) {
    assert.deepEqual([mediaType, body], [undefined, ''], `${name} describes no body for ${status}`)
    return
  }
  // A deletion returns a plan only in a dry run.
  if (operation.method === 'DELETE' && mediaType === undefined && body === '') return
  assert.ok(mediaType !== undefined && mediaTypes.includes(mediaType), `${name}: ${mediaType}`)
  if (method === 'HEAD' || !mediaType.includes('json')) return
  // A document comes back as it was sent, also with a byte order mark.
  const text = body.replace(/^\uFEFF/, '')
  const texts = mediaType === JSON_LINES ? text.split('\n').filter((line) => line !== '') : [text]
  for (const one of texts) {
    const flaws = described.flawsIn(operation, status, mediaType, JSON.parse(one))
    assert.equal(flaws, undefined, `${name} ${status}: ${one.slice(0, 2000)}`)
  }
}

function assertScimError({ headers, status, body }: WireAnswer, method: string): void {
  assert.equal(headers.get('content-type'), 'application/scim+json')
  if (method === 'HEAD') return
  const error = JSON.parse(body)
  assert.equal(error.status, String(status))
  assert.ok(typeof error.detail === 'string' && error.detail !== '', body)
}

function assertProblem(answer: WireAnswer, { method }: FuzzRequest, path: string): void {
  if (isScimPath(path)) {
    assertScimError(answer, method)
    return
  }
  assert.equal(answer.headers.get('content-type'), 'application/problem+json')
  if (method === 'HEAD') return
  const problem = JSON.parse(answer.body)
  assert.deepEqual([problem.status, problem.instance], [answer.status, path])
  for (const name of ['type', 'title', 'detail']) {
    assert.ok(typeof problem[name] === 'string' && problem[name] !== '', answer.body)
  }
  if (answer.status === 401) assert.ok(answer.headers.has('www-authenticate'))
  if (answer.status === 405) assert.ok(answer.headers.has('allow'))
  if ([429, 503].includes(answer.status)) assert.ok(answer.headers.has('retry-after'))
}
