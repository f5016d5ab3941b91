import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  newIssuerKey,
  signToken,
  startLyingIssuer,
  type IssuerKey,
  type LyingIssuer,
  type TokenContent,
} from '../../../test/oidc/lying-issuer.ts'
import {
  ATTACKS,
  CLIENT,
  NONCE,
  NOW,
  SECONDS,
  validClaims,
  type Claims,
} from '../../../test/oidc/token-attacks.ts'
import { newDialer } from './dialer.ts'
import { newKeySets, type KeySet } from './key-sets.ts'
import { LOGOUT_EVENT } from './token-claims.ts'
import { TokenRefused, type TokenRefusalReason } from './token-refusal.ts'
import { verifyToken, type TokenUse, type VerifiedToken } from './token-verifier.ts'

const dialer = newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined })

const USES = ['id', 'logout', 'exchange', 'agent'] as const

let issuer: LyingIssuer
let foreignKey: IssuerKey
let keys: KeySet

before(async () => {
  issuer = await startLyingIssuer()
  foreignKey = await newIssuerKey('RS256', 'key-1')
  keys = openKeys()
})

after(() => issuer.close())

function openKeys(at = issuer): KeySet {
  const origin = { kind: 'discovery' } as const
  return newKeySets(dialer).get({
    id: 'a',
    version: 1,
    issuer: at.issuer,
    origin,
    authority: undefined,
  })
}

function sign(payload: TokenContent, header: TokenContent = {}): string {
  return signToken(issuer.key, payload, header)
}

async function verify(
  use: TokenUse,
  token: string,
  { keySet = keys, from = issuer.issuer }: { keySet?: KeySet; from?: string } = {},
): Promise<VerifiedToken> {
  const common = { issuer: from, keys: keySet, audiences: [CLIENT], now: NOW }
  return await verifyToken(
    token,
    use === 'id' ? { ...common, use, clientId: CLIENT, nonce: NONCE } : { ...common, use },
  )
}

for (const { name, reason, accepts = [], token } of ATTACKS) {
  for (const use of USES) {
    const isAccepted = accepts.includes(use)
    test(`verifyToken › ${isAccepted ? 'accepts' : 'rejects'} as ${use}: ${name}`, async () => {
      const sent = token(use, { ...issuer, foreignKey })
      if (isAccepted) {
        await verify(use, sent)
        return
      }
      await assert.rejects(verify(use, sent), (error) => {
        assert.ok(error instanceof TokenRefused)
        assert.equal(error.reason, reason)
        // Messages go to pages and logs.
        for (const part of sent.split('.')) assert.ok(part === '' || !error.message.includes(part))
        return true
      })
    })
  }
}

const VALID: Readonly<Record<string, { claims?: Claims; header?: TokenContent }>> = {
  'a usual token': {},
  'a token without a type': { header: { typ: undefined } },
  'the type JWT': { header: { typ: 'JWT' } },
  'a token without a key name, of the only key': { header: { kid: undefined } },
  'a list with one audience': { claims: { aud: [CLIENT] } },
  'two audiences, and the client as azp': { claims: { aud: ['x', CLIENT], azp: CLIENT } },
  'the last second of the tolerance': {
    claims: { iat: SECONDS + 60, exp: SECONDS - 59, nbf: SECONDS + 60 },
  },
  'a token for 36 hours': { claims: { iat: SECONDS - 60, exp: SECONDS - 60 + 36 * 3600 } },
  'claims with the names of inherited members': { claims: { constructor: 'x', toString: 1 } },
  'equal names in different objects': {
    claims: { a: { b: 1 }, c: [{ b: 1 }, { b: 1 }], b: '"b":{' },
  },
}

for (const [name, { claims = {}, header = {} }] of Object.entries(VALID)) {
  for (const use of USES) {
    test(`verifyToken › accepts as ${use}: ${name}`, async () => {
      const token = sign({ ...validClaims(use, issuer.issuer), ...claims }, header)
      const { subject, claims: verified, expiresAt } = await verify(use, token)
      assert.equal(subject, 'subject-1')
      assert.equal(expiresAt.getTime() / 1000, verified['exp'])
      if (claims['constructor'] === undefined) assert.equal(verified['constructor'], undefined)
    })
  }
}

const EVENTS: Readonly<Record<string, [TokenRefusalReason, Claims]>> = {
  'no event': ['event', { events: undefined }],
  'another event': ['event', { events: { 'https://example.test/event': {} } }],
  'an event that is a text': ['event', { events: { [LOGOUT_EVENT]: 'x' } }],
  'events as a list': ['event', { events: [LOGOUT_EVENT] }],
  'no jti': ['token_id', { jti: undefined }],
  'an empty jti': ['token_id', { jti: '' }],
  'a number as jti': ['token_id', { jti: 1 }],
  'a long jti': ['token_id', { jti: 'x'.repeat(256) }],
  'a number as sid': ['subject', { sid: 1 }],
  'an empty sid without sub': ['subject', { sid: '', sub: undefined }],
}

for (const [name, [reason, claims]] of Object.entries(EVENTS)) {
  test(`verifyToken › rejects as logout: ${name}`, async () => {
    const token = sign({ ...validClaims('logout', issuer.issuer), ...claims })
    await assert.rejects(verify('logout', token), { name: 'TokenRefused', reason })
  })
}

test('verifyToken › rejects an ID token as a log-out token, and the reverse', async () => {
  await assert.rejects(verify('logout', sign(validClaims('id', issuer.issuer))), {
    reason: 'token_id',
  })
  await assert.rejects(verify('id', sign(validClaims('logout', issuer.issuer))), {
    reason: 'nonce',
  })
})

