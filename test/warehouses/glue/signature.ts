/**
 * Verifies signatures of AWS, version 4, from their specification:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html. It shares no code
 * with the library that signs requests.
 */

import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A received request. */
export interface SignedRequest {
  method: string
  target: string
  headers: IncomingHttpHeaders
  body: string
}

/** The parts of the header `authorization`. */
export interface Authorization {
  accessKeyId: string
  /** `20260102/eu-central-1/glue/aws4_request`. */
  scope: string
  signedHeaders: readonly string[]
  signature: string
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8}\/[\w-]+\/\w+\/aws4_request), ?SignedHeaders=([\w;-]+), ?Signature=([\da-f]{64})$/

/** Parses a header; undefined if it has another form. */
export function parseAuthorization(header: string | undefined): Authorization | undefined {
  const match = AUTHORIZATION.exec(header ?? '')
  if (match === null) return undefined
  const [, accessKeyId = '', scope = '', signedHeaders = '', signature = ''] = match
  return { accessKeyId, scope, signedHeaders: signedHeaders.split(';'), signature }
}

/**
 * Checks a signature: also that it covers the host and every header `x-amz-*`. A proxy changes the
 * host, so `host` is the one that the client used.
 */
export function isSignatureValid(
  request: SignedRequest,
  { scope, signedHeaders, signature }: Authorization,
  secretAccessKey: string,
  host: string,
): boolean {
  const required = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))
  const isCovered = ['host', ...required].every((name) => signedHeaders.includes(name))
  const time = String(request.headers['x-amz-date'])
  if (!isCovered || !/^\d{8}T\d{6}Z$/.test(time) || !scope.startsWith(time.slice(0, 8)))
    return false
  const url = new URL(request.target, 'http://x')
  const headers = signedHeaders.map((name) => {
    const value = name === 'host' ? host : String(request.headers[name] ?? '')
    return `${name}:${value.trim().replaceAll(/\s+/g, ' ')}\n`
  })
  const canonical = [
    request.method,
    url.pathname,
    url.search.slice(1),
    headers.join(''),
    signedHeaders.join(';'),
    sha256(request.body),
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`)
  return hmac(key, text).toString('hex') === signature
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
