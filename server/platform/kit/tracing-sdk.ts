import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span as SdkSpan,
  type Tracer as SdkTracer,
} from '@opentelemetry/api'
import {
  ExportResultCode,
  parseTraceParent,
  setGlobalErrorHandler,
  TraceState,
} from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Log } from './log.ts'
import type { Span, SpanAttributes, SpanStart, TraceHeaders, Tracer } from './tracing.ts'
import type { TracingSettings } from './tracing-settings.ts'

// The only file that imports OpenTelemetry. It is loaded dynamically, and only if there is a collector.

const SCOPE = 'portbook'
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }
/** The shortest time between two warnings of the SDK, which repeats some for each batch. */
const WARNING_MS_MIN = 60_000

/**
 * Opens a tracer that sends spans to the collector in batches. A collector that does not answer delays no work: the queue
 * is bounded, and what does not fit is dropped.
 */
export function openTracer(settings: TracingSettings, version: string, log: Log): Tracer {
  reportWarnings(log)
  const exporter = reportOutages(new OTLPTraceExporter({ url: settings.url }), log)
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': SCOPE, 'service.version': version }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector] }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
      .merge(detectResources({ detectors: [serviceNameEnvDetector] })),
    sampler: createSampler(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...settings.batches })],
  })
  const tracer = provider.getTracer(SCOPE, version)
  const { origin, pathname } = new URL(settings.url)
  log.info({ collector: origin + pathname, sampler: settings.sampler }, 'traces are sent')
  return {
    start(name, start = {}, headers) {
      const parent = settings.readsParent ? parseParent(headers) : undefined
      return new TracedSpan(tracer, startSpan(tracer, name, start, parent))
    },
    async close(limitMs) {
      const limit = Promise.withResolvers<'late'>()
      const timer = setTimeout(() => limit.resolve('late'), limitMs)
      const sent = provider.shutdown().catch(() => undefined)
      if ((await Promise.race([sent, limit.promise])) === 'late') {
        log.warn('the last spans were not sent: the collector did not answer in time')
      }
      clearTimeout(timer)
    },
  }
}

class TracedSpan implements Span {
  readonly #tracer: SdkTracer
  readonly #span: SdkSpan
  readonly traceId: string
  readonly spanId: string

  constructor(tracer: SdkTracer, span: SdkSpan) {
    this.#tracer = tracer
    this.#span = span
    const { traceId, spanId } = span.spanContext()
    this.traceId = traceId
    this.spanId = spanId
  }

  isRecording(): boolean {
    return this.#span.isRecording()
  }

  startChild(name: string, start: SpanStart = {}): Span {
    return new TracedSpan(this.#tracer, startSpan(this.#tracer, name, start, this.#span))
  }

  setAttributes(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes)
  }

  fail(errorType: string): void {
    this.#span.setAttribute('error.type', errorType)
    this.#span.setStatus({ code: SpanStatusCode.ERROR })
  }

  end(): void {
    this.#span.end()
  }
}

function startSpan(
  tracer: SdkTracer,
  name: string,
  { kind = 'internal', attributes, startedAtMs }: SpanStart,
  parent: SdkSpan | undefined,
): SdkSpan {
  const options = {
    kind: KINDS[kind],
    ...(attributes === undefined ? {} : { attributes: { ...attributes } }),
    ...(startedAtMs === undefined ? {} : { startTime: toEpochMs(startedAtMs) }),
  }
  const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent)
  return tracer.startSpan(name, options, context)
}

// Not by the time at which the process started: the clock of the machine may have been adjusted since.
function toEpochMs(monotonicMs: number): number {
  return Date.now() - (performance.now() - monotonicMs)
}

function parseParent(headers: TraceHeaders | undefined): SdkSpan | undefined {
  const { traceparent = null, tracestate = null } = headers ?? {}
  const parsed = traceparent === null ? null : parseTraceParent(traceparent)
  if (parsed === null) return undefined
  return trace.wrapSpanContext({
    ...parsed,
    isRemote: true,
    ...(tracestate === null ? {} : { traceState: new TraceState(tracestate) }),
  })
}

function createSampler({ sampler, ratio }: TracingSettings): Sampler {
  const isByParent = sampler.startsWith('parentbased_')
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio)
  return isByParent ? new ParentBasedSampler({ root }) : root
}

/** Logs the beginning and the end of an outage of the collector, once each. */
function reportOutages(exporter: SpanExporter, log: Log): SpanExporter {
  let lostCount = 0
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const isSent = result.code === ExportResultCode.SUCCESS
        if (!isSent && lostCount === 0) {
          log.warn(
            { reason: describe(result.error) },
            'spans cannot be sent to the collector; they are dropped until it accepts them',
          )
        }
        if (isSent && lostCount > 0) {
          log.info({ lostCount }, 'the collector accepts spans again')
        }
        lostCount = isSent ? 0 : lostCount + spans.length
        done(result)
      })
    },
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: async () => await exporter.shutdown(),
  }
}

// The text of an answer is not logged: it may repeat what was sent.
function describe(error: Error | undefined): string {
  if (error === undefined) return 'unknown'
  const code = 'code' in error ? ` (${String(error.code)})` : ''
  return `${error.message}${code}`
}

const ignore = (): void => undefined

/** Logs warnings of the SDK: settings that it ignores, and spans that did not fit into its queue. */
function reportWarnings(log: Log): void {
  let reportedAtMs = Number.NEGATIVE_INFINITY
  const warn = (message: string): void => {
    if (performance.now() - reportedAtMs < WARNING_MS_MIN) return
    reportedAtMs = performance.now()
    log.warn({ reason: message }, 'OpenTelemetry')
  }
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  // Failures of the exporter, which `reportOutages` logs.
  setGlobalErrorHandler(ignore)
}
