import { getField, isObject, type Value } from '../../../formats/text/value.ts'
import { ApiError } from '../../platform/errors.ts'
import { readDocument } from '../../requests/http/document.ts'
import { getAttribute, readAttributes } from './attributes.ts'
import { TERMINATOR, toSpanKey, TRACE_LIMITS, type SpanBatch, type SpanColumns } from './span.ts'
import type { Task } from '../../requests/http/offload.ts'

// Reads traces in the JSON form of OTLP (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): 64-bit
// integers are texts or numbers, and fields that are not defined are ignored.

/** The names in the attributes of a span; empty if an attribute is missing. */
interface SpanNames {
  productId: string
  contractId: string
  port: string
  user: string
  role: string
  accessId: string
}

/** A span that can be stored. */
interface ReadSpan extends SpanNames {
  source: number
  rowCount: string
  startedAt: string
  json: string
}

/** The resource and the scope of spans. */
interface SpanSource {
  /** The names in the attributes of the resource, which have priority over those of a span. */
  names: Record<'productId' | 'port' | 'contractId', string | undefined>
  resourceJson: string
  scopeJson: string
  scopeName: string
}

const REASONS_MAX = 3
const NODES_MAX = 1_000_000
// A double has 15 exact digits. In a text, the quotation mark before a colon is escaped.
const LONG_INTEGER = /(?<!\\)":\s*(-?\d{16,})(?=\s*[,}\]])/g
const CONTROL = /\p{Cc}/u

/**
 * Reads a request with traces. Spans without the attributes that usage needs are rejected one by one. Errors:
 * body_malformed, body_unacceptable, validation_failed.
 */
export function readTraces(text: string): SpanBatch {
  const exact = text.replaceAll(LONG_INTEGER, '":"$1"')
  const { value } = readDocument(
    { text: exact, mediaType: 'application/json' },
    { nodesMax: NODES_MAX },
  )
  const reader = new TraceReader()
  for (const [place, resourceSpans] of listItems(value, 'resourceSpans', '')) {
    const resource = getObject(resourceSpans, 'resource', place)
    for (const [at, scopeSpans] of listItems(resourceSpans, 'scopeSpans', `${place}.`)) {
      const scope = getObject(scopeSpans, 'scope', at)
      reader.addSpans(resource, scope, listItems(scopeSpans, 'spans', `${at}.`))
    }
  }
  return reader.finish()
}

function getObject(value: Value, name: string, place: string): Value {
  const object = getField(value, name) ?? {}
  if (!isObject(object)) throw invalid(`${place}.${name}`, 'must be an object')
  return object
}

function listItems(value: Value, name: string, before: string): [string, Value][] {
  const list = getField(value, name) ?? []
  const field = `${before}${name}`
  if (!Array.isArray(list)) {
    throw invalid(field, 'must be a list')
  }
  return list.map((item, at): [string, Value] => {
    if (!isObject(item)) throw invalid(`${field}[${at}]`, 'must be an object')
    return [`${field}[${at}]`, item]
  })
}

function invalid(field: string, message: string): ApiError {
  return new ApiError('validation_failed', `${field} ${message}.`, {
    violations: [{ field, message }],
  })
}

/** Collects the spans of a request. */
class TraceReader {
  readonly #spans = new Map<string, ReadSpan>()
  readonly #sources: SpanSource[] = []
  readonly #reasons: string[] = []
  #rejectedCount = 0
  #spanCount = 0

