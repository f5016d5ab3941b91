import { AwsV4Signer } from 'aws4fetch'
import type { z } from 'zod'
import type { HttpAnswer, HttpClient } from '../../platform/kit/http-client.ts'
import { SourceFailure, type Setup } from '../connector.ts'
import type { Headers } from '../http/credentials.ts'
import { newTransport, type SourceAnswer, type Wait } from '../http/transport.ts'
import { isBusy, isExpired, parseAwsError, toAuthFailure, type AwsError } from './aws-error.ts'
import type { AwsServiceName } from './configuration.ts'
import type { AwsKey, KeySource } from './keys.ts'

/** A client of one service of AWS. */
export interface AwsClient {
  /**
   * Sends a signed request, with a new key if the one it has is expired. Errors: SourceFailure auth,
   * unreachable, rate_limited, too_large, protocol, cancelled.
   */
  call<Shape extends z.ZodType>(
    request: AwsRequest,
    shape: Shape,
  ): Promise<AwsResult<z.infer<Shape>>>
}

/** A request with the method POST. */
interface AwsRequest {
  url: URL
  /** The content type, and the target if the protocol has one. They are signed. */
  headers: Headers
  body: string
  /** The name for messages: `GetTables`. */
  operation: string
}

/** The parsed answer, or the error with which the service rejected the request. */
export type AwsResult<T> = { value: T } | { error: AwsError }

/** The parts of a client. */
interface AwsClientOptions {
  /** The subject of messages: `AWS Glue`. */
  service: string
  serviceName: AwsServiceName
  region: string
  keys: KeySource
  http: HttpClient
  setup: Setup
  wait?: Wait | undefined
}

/** Creates the client of one session. Each client counts the requests that its service allows. */
export function newAwsClient(options: AwsClientOptions): AwsClient {
  const { service, setup, wait } = options
  const transport = newTransport(
    recordRequests(options.http, setup),
    // Paths are the same for all requests of AWS Glue: they are recorded with their targets.
    { ...setup, sent: () => {} },
    { service, isThrottled: isBusy, wait },
  )
  const send = async (
    { url, headers, body }: AwsRequest,
    onSigned: (key: AwsKey) => void,
  ): Promise<SourceAnswer> =>
    await transport.send({
      method: 'POST',
      url,
      body,
      // Each attempt is signed with its own time.
      headers: async () => {
        const key = await options.keys.get()
        onSigned(key)
        return await sign(options, key, { url, headers, body })
      },
    })
  return { call: async (request, shape) => await call(options, send, request, shape) }
}

async function call<Shape extends z.ZodType>(
  { service, keys }: AwsClientOptions,
  send: (request: AwsRequest, onSigned: (key: AwsKey) => void) => Promise<SourceAnswer>,
  request: AwsRequest,
  shape: Shape,
): Promise<AwsResult<z.infer<Shape>>> {
  let signedWith: AwsKey | undefined
  const attempt = async (): Promise<SourceAnswer> =>
    await send(request, (key) => {
      signedWith = key
    })
  let answer = await attempt()
  const isRenewable = answer.status !== 200 && isExpired(parseAwsError(answer))
  if (isRenewable && signedWith !== undefined && keys.renew(signedWith)) answer = await attempt()
  if (answer.status !== 200) {
    const error = parseAwsError(answer)
    const failure = toAuthFailure(error)
    if (failure !== undefined) throw failure
    return { error }
  }
  const read = shape.safeParse(answer.json)
  if (read.success) return { value: read.data }
  const message = `${service} does not follow its protocol in the answer to ${request.operation}`
  throw new SourceFailure('protocol', message, { cause: read.error })
}

async function sign(
  { serviceName, region }: AwsClientOptions,
  key: AwsKey,
  { url, headers, body }: Pick<AwsRequest, 'url' | 'headers' | 'body'>,
): Promise<Headers> {
  const signer = new AwsV4Signer({
    ...key,
    method: 'POST',
    url: url.href,
    headers,
    body,
    service: serviceName,
    region,
  })
  const signed = await signer.sign()
  return { ...Object.fromEntries(signed.headers), accept: 'application/json' }
}

/** Records each request with its target, and moves the code of an error from a header to the body. */
function recordRequests(http: HttpClient, setup: Setup): HttpClient {
  return {
    async send(request) {
      const { url, headers } = request
      const startedAtMs = performance.now()
      try {
        return addErrorCode(await http.send(request))
      } finally {
        const target = headers?.['x-amz-target']
        const statement = `POST ${url.host}${url.pathname}${target === undefined ? '' : ` ${target}`}`
        setup.sent(statement, performance.now() - startedAtMs)
      }
    },
    close: () => http.close(),
  }
}

// Lake Formation has the code only in this header.
function addErrorCode(answer: HttpAnswer): HttpAnswer {
  const code = answer.headers['x-amzn-errortype']
  if (answer.status === 200 || code === undefined) return answer
  const body = parseObject(answer.text)
  return { ...answer, text: JSON.stringify({ ...body, __type: code }) }
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