test('verifyToken › rejects the token of another access token', async () => {
  const common = { issuer: issuer.issuer, keys, audiences: [CLIENT], now: NOW }
  const expected = { ...common, use: 'id', clientId: CLIENT, nonce: NONCE } as const
  // The example of OpenID Connect Core 1.0, appendix A.3.
  const accessToken = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y'
  const token = sign({ ...validClaims('id', issuer.issuer), at_hash: '77QmUPtjPfzWtF2AnpK9RQ' })
  await verifyToken(token, { ...expected, accessToken })
  await assert.rejects(verifyToken(token, { ...expected, accessToken: `${accessToken}x` }), {
    reason: 'access_token_hash',
  })
})

test('verifyToken › finds a wrong form, issuer or header before it fetches a key', async (t) => {
  const other = await startLyingIssuer()
  t.after(() => other.close())
  const early = [
    'too_large',
    'malformed',
    'repeated_member',
    'issuer',
    'algorithm',
    'type',
    'header',
  ]
  for (const { reason, accepts = [], token } of ATTACKS) {
    if (!early.includes(reason) || accepts.length > 0) continue
    const from = reason === 'issuer' ? 'https://other.example.test' : issuer.issuer
    await assert.rejects(
      verify('id', token('id', { ...issuer, foreignKey }), { keySet: openKeys(other), from }),
      { reason },
    )
  }
  assert.deepEqual(other.requests, [])
})

test('verifyToken › never requests an address of a token', () => {
  const allowed = new Set(['/.well-known/openid-configuration', '/jwks'])
  assert.deepEqual(
    issuer.requests.filter((path) => !allowed.has(path)),
    [],
  )
})

for (const alg of ['RS512', 'PS256', 'PS384', 'ES256', 'ES384', 'EdDSA']) {
  test(`verifyToken › accepts ${alg}, and rejects it with a key for another algorithm`, async (t) => {
    const other = await startLyingIssuer(alg)
    t.after(() => other.close())
    const claims = { ...validClaims('id', issuer.issuer), iss: other.issuer }
    const at = { keySet: openKeys(other), from: other.issuer }
    await verify('id', signToken(other.key, claims), at)
    const foreignToken = signToken(
      { ...issuer.key, jwk: { ...issuer.key.jwk, alg: 'RS256' } },
      claims,
    )
    await assert.rejects(verify('id', foreignToken, at), { reason: 'key_unknown' })
  })
}

test('verifyToken › gives both forms of an ECDSA signature the same hash', async (t) => {
  const other = await startLyingIssuer('ES256')
  t.after(() => other.close())
  const token = signToken(other.key, {
    ...validClaims('exchange', issuer.issuer),
    iss: other.issuer,
  })
  const [header = '', payload = '', signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const mirrored = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex')
  const twin = Buffer.concat([bytes.subarray(0, 32), mirrored]).toString('base64url')
  const at = { keySet: openKeys(other), from: other.issuer }
  const first = await verify('exchange', token, at)
  const second = await verify('exchange', `${header}.${payload}.${twin}`, at)
  assert.deepEqual(second.hash, first.hash)
  const next = signToken(other.key, {
    ...validClaims('exchange', issuer.issuer),
    iss: other.issuer,
    jti: '2',
  })
  assert.notDeepEqual((await verify('exchange', next, at)).hash, first.hash)
})

/** Publishes keys at an issuer of its own, and returns the reason with which a valid token is refused there. */
async function refuseWith(jwks: (key: IssuerKey) => unknown, header: TokenContent = {}) {
  const other = await startLyingIssuer()
  try {
    other.jwks = jwks(other.key)
    const token = signToken(
      other.key,
      { ...validClaims('id', issuer.issuer), iss: other.issuer },
      header,
    )
    const at = { keySet: openKeys(other), from: other.issuer }
    return await verify('id', token, at).then(
      () => 'accepted',
      (error: unknown) => (error instanceof TokenRefused ? error.reason : error),
    )
  } finally {
    await other.close()
  }
}

test('verifyToken › rejects keys that do not verify signatures, or are ambiguous', async () => {
  const second = await newIssuerKey('RS256', 'key-2')
  const es = await newIssuerKey('ES256', 'key-3')
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({
    format: 'jwk',
  })
  const cases: [string, (key: IssuerKey) => unknown, TokenContent?][] = [
    ['key_unknown', ({ jwk }) => ({ keys: [{ ...jwk, use: 'enc' }] })],
    ['key_unknown', ({ jwk }) => ({ keys: [{ ...jwk, use: undefined, key_ops: ['encrypt'] }] })],
    ['key_unknown', ({ jwk }) => ({ keys: [{ ...jwk, kid: undefined }] })],
    ['key_ambiguous', ({ jwk }) => ({ keys: [jwk, second.jwk] }), { kid: undefined }],
    ['key_ambiguous', ({ jwk }) => ({ keys: [jwk, es.jwk] }), { kid: undefined }],
    ['key_ambiguous', ({ jwk }) => ({ keys: [jwk, { ...second.jwk, kid: jwk.kid }] })],
    ['accepted', ({ jwk }) => ({ keys: [jwk, { ...second.jwk, use: 'enc' }] }), { kid: undefined }],
    ['accepted', ({ jwk }) => ({ keys: [{ ...jwk, alg: undefined, use: undefined }, es.jwk] })],
    ['key_unusable', ({ jwk }) => ({ keys: [{ ...short, kid: jwk.kid, alg: 'RS256' }] })],
    ['key_unusable', ({ jwk }) => ({ keys: [{ ...jwk, n: undefined }] })],
  ]
  for (const [expected, jwks, header] of cases) {
    assert.equal(await refuseWith(jwks, header), expected, jwks.toString())
  }
})