  addSpans(resource: Value, scope: Value, spans: readonly [string, Value][]): void {
    this.#spanCount += spans.length
    if (this.#spanCount > TRACE_LIMITS.spansMax) {
      throw new ApiError(
        'body_unacceptable',
        `A request may have ${TRACE_LIMITS.spansMax} spans at most. Send smaller batches.`,
      )
    }
    const source = readSource(resource, scope)
    if (typeof source !== 'string') this.#sources.push(source)
    for (const [place, span] of spans) {
      const read =
        typeof source === 'string' ? source : readSpan(span, source, this.#sources.length)
      if (typeof read === 'string') this.#reject(`${place}: ${read}`)
      // A span that is sent twice counts once, in its last form.
      else this.#spans.set(read.key, read.span)
    }
  }

  #reject(reason: string): void {
    this.#rejectedCount += 1
    if (this.#reasons.length < REASONS_MAX) this.#reasons.push(reason)
  }

  finish(): SpanBatch {
    return {
      columns: toColumns(this.#spans, this.#sources),
      count: this.#spans.size,
      productIds: [...new Set(this.#spans.values().map(({ productId }) => productId))],
      rejectedCount: this.#rejectedCount,
      reasons: this.#reasons,
    }
  }
}

/** Reads the resource and the scope of spans, or returns why they cannot be stored. */
function readSource(resource: Value, scope: Value): SpanSource | string {
  const attributes = readAttributes(getField(resource, 'attributes'), TRACE_LIMITS.attributesMax)
  if (attributes === undefined) {
    return `the attributes of the resource must be a list of at most ${TRACE_LIMITS.attributesMax} keys with values`
  }
  const resourceJson = JSON.stringify(resource)
  const scopeJson = JSON.stringify(scope)
  if (resourceJson.length + scopeJson.length > TRACE_LIMITS.resourceCharactersMax) {
    return `the resource and the scope have more than ${TRACE_LIMITS.resourceCharactersMax} characters`
  }
  const name = getField(scope, 'name')
  const scopeName = typeof name === 'string' ? name : ''
  if (isUnusable(scopeName)) return 'the name of the scope is too long or has a control character'
  const names = {
    productId: getAttribute(attributes, 'dataproduct.id'),
    port: getAttribute(attributes, 'outputport.name'),
    contractId: getAttribute(attributes, 'datacontract.id'),
  }
  return { names, resourceJson, scopeJson, scopeName }
}

/** Reads a span, or returns why it cannot be stored. */
function readSpan(
  span: Value,
  { names: inherited }: SpanSource,
  source: number,
): { key: string; span: ReadSpan } | string {
  const spanId = getField(span, 'spanId')
  if (typeof spanId !== 'string' || spanId === '') return 'spanId is missing'
  if (isUnusable(spanId, TRACE_LIMITS.idCharactersMax)) {
    return `spanId has more than ${TRACE_LIMITS.idCharactersMax} characters, or a control character`
  }
  const startedAt = toMicroseconds(getField(span, 'startTimeUnixNano'))
  if (startedAt === undefined)
    return 'startTimeUnixNano is missing or not in nanoseconds since 1970'
  const own = readAttributes(getField(span, 'attributes'), TRACE_LIMITS.attributesMax)
  if (own === undefined) {
    return `attributes must be a list of at most ${TRACE_LIMITS.attributesMax} keys with values`
  }
  const json = JSON.stringify(span)
  if (json.length > TRACE_LIMITS.spanCharactersMax) {
    return `the span has more than ${TRACE_LIMITS.spanCharactersMax} characters`
  }
  const names = {
    productId: inherited.productId ?? getAttribute(own, 'dataproduct.id') ?? '',
    port: inherited.port ?? getAttribute(own, 'outputport.name') ?? '',
    contractId: inherited.contractId ?? getAttribute(own, 'datacontract.id') ?? '',
    user: getAttribute(own, 'user') ?? '',
    role: getAttribute(own, 'role') ?? '',
    accessId: getAttribute(own, 'access.id') ?? '',
  }
  const rowCount = toRowCount(getAttribute(own, 'rows'))
  const problem = findProblem(names, rowCount)
  if (problem !== undefined) return problem
  return {
    key: toSpanKey(spanId),
    span: { source, ...names, rowCount: rowCount ?? '0', startedAt, json },
  }
}

function findProblem(
  { productId, contractId, port, user, role, accessId }: SpanNames,
  rowCount: string | undefined,
): string | undefined {
  if (productId === '') return 'the resource attribute dataproduct.id is missing'
  const { idCharactersMax, nameCharactersMax } = TRACE_LIMITS
  // One test of all names is several times as fast as one of each.
  const hasUnusable =
    productId.length > idCharactersMax ||
    contractId.length > idCharactersMax ||
    Math.max(port.length, user.length, role.length, accessId.length) > nameCharactersMax ||
    isUnusable(`${productId} ${contractId} ${port} ${user} ${role} ${accessId}`, Infinity)
  if (hasUnusable) {
    return isUnusable(productId, idCharactersMax) || isUnusable(contractId, idCharactersMax)
      ? `an id is longer than ${idCharactersMax} characters or has a control character`
      : `an attribute that names a port or consumer is longer than ${nameCharactersMax} characters or has a control character`
  }
  if (rowCount === undefined) return 'the attribute rows is not a whole number from 0 to 10^12'
  return undefined
}

function isUnusable(text: string, charactersMax: number = TRACE_LIMITS.nameCharactersMax): boolean {
  return text.length > charactersMax || CONTROL.test(text) || !text.isWellFormed()
}

// At most 19 digits fit into 64 bits.
function toMicroseconds(nanoseconds: Value | undefined): string | undefined {
  const digits = typeof nanoseconds === 'number' ? String(nanoseconds) : nanoseconds
  if (typeof digits !== 'string' || !/^[1-9]\d{3,18}$/.test(digits)) return undefined
  return digits.slice(0, -3)
}

function toRowCount(text: string | undefined): string | undefined {
  const count = Number(text ?? 0)
  const isCount = Number.isInteger(count) && count >= 0 && count <= TRACE_LIMITS.rowsMax
  return isCount ? String(count) : undefined
}

function toColumns(
  byKey: ReadonlyMap<string, ReadSpan>,
  sources: readonly SpanSource[],
): SpanColumns {
  // The order in which the database locks rows.
  const keys = [...byKey.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  const spans = keys.flatMap((key) => byKey.get(key) ?? [])
  const column = (name: keyof ReadSpan): string => join(spans.map((span) => span[name]))
  return {
    spanIds: join(keys),
    sources: column('source'),
    productIds: column('productId'),
    ports: column('port'),
    users: column('user'),
    roles: column('role'),
    accessIds: column('accessId'),
    rowCounts: column('rowCount'),
    startTimes: column('startedAt'),
    contractIds: column('contractId'),
    spans: column('json'),
    resources: join(sources.map(({ resourceJson }) => resourceJson)),
    scopes: join(sources.map(({ scopeJson }) => scopeJson)),
    scopeNames: join(sources.map(({ scopeName }) => scopeName)),
  }
}

// A terminator instead of a separator: an empty list and a list with one empty text differ.
function join(values: readonly (string | number)[]): string {
  return values.length === 0 ? '' : `${values.join(TERMINATOR)}${TERMINATOR}`
}

/** Reads a request with traces. */
export const readSpans: Task<{ text: string }, SpanBatch> = {
  name: 'usage/readSpans',
  run: ({ text }) => readTraces(text),
}
