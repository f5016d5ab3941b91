/** A collector of traces: a real HTTP server that decodes OTLP by the official definitions of its messages. */

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parse } from 'protobufjs'

/** A received span. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  /** Empty for the first span of a trace. */
  parentSpanId: string
  name: string
  /** 1 internal, 2 server, 3 client. */
  kind: number
  /** In nanoseconds; compare the times of two spans with {@link isWithin} and {@link isBefore} only. */
  startedAt: bigint
  endedAt: bigint
  attributes: Record<string, unknown>
  /** 2 = failed. */
  statusCode: number
  statusMessage: string
  service: unknown
}

// A span starts by a clock of milliseconds and lasts by one of nanoseconds, so its end is this inaccurate.
const END_INACCURACY_NS = 1_000_000n

/** Whether a span began and ended within another one, as exactly as the clocks of spans allow. */
export function isWithin(child: ReceivedSpan, parent: ReceivedSpan): boolean {
  return child.startedAt >= parent.startedAt && child.endedAt <= parent.endedAt + END_INACCURACY_NS
}

/** Whether a span ended before another one began, as exactly as the clocks of spans allow. */
export function isBefore(former: ReceivedSpan, later: ReceivedSpan): boolean {
  return former.endedAt <= later.startedAt + END_INACCURACY_NS
}

/** A running receiver. */
export interface OtlpReceiver {
  url: string
  spans: ReceivedSpan[]
  /** The bodies and headers of the requests so far. */
  bodies: Buffer[]
  headers: IncomingHttpHeaders[]
  /** The answers from now on: a status, or none at all. */
  answer(status: number | 'never'): void
  close(): Promise<void>
}

// From https://github.com/open-telemetry/opentelemetry-proto, without the messages that are not sent here.
const { root } = parse(`
  syntax = "proto3";
  message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4;
    string name = 5; int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; Status status = 15;
  }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
  }`)
const REQUEST = root.lookupType('ExportTraceServiceRequest')

/** The messages as protobufjs writes them in plain objects. */
interface PlainRequest {
  resourceSpans: {
    resource: { attributes: PlainAttribute[] }
    scopeSpans: { spans: PlainSpan[] }[]
  }[]
}
interface PlainAttribute {
  key: string
  value: Record<string, unknown>
}
interface PlainSpan {
  traceId: number[]
  spanId: number[]
  parentSpanId: number[] | ''
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: PlainAttribute[]
  status: { code: number; message: string } | null
}

/** Starts a receiver on this machine that accepts everything. */
export async function startOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const headers: IncomingHttpHeaders[] = []
  let answering: number | 'never' = 200
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('error', () => undefined)
    message.on('end', () => {
      const body = Buffer.concat(chunks)
      bodies.push(body)
      headers.push({ ...message.headers, ':path': message.url })
      if (answering === 'never') return
      if (answering === 200) spans.push(...decode(body))
      response.writeHead(answering, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    bodies,
    headers,
    answer(status) {
      answering = status
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

function decode(body: Buffer): ReceivedSpan[] {
  const options = { longs: String, bytes: Array, defaults: true }
  const request = REQUEST.toObject(REQUEST.decode(body), options) as PlainRequest
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = toRecord(resource.attributes)['service.name']
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => toSpan(span, service)))
  })
}

function toSpan(span: PlainSpan, service: unknown): ReceivedSpan {
  return {
    traceId: toHex(span.traceId),
    spanId: toHex(span.spanId),
    parentSpanId: toHex(span.parentSpanId),
    name: span.name,
    kind: span.kind,
    startedAt: BigInt(span.startTimeUnixNano),
    endedAt: BigInt(span.endTimeUnixNano),
    attributes: toRecord(span.attributes),
    statusCode: span.status?.code ?? 0,
    statusMessage: span.status?.message ?? '',
    service,
  }
}

// Without a parent, the field is absent: its default is an empty text.
function toHex(bytes: readonly number[] | ''): string {
  return bytes === '' ? '' : Buffer.from(bytes).toString('hex')
}

function toRecord(attributes: readonly PlainAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
