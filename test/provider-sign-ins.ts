/** Sign-ins with an identity provider whose answers a test decides: the lying issuer, connected to a world. */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { ProviderAnswer } from '../server/people/providers/provider.ts'
import { addProvider } from './identity-providers.ts'
import { signToken, startLyingIssuer, type LyingIssuer } from './oidc/lying-issuer.ts'
import { newBrowser, type Browser } from './people.ts'
import { readJson } from './answers.ts'
import { uniqueId, type World } from './world.ts'

/** The address of Portbook in these tests: http between loopback addresses is allowed. */
export const LOOPBACK_URL = 'http://127.0.0.1:8080'

/** A started sign-in, as the provider sees it. */
export interface StartedSignIn {
  browser: Browser
  /** The parameters of the authorization request. */
  request: URLSearchParams
  /** The query with which the provider opens the callback page. */
  query: Record<string, string>
}

/** The answer of a finished sign-in. */
export interface FinishedAnswer {
  kind: string
  next: string
  session: { user: { id: string; email: string; name: string } } | null
  tried: Record<string, unknown> | null
}

/** A provider that is connected to an organization. */
export interface Stage {
  world: World
  issuer: LyingIssuer
  provider: ProviderAnswer
  /** The claims of the next ID tokens, in addition to the required ones; undefined leaves one out. */
  claims: Record<string, unknown>
  /** The claims of the userinfo endpoint. */
  userInfo: Record<string, unknown>
  /** The token requests, as the issuer received them. */
  tokenRequests: URLSearchParams[]
  start(browser?: Browser, body?: Record<string, unknown>): Promise<StartedSignIn>
  /** Starts at another endpoint: to link, to confirm, to try. */
  startAt(path: string, browser: Browser): Promise<StartedSignIn>
  finish(started: StartedSignIn, changes?: Record<string, string | undefined>): Promise<Response>
  /** Signs a person in with these claims. */
  signIn(
    claims: Record<string, unknown>,
    options?: { browser?: Browser; body?: Record<string, unknown> },
  ): Promise<Response>
}

/** Returns the claims of a person who no other test has. */
export function newClaims(domain = 'velmora.example'): {
  sub: string
  email: string
  email_verified: boolean
  name: string
} {
  const id = uniqueId()
  return { sub: id, email: `${id}@${domain}`, email_verified: true, name: `Person ${id}` }
}

/** Connects a new lying issuer to the organization of a world. Close the issuer at the end. */
export async function newStage(world: World, settings: object = {}): Promise<Stage> {
  const issuer = await startLyingIssuer()
  const { issuer: address } = issuer
  issuer.discovery = {
    ...(issuer.discovery as object),
    userinfo_endpoint: `${address}/userinfo`,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: ['openid', 'email', 'profile', 'groups'],
  }
  const provider = await addProvider(world, { issuer: address, ...settings })
  const nonces = new Map<string, string>()
  const stage: Stage = {
    world,
    issuer,
    provider,
    claims: {},
    userInfo: {},
    tokenRequests: [],
    async start(browser = newBrowser(world), body = {}) {
      const form = { providerId: stage.provider.id, next: '/', ...body }
      const { url } = await readJson<{ url: string }>(
        browser.ask('POST', '/ui/sign-in/provider', form),
      )
      return toStarted(browser, url)
    },
    async startAt(path, browser) {
      const form = { next: '/settings/profile' }
      const { url } = await readJson<{ url: string }>(browser.ask('POST', path, form))
      return toStarted(browser, url)
    },
    async finish({ browser, query }, changes = {}) {
      const { providerId = stage.provider.id, ...others } = changes
      const sent = Object.entries({ ...query, ...others }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      )
      const body = { providerId, query: `?${new URLSearchParams(sent).toString()}` }
      return await browser.ask('POST', '/ui/sign-in/provider/finish', body)
    },
    async signIn(claims, { browser, body } = {}) {
      stage.claims = claims
      return await stage.finish(await stage.start(browser, body))
    },
  }

  function toStarted(browser: Browser, url: string): StartedSignIn {
    const { searchParams: request } = new URL(url)
    const code = `code-${uniqueId()}`
    nonces.set(code, request.get('nonce') ?? '')
    return { browser, request, query: { code, state: request.get('state') ?? '', iss: address } }
  }

  issuer.answers.set('/token', (request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const form = new URLSearchParams(text)
      stage.tokenRequests.push(form)
      void answerTokens(form).then((body) => {
        response
          .writeHead('error' in body ? 400 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(body))
      })
    })
  })
  const answerTokens = async (form: URLSearchParams): Promise<Record<string, unknown>> => {
    const code = form.get('code') ?? ''
    const nonce = nonces.get(code)
    if (nonce === undefined) return { error: 'invalid_grant' }
    // A code works once.
    nonces.delete(code)
    const now = Math.floor(Date.now() / 1000)
    const required = { iss: address, aud: 'portbook', iat: now, exp: now + 300, nonce }
    const idToken = signToken(issuer.key, { ...required, ...stage.claims })
    return { access_token: `access-${code}`, token_type: 'Bearer', id_token: idToken }
  }
  issuer.answers.set('/userinfo', (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ sub: stage.claims['sub'], ...stage.userInfo }))
  })
  return stage
}

/** Marks a mail domain as verified by an organization. */
export async function verifyDomain(world: World, domain: string): Promise<void> {
  await sql`
    insert into organization_domain (organization_id, domain, challenge, verified_at, proof, updated_by)
    values (${world.organizationId}, ${domain}, 'challenge', now(), 'dns', 'system')
    on conflict (organization_id, domain) do nothing
  `.execute(world.services.db)
}

/** Checks that a sign-in succeeded; returns its answer. */
export async function expectSignedIn(answer: Promise<Response>): Promise<FinishedAnswer> {
  const finished = await readJson<FinishedAnswer>(answer)
  assert.ok(finished.session !== null, JSON.stringify(finished))
  return finished
}
