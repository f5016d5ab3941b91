import type { Context } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '../../platform/kit/metrics.ts'
import { rateLimit, type Allowance } from '../../platform/kit/rate-limit.ts'
import type { Tracer } from '../../platform/kit/tracing.ts'
import { newAdmission, type Admission, type AdmissionLimits } from './admission.ts'
import type { ClientResolver } from './client-address.ts'
import type { Route, Services } from './endpoint.ts'
import { decodeId, decodeName, rawPath, matchRoute } from './path.ts'
import { newUploads, type UploadLimits, type Uploads } from './upload.ts'

/** The parts of a request that the server adds; none within this process. */
export interface HttpEnvironment {
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
}

/** One request on its way through the pipeline. */
export type HttpContext = Context<HttpEnvironment>

/** The services and limits that every request of the API goes through. */
export interface Pipeline {
  services: Services
  metrics: Metrics
  /** Undefined = no traces are recorded. */
  tracer: Tracer | undefined
  rateLimit: (caller: string) => Allowance
  requestsPerMinute: number
  clients: ClientResolver
  admission: Admission
  uploads: Uploads
  /** Sent with every answer. */
  headers: Readonly<Record<string, string>>
}

/** Options of a pipeline. */
interface PipelineOptions {
  services: Services
  metrics: Metrics
  tracer?: Tracer | undefined
  requestsPerMinute: number
  clients: ClientResolver
  /** Undefined for the default limits. */
  admissionLimits?: AdmissionLimits | undefined
  uploadLimits?: UploadLimits | undefined
}

/** Creates the pipeline of a process. */
export function newPipeline(options: PipelineOptions): Pipeline {
  const { services, metrics, tracer, requestsPerMinute, clients } = options
  const admission = newAdmission(options.admissionLimits)
  return {
    services,
    metrics,
    tracer,
    rateLimit: rateLimit(requestsPerMinute),
    requestsPerMinute,
    clients,
    admission,
    uploads: newUploads(admission.bodyBytes, options.uploadLimits),
    headers: getSecurityHeaders(services.baseUrl),
  }
}

/** Returns the target of a request as the client sent it, or its URL within this process. */
export function getTarget(
  request: Request,
  incoming: { url?: string | undefined } | undefined,
): string {
  return incoming?.url ?? request.url
}

/** Returns the path of a request as the client sent it. */
export function getPath(context: HttpContext): string {
  return rawPath(getTarget(context.req.raw, context.env?.incoming))
}

/** Returns the query of a request as the client sent it, without its question mark. */
export function getQuery(context: HttpContext): string {
  const target = getTarget(context.req.raw, context.env?.incoming)
  const start = target.indexOf('?')
  return start === -1 ? '' : (target.slice(start + 1).split('#')[0] ?? '')
}

/** Decodes the ids in the path of a route. Errors: id_unusable. */
export function parseParams(route: Route, path: string): Record<string, string> {
  if (!route.path.includes('{')) return {}
  const values = matchRoute(route, path)
  if (values === undefined) throw new Error(`${route.path} does not match the path of its request`)
  for (const [name, value] of Object.entries(values)) {
    values[name] =
      route.nameParameters?.includes(name) === true
        ? decodeName(value)
        : decodeId(value, name === route.slashParameter)
  }
  return values
}

const HSTS_SECONDS = 365 * 24 * 60 * 60

/** Returns the headers of every response. If the public address is HTTPS, browsers may only use HTTPS. */
export function getSecurityHeaders(baseUrl: string | undefined): Record<string, string> {
  const nosniff = { 'x-content-type-options': 'nosniff' }
  if (baseUrl?.startsWith('https:') !== true) return nosniff
  return { ...nosniff, 'strict-transport-security': `max-age=${HSTS_SECONDS}` }
}
