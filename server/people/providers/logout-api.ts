import type { Hono } from 'hono'
import { logOutByProvider } from './logout-service.ts'
import { ApiError } from '../../platform/errors.ts'
import { rateLimit } from '../../platform/kit/rate-limit.ts'
import { readFormBody } from '../../requests/http/body.ts'
import type { HttpContext, HttpEnvironment, Pipeline } from '../../requests/http/context.ts'
import { answerPublic } from '../../requests/http/pipeline.ts'
import { requireWritable } from '../../requests/http/writes.ts'

/** The address to which a provider sends log-out tokens, with the ids of the organization and the provider. */
const PATTERN = '/oidc/back-channel-logout/{organization}/{provider}'

const BODY_BYTES_MAX = 32 * 1024

/** Per client. A provider sends one token for each session that it ends, and may end those of all people at once. */
const REQUESTS_PER_MINUTE_MAX = 6000

/**
 * Adds the address to which providers send log-out tokens (OpenID Connect Back-Channel Logout 1.0, section 2.5). The token
 * is the proof: the request has no session, and its origin is not checked.
 */
export function addBackChannelLogout(app: Hono<HttpEnvironment>, pipeline: Pipeline): void {
  const requests = rateLimit(REQUESTS_PER_MINUTE_MAX)
  app.post(PATTERN.replaceAll(/\{(\w+)\}/g, ':$1'), (context) =>
    answerPublic(pipeline, context, PATTERN, async (requestId) => {
      const { incoming } = context.env ?? {}
      const { headers } = context.req.raw
      const client = pipeline.clients.resolveClient(incoming?.socket.remoteAddress, headers)
      const { allowed, resetSeconds } = requests(client)
      if (!allowed) {
        throw new ApiError('too_many_requests', 'This client has sent too many log-out tokens.', {
          retryAfterSeconds: resetSeconds,
        })
      }
      requireWritable(pipeline.services)
      return await answerLogout(pipeline, context, { client, requestId })
    }),
  )
}

async function answerLogout(
  { services, uploads }: Pipeline,
  context: HttpContext,
  { client, requestId }: { client: string; requestId: string },
): Promise<Response> {
  const reservation = uploads.reserve([client])
  try {
    const source = { request: context.req.raw, incoming: context.env?.incoming }
    const form = await readFormBody(source, BODY_BYTES_MAX, uploads, reservation)
    const [token, second] = form.getAll('logout_token')
    if (token === undefined || second !== undefined) return refuse('Send one logout_token')
    const problem = await logOutByProvider(services, {
      organizationId: context.req.param('organization') ?? '',
      providerId: context.req.param('provider') ?? '',
      token,
      requestId,
    })
    return problem === undefined
      ? new Response(null, { status: 200, headers: { 'cache-control': 'no-store' } })
      : refuse(problem)
  } finally {
    reservation.release()
  }
}

/** Section 2.8 of the standard. */
function refuse(problem: string): Response {
  return Response.json(
    { error: 'invalid_request', error_description: problem },
    { status: 400, headers: { 'cache-control': 'no-store' } },
  )
}
