/** An issuer on this machine that signs any token, with any key, and publishes any document. */

import { constants, KeyObject, sign as signBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'

/** A key of the issuer: what it signs with, and what it publishes of it. */
export interface IssuerKey {
  privateKey: KeyObject
  jwk: JWK & { kid: string; alg: string }
}

/** A running issuer. What it publishes may be replaced at any time. */
export interface LyingIssuer {
  issuer: string
  key: IssuerKey
  /** The published key set; a text is sent as it is. */
  jwks: unknown
  /** The discovery document; a text is sent as it is. */
  discovery: unknown
  /** The answers to requests by path, instead of documents. */
  answers: Map<string, RequestListener>
  /** The paths of all requests. */
  requests: string[]
  close(): Promise<void>
}

/** Creates a key for an algorithm. */
export async function newIssuerKey(alg = 'RS256', kid = 'key-1'): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  return { privateKey: KeyObject.from(privateKey), jwk }
}

/** The claims or header of a token: members, or a text or bytes as they are. */
export type TokenContent = Readonly<Record<string, unknown>> | string | Uint8Array

/**
 * Signs a token. Members of the header complete `alg` and `kid` of the key; one that is undefined is left out, and `alg`
 * decides how the key signs. A header as a text is used as it is.
 */
export function signToken(
  { privateKey, jwk }: IssuerKey,
  payload: TokenContent,
  header: TokenContent = {},
): string {
  const isRaw = typeof header === 'string' || header instanceof Uint8Array
  const members = isRaw ? { alg: jwk.alg } : { alg: jwk.alg, kid: jwk.kid, ...header }
  const signed = `${encodePart(isRaw ? header : members)}.${encodePart(payload)}`
  const alg: unknown = members.alg
  const hash = /^(?:RS|PS|ES)(\d+)$/.exec(String(alg))?.[1]
  const signature = signBytes(hash ? `sha${hash}` : undefined, Buffer.from(signed), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
    ...(String(alg).startsWith('PS') && {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  })
  return `${signed}.${signature.toString('base64url')}`
}

/** Encodes a part of a token. */
export function encodePart(content: TokenContent): string {
  const isRaw = typeof content === 'string' || content instanceof Uint8Array
  return Buffer.from(isRaw ? content : JSON.stringify(content)).toString('base64url')
}

/** Starts an issuer on a free port of 127.0.0.1. */
export async function startLyingIssuer(alg = 'RS256'): Promise<LyingIssuer> {
  const key = await newIssuerKey(alg)
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    issuer.requests.push(path)
    const answer = issuer.answers.get(path)
    if (answer !== undefined) return answer(request, response)
    const documents = new Map([
      ['/.well-known/openid-configuration', issuer.discovery],
      ['/jwks', issuer.jwks],
    ])
    if (!documents.has(path)) return response.writeHead(404).end()
    const document = documents.get(path)
    const text = typeof document === 'string' ? document : JSON.stringify(document)
    return response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer: LyingIssuer = {
    issuer: url,
    key,
    jwks: { keys: [key.jwk] },
    discovery: {
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    },
    answers: new Map(),
    requests: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return issuer
}
