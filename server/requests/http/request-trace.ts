import {
  getErrorType,
  withSpan,
  type SpanAttributes,
  type Tracer,
} from '../../platform/kit/tracing.ts'
import type { HttpContext, Pipeline } from './context.ts'

/** Every method that a span may name; other words of a client are not repeated. */
const METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'CONNECT',
])

/** Questions of probes and scrapers, which would hide the requests of clients. */
const UNTRACED_ROUTES = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Answers a request as a span, if there is a tracer. The span begins a trace, or belongs to the one that the client names.
 * It ends with the answer, also if that is a long stream.
 */
export function answerTraced(
  { tracer }: Pipeline,
  context: HttpContext,
  pattern: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  if (tracer === undefined || UNTRACED_ROUTES.has(pattern)) return answer()
  return traceRequest(tracer, context, pattern, answer)
}

// Names: https://opentelemetry.io/docs/specs/semconv/http/http-spans/
async function traceRequest(
  tracer: Tracer,
  context: HttpContext,
  pattern: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  const { method: sent, raw } = context.req
  const method = METHODS.has(sent) ? sent : '_OTHER'
  const attributes: SpanAttributes = {
    'http.request.method': method,
    ...(pattern.startsWith('/') ? { 'http.route': pattern } : {}),
  }
  const span = tracer.start(
    `${method === '_OTHER' ? 'HTTP' : method} ${pattern}`,
    { kind: 'server', attributes },
    { traceparent: raw.headers.get('traceparent'), tracestate: raw.headers.get('tracestate') },
  )
  try {
    const response = await withSpan(span, answer)
    const { status } = response
    span.setAttributes({ 'http.response.status_code': status })
    if (status >= 500) span.fail(String(status))
    const outgoing = context.env?.outgoing
    if (outgoing === undefined || outgoing.closed) span.end()
    else outgoing.once('close', () => span.end())
    return response
  } catch (error) {
    span.fail(getErrorType(error))
    span.end()
    throw error
  }
}
