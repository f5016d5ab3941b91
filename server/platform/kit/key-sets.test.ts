import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { LOCALHOST_CERTIFICATE } from '../../../test/certificate.ts'
import {
  newIssuerKey,
  signToken,
  startLyingIssuer,
  type IssuerKey,
  type LyingIssuer,
} from '../../../test/oidc/lying-issuer.ts'
import { newDialer } from './dialer.ts'
import { KeySetFailure, newKeySets, type KeySets, type KeySource } from './key-sets.ts'
import { verifyToken } from './token-verifier.ts'

const dialer = newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined })

const now = new Date()

const DISCOVERY = '/.well-known/openid-configuration'

async function newIssuer(t: TestContext): Promise<LyingIssuer> {
  const issuer = await startLyingIssuer('ES256')
  t.after(() => issuer.close())
  return issuer
}

function toSource({ issuer }: { issuer: string }, more: Partial<KeySource> = {}): KeySource {
  return {
    id: 'a',
    version: 1,
    issuer,
    origin: { kind: 'discovery' },
    authority: undefined,
    ...more,
  }
}

/** Returns `accepted`, or why a valid token of the issuer is refused. */
async function verifyAt(
  keySets: KeySets,
  { issuer, key }: { issuer: string; key: IssuerKey },
  { source = toSource({ issuer }), signer = key }: { source?: KeySource; signer?: IssuerKey } = {},
): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000)
  const token = signToken(signer, { iss: issuer, aud: 'a', sub: 's', iat, exp: iat + 60 })
  const keys = keySets.get(source)
  try {
    await verifyToken(token, { use: 'exchange', issuer, keys, audiences: ['a'], now })
    return 'accepted'
  } catch (error) {
    if (error instanceof KeySetFailure) return `${error.kind}: ${error.message}`
    return error instanceof Error && 'reason' in error ? String(error.reason) : String(error)
  }
}

/** Makes the issuer answer every request with an error, until the returned function is called. */
function takeAway({ answers }: LyingIssuer, status = 503): () => void {
  const answer = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status).end()
  }
  for (const path of [DISCOVERY, '/jwks']) answers.set(path, answer)
  return () => answers.clear()
}

test('KeySet › a thousand tokens at once cause one fetch', async (t) => {
  const issuer = await newIssuer(t)
  const keySets = newKeySets(dialer)
  const results = await Promise.all(Array.from({ length: 1000 }, () => verifyAt(keySets, issuer)))
  assert.deepEqual(new Set(results), new Set(['accepted']))
  assert.deepEqual(issuer.requests, [DISCOVERY, '/jwks'])
})

test('KeySet › a rotated key is found without a restart, in every process', async (t) => {
  const issuer = await newIssuer(t)
  const processes = [newKeySets(dialer, { coolDownMs: 0 }), newKeySets(dialer, { coolDownMs: 0 })]
  for (const keySets of processes) assert.equal(await verifyAt(keySets, issuer), 'accepted')
  const next = await newIssuerKey('ES256', 'key-2')
  issuer.jwks = { keys: [next.jwk] }
  for (const keySets of processes) {
    assert.equal(await verifyAt(keySets, issuer, { signer: next }), 'accepted')
    // The new set replaced the old one.
    assert.equal(await verifyAt(keySets, issuer), 'key_unknown')
  }
})

test('KeySet › unknown keys cause at most one fetch per cool-down', async (t) => {
  const issuer = await newIssuer(t)
  const keySets = newKeySets(dialer)
  assert.equal(await verifyAt(keySets, issuer), 'accepted')
  const unknown = await newIssuerKey('ES256', 'key-2')
  for (let turn = 0; turn < 20; turn += 1) {
    assert.equal(await verifyAt(keySets, issuer, { signer: unknown }), 'key_unknown')
  }
  assert.equal(issuer.requests.length, 2)
})

test('KeySet › keys that are not fresh are fetched again, and a withdrawn one then counts no more', async (t) => {
  const issuer = await newIssuer(t)
  const [fresh, old] = [newKeySets(dialer), newKeySets(dialer, { freshMs: 0 })]
  for (const keySets of [fresh, old]) assert.equal(await verifyAt(keySets, issuer), 'accepted')
  issuer.jwks = { keys: [(await newIssuerKey('ES256', 'key-2')).jwk] }
  assert.equal(await verifyAt(fresh, issuer), 'accepted')
  assert.equal(await verifyAt(old, issuer), 'key_unknown')
})

