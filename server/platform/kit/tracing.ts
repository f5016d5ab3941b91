import { AsyncLocalStorage } from 'node:async_hooks'

// The spans of this process, without the library that sends them: `tracing-sdk.ts` is loaded only if the operator
// configures a collector. Without a collector, no tracer exists and no span is current.

/**
 * The attributes of a span, by the names of OpenTelemetry's semantic conventions or `portbook.…`. Their values come from
 * this program: templates of routes, names of tables, codes, counts. They never contain what people send or store.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** The options of a new span. */
export interface SpanStart {
  /** `server` answers a request, `client` waits for another system; by default `internal`. */
  kind?: 'server' | 'client' | 'internal'
  attributes?: SpanAttributes
  /** The start, as a time of `performance.now()`; undefined = now. */
  startedAtMs?: number
}

/** The headers by which a client names the span that its request belongs to (W3C Trace Context). */
export interface TraceHeaders {
  traceparent: string | null
  tracestate: string | null
}

/** A part of a trace: some work with its start and end. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether it is sampled and has not ended. */
  isRecording(): boolean
  startChild(name: string, start?: SpanStart): Span
  setAttributes(attributes: SpanAttributes): void
  /** Marks the work as failed. `errorType` is a code or the name of a class, never a message. */
  fail(errorType: string): void
  end(): void
}

/** Starts traces, and sends their spans to the collector. */
export interface Tracer {
  /** Starts the first span of this process in a trace. Malformed headers count as absent. */
  start(name: string, start?: SpanStart, parent?: TraceHeaders): Span
  /** Sends the spans that have ended, within a time limit. Never throws. */
  close(limitMs: number): Promise<void>
}

const spans = new AsyncLocalStorage<Span>()

/** Returns the span of the work that this code is part of, if it is recorded. */
export function getSpan(): Span | undefined {
  const span = spans.getStore()
  return span?.isRecording() === true ? span : undefined
}

/** Returns the fields by which lines of the log are found from a trace, as OpenTelemetry names them. */
export function getTraceFields(): Record<string, string> {
  const span = spans.getStore()
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}

/** Runs work as part of a span, which may have ended. */
export function withSpan<T>(span: Span | undefined, work: () => T): T {
  return span === undefined ? work() : spans.run(span, work)
}

/** Runs work as a span, and ends it. Errors: those of the work. */
export async function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await spans.run(span, work)
  } catch (error) {
    span.fail(getErrorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** Runs work as a new trace, if there is a tracer. Errors: those of the work. */
export function traceRoot<T>(
  tracer: Tracer | undefined,
  name: string,
  start: SpanStart,
  work: () => Promise<T>,
): Promise<T> {
  return tracer === undefined ? work() : inSpan(tracer.start(name, start), work)
}

/** Runs work as a part of the current span, if there is one. Errors: those of the work. */
export function traceChild<T>(name: string, work: () => Promise<T>): Promise<T> {
  const span = getSpan()
  return span === undefined ? work() : inSpan(span.startChild(name), work)
}

const CODE = /^[\w.]{1,40}$/

/** Returns the code of an error, such as a SQLSTATE, or the name of its class. Messages contain values. */
export function getErrorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string' && CODE.test(error.code)) return error.code
  return CODE.test(error.name) ? error.name : 'Error'
}
