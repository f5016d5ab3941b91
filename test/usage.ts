/** Spans of usage as clients send them by OTLP. */

import { randomBytes } from 'node:crypto'
import type { ProductUsage } from '../server/reports/usage/usage.ts'
import { readJson } from './answers.ts'
import { expectOk, odps, putOne, uniqueId, type World } from './world.ts'

/** An attribute of OTLP. */
interface OtlpAttribute {
  key: string
  value: Record<string, unknown>
}

/** A span of OTLP. */
export interface OtlpSpan {
  traceId: string
  spanId: string
  name: string
  kind: number | string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: OtlpAttribute[]
}

/** A request with traces. */
export interface OtlpTraces {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] }
    scopeSpans: { scope: { name: string; version: string }; spans: OtlpSpan[] }[]
  }[]
}

/** The attributes of a query. */
export interface QueryFacts {
  user?: string
  role?: string
  accessId?: string
  rows?: number
  /** Nanoseconds since 1970. */
  start?: string
}

/** The nanoseconds of a day. */
export const DAY_NANOS = 86_400_000_000_000n

/** Returns the present time in nanoseconds since 1970, plus an offset. */
export function nowNanos(offset = 0n): string {
  return String(BigInt(Date.now()) * 1_000_000n + 123_457n + offset)
}

/** Returns a new span of a query. */
export function newSpan({ user, role, accessId, rows, start = nowNanos() }: QueryFacts): OtlpSpan {
  return {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: 'query',
    kind: 3,
    startTimeUnixNano: start,
    endTimeUnixNano: String(BigInt(start) + 1_000_000n),
    attributes: [
      ...text('type', 'SELECT'),
      ...text('query', 'select id, "name" from orders where state = \'open\''),
      ...text('result', 'success'),
      ...text('user', user),
      ...text('role', role),
      ...text('access.id', accessId),
      ...(rows === undefined ? [] : [{ key: 'rows', value: { intValue: String(rows) } }]),
    ],
  }
}

/** Returns a request with spans of a data product. */
export function toTraces(
  product: string | undefined,
  spans: OtlpSpan[],
  { port = 'orders', contract, scope = 'tests' }: TraceFacts = {},
): OtlpTraces {
  const attributes = [
    ...text('service.name', 'warehouse'),
    ...text('dataproduct.id', product),
    ...text('outputport.name', port),
    ...text('datacontract.id', contract),
  ]
  const scopeSpans = [{ scope: { name: scope, version: '1' }, spans }]
  return { resourceSpans: [{ resource: { attributes }, scopeSpans }] }
}

/** The facts of a resource and its scope. */
export interface TraceFacts {
  port?: string
  contract?: string
  scope?: string
}

function text(key: string, value: string | undefined): OtlpAttribute[] {
  return value === undefined ? [] : [{ key, value: { stringValue: value } }]
}

/** Sends spans of a data product with the organization's key. */
export async function addSpans(
  world: Pick<World, 'as'>,
  product: string,
  spans: OtlpSpan[],
  facts?: TraceFacts,
): Promise<void> {
  const body = toTraces(product, spans, facts)
  await expectOk(world.as('O', 'POST', '/api/v1/traces', { body }))
}

/** Lists the spans of an OTLP document. */
export function listSpans({ resourceSpans }: OtlpTraces): OtlpSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}

/** Lists the ids of the stored spans of a data product. */
export async function listSpanIds(world: Pick<World, 'as'>, product: string): Promise<string[]> {
  const path = `/api/v1/traces?dataProductId=${product}`
  const traces = await readJson<OtlpTraces>(world.as('O', 'GET', path))
  return listSpans(traces).map(({ spanId }) => spanId)
}

/** The answer to a request with traces. */
export interface TracesAnswer {
  partialSuccess?: { rejectedSpans: string; errorMessage: string }
}

/** Sends traces with the key of team A. */
export async function postTraces(world: World, body: unknown): Promise<TracesAnswer> {
  return await readJson<TracesAnswer>(world.as('T', 'POST', '/api/v1/traces', { body }))
}

/** Reads the usage of a data product. */
export async function readUsage(world: World, productId: string): Promise<ProductUsage> {
  return await readJson<ProductUsage>(world.as('Tr', 'GET', `/api/dataproducts/${productId}/usage`))
}

/** Registers a data product of team A; returns its id. */
export async function putUsedProduct(world: World): Promise<string> {
  const id = uniqueId()
  await putOne(world, 'dataproducts', odps(id))
  return id
}