test('KeySet › the last keys count while the issuer is away, but not forever', async (t) => {
  const issuer = await newIssuer(t)
  const limits = { freshMs: 0, coolDownMs: 0 }
  const [day, none] = [newKeySets(dialer, limits), newKeySets(dialer, { ...limits, lastGoodMs: 0 })]
  for (const keySets of [day, none]) assert.equal(await verifyAt(keySets, issuer), 'accepted')
  const comeBack = takeAway(issuer)
  assert.equal(await verifyAt(day, issuer), 'accepted')
  assert.match(await verifyAt(none, issuer), /^unreachable: .* answered 503 for /)
  // It may be a new key of the issuer.
  const next = await newIssuerKey('ES256', 'key-2')
  assert.match(await verifyAt(day, issuer, { signer: next }), /^unreachable/)
  // Keys that it publishes by mistake do not replace the last ones, either.
  comeBack()
  issuer.jwks = { keys: [] }
  assert.equal(await verifyAt(day, issuer), 'accepted')
  issuer.jwks = { keys: [next.jwk] }
  assert.equal(await verifyAt(day, issuer), 'key_unknown')
  assert.equal(await verifyAt(day, issuer, { signer: next }), 'accepted')
})

test('KeySet › an issuer that is away is asked once per cool-down', async (t) => {
  const issuer = await newIssuer(t)
  takeAway(issuer)
  const keySets = newKeySets(dialer)
  for (let turn = 0; turn < 20; turn += 1) {
    assert.match(await verifyAt(keySets, issuer), /^unreachable/)
  }
  assert.equal(issuer.requests.length, 1)
  assert.equal(
    await verifyAt(newKeySets(dialer, { coolDownMs: 0 }), issuer).then((text) => text.slice(0, 11)),
    'unreachable',
  )
})

test('KeySet › an issuer that comes back is found after the cool-down', async (t) => {
  const issuer = await newIssuer(t)
  const comeBack = takeAway(issuer)
  const keySets = newKeySets(dialer, { coolDownMs: 0 })
  assert.match(await verifyAt(keySets, issuer), /^unreachable/)
  comeBack()
  assert.equal(await verifyAt(keySets, issuer), 'accepted')
})

test('KeySet › another version of the row has keys of its own', async (t) => {
  const [issuer, other] = [await newIssuer(t), await newIssuer(t)]
  const keySets = newKeySets(dialer)
  assert.equal(await verifyAt(keySets, issuer), 'accepted')
  const moved = toSource(issuer, {
    version: 2,
    origin: { kind: 'address', address: `${other.issuer}/jwks` },
  })
  // The keys of the other issuer have the same name.
  assert.equal(await verifyAt(keySets, issuer, { source: moved }), 'signature')
  assert.equal(await verifyAt(keySets, issuer), 'accepted')
  assert.equal(await verifyAt(keySets, other), 'accepted')
  assert.deepEqual(other.requests, ['/jwks', DISCOVERY, '/jwks'])
})

test('KeySet › keys in the row are used without a request', async (t) => {
  const issuer = await newIssuer(t)
  const inline = (jwks: unknown) =>
    toSource(issuer, { id: crypto.randomUUID(), origin: { kind: 'inline', jwks } })
  const keySets = newKeySets(dialer)
  assert.equal(await verifyAt(keySets, issuer, { source: inline(issuer.jwks) }), 'accepted')
  assert.match(
    await verifyAt(keySets, issuer, { source: inline({ keys: [] }) }),
    /^invalid: .* is empty/,
  )
  assert.deepEqual(issuer.requests, [])
})

