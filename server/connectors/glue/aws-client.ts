import { AwsV4Signer } from 'aws4fetch'
import type { z } from 'zod'
import type { HttpAnswer, HttpClient } from '../../platform/kit/http-client.ts'
import type { Setup } from '../connector.ts'
import type { Credentials, Headers, Renewable } from '../http/credentials.ts'
import { newJsonClient } from '../http/json-client.ts'
import { newTransport, type Wait } from '../http/transport.ts'
import { isBusy, isExpired, parseAwsError, toAuthFailure, type AwsError } from './aws-error.ts'
import type { AwsServiceName } from './configuration.ts'
import type { AwsKey } from './keys.ts'

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
  /** The keys that sign requests. */
  keys: Renewable<AwsKey>
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
  const client = newJsonClient({
    service,
    transport,
    credentials: newSigner(options),
    isUnauthorized: (answer) => answer.status !== 200 && isExpired(parseAwsError(answer)),
    describeRejection: (answer) => toAuthFailure(parseAwsError(answer))?.message,
  })
  return {
    async call({ url, headers, body, operation }, shape) {
      const result = await client.ask({ url, headers, text: body, name: operation }, shape)
      if ('value' in result) return result
      const error = parseAwsError({ status: result.status, json: result.body })
      const failure = toAuthFailure(error)
      if (failure !== undefined) throw failure
      return { error }
    },
  }
}

/** Creates the credentials that sign requests, each attempt with its own time. */
function newSigner({ serviceName, region, keys }: AwsClientOptions): Credentials {
  const keysByHeaders = new WeakMap<Headers, AwsKey>()
  return {
    async headers({ method, url, headers = {}, body = '' }) {
      const key = await keys.get()
      const request = { method, url: url.href, headers, body, service: serviceName, region }
      const signed = await new AwsV4Signer({ ...key, ...request }).sign()
      const all = Object.fromEntries(signed.headers)
      keysByHeaders.set(all, key)
      return all
    },
    renew(refused) {
      const key = keysByHeaders.get(refused)
      return key !== undefined && keys.renew(key)
    },
  }
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