/** Answers that are not usable, by the start of the error. `endless` never ends, `hang` never begins. */
const ANSWERS: Readonly<Record<string, [RegExp, (issuer: LyingIssuer) => void]>> = {
  'an empty key set': [/^invalid: The key set of .* is empty/, (at) => (at.jwks = { keys: [] })],
  'a private key': [
    /^invalid: The key set of .* contains a private key/,
    (at) =>
      (at.jwks = { keys: [{ ...at.key.jwk, ...at.key.privateKey.export({ format: 'jwk' }) }] }),
  ],
  'a secret': [/^invalid: .* private key/, (at) => (at.jwks = { keys: [{ kty: 'oct', k: 'x' }] })],
  '101 keys': [
    /^invalid: .* more than 100 keys/,
    (at) => (at.jwks = { keys: Array.from({ length: 101 }, () => at.key.jwk) }),
  ],
  'keys that are not objects': [/^invalid: .* not a list/, (at) => (at.jwks = { keys: ['x'] })],
  'no keys': [/^invalid: .* not a list/, (at) => (at.jwks = [])],
  'no JSON': [/^invalid: .* answered no JSON for \/jwks/, (at) => (at.jwks = '<html>')],
  'a discovery document of another issuer': [
    /^invalid: .* names another issuer/,
    (at) => (at.discovery = { issuer: `${at.issuer}/`, jwks_uri: `${at.issuer}/jwks` }),
  ],
  'no address of keys': [
    /^invalid: .* has no jwks_uri/,
    (at) => (at.discovery = { issuer: at.issuer, jwks_uri: '/jwks' }),
  ],
  'an address that is not a web address': [
    /^invalid: .* needs an https address/,
    (at) => (at.discovery = { issuer: at.issuer, jwks_uri: 'file:///etc/passwd' }),
  ],
  'http at another machine': [
    /^invalid: .* needs an https address/,
    (at) => (at.discovery = { issuer: at.issuer, jwks_uri: 'http://203.0.113.7/jwks' }),
  ],
  'keys at the metadata address': [
    /^invalid: .* never allowed/,
    (at) => (at.discovery = { issuer: at.issuer, jwks_uri: 'https://169.254.169.254/jwks' }),
  ],
  'a redirect to the metadata address': [
    /^invalid: .* redirect/,
    (at) =>
      at.answers.set('/jwks', (_, response) => {
        response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
      }),
  ],
  'a status': [
    /^invalid: .* answered 404 for \/jwks/,
    (at) => at.answers.set('/jwks', (_, response) => response.writeHead(404).end()),
  ],
  'an endless answer': [
    /^invalid: .* more than 262144 bytes/,
    (at) =>
      at.answers.set('/jwks', (_, response) => {
        const write = (): void => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
        }
        response.on('drain', write).on('error', () => {})
        write()
      }),
  ],
}

for (const [name, [expected, prepare]] of Object.entries(ANSWERS)) {
  test(`KeySet › rejects ${name}`, async (t) => {
    const issuer = await newIssuer(t)
    prepare(issuer)
    assert.match(await verifyAt(newKeySets(dialer), issuer), expected)
  })
}

test('KeySet › an answer that does not come, or does not end, ends in time', async (t) => {
  const issuer = await newIssuer(t)
  for (const begin of [false, true]) {
    issuer.answers.set('/jwks', (_, response) => {
      if (begin) response.write('{')
    })
    const result = await verifyAt(newKeySets(dialer, { requestMs: 100 }), issuer)
    assert.match(result, /^unreachable: The keys of .* cannot be fetched/)
  }
})

test('KeySet › an issuer at a forbidden or private address is not reached', async (t) => {
  const issuer = await newIssuer(t)
  const strict = newDialer({
    ...dialer.rules,
    privateAddresses: 'deny',
    advice: 'See PORTBOOK_IDENTITY_ALLOWED',
  })
  assert.match(
    await verifyAt(newKeySets(strict), issuer),
    /^invalid: .*private address.*See PORTBOOK_IDENTITY_ALLOWED/,
  )
  const listed = newDialer({ ...strict.rules, allowed: ['127.0.0.1'] })
  assert.equal(await verifyAt(newKeySets(listed), issuer), 'accepted')
  const metadata = newDialer({ ...strict.rules, allowed: ['169.254.0.0/16'] })
  const address = 'https://169.254.169.254/jwks'
  const source = toSource(issuer, { origin: { kind: 'address', address } })
  assert.match(
    await verifyAt(newKeySets(metadata), issuer, { source }),
    /^invalid: .*never allowed/,
  )
})

test('KeySet › an authority of the row is trusted for this issuer only', async (t) => {
  const { key, cert } = LOCALHOST_CERTIFICATE
  const signer = await newIssuerKey('ES256')
  const server = createTlsServer({ key, cert }, (_, response) => {
    response.end(JSON.stringify({ keys: [signer.jwk] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`
  const origin = { kind: 'address', address: `${issuer}/jwks` } as const
  const keySets = newKeySets(dialer)
  const at = (id: string, authority: string | undefined) =>
    verifyAt(
      keySets,
      { issuer, key: signer },
      { source: toSource({ issuer }, { id, origin, authority }) },
    )
  assert.equal(await at('a', cert), 'accepted')
  assert.match(await at('b', undefined), /^unreachable: .* not trusted/)
})
