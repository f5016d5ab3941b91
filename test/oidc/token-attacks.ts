/** The table of attack tokens: each is valid but for one thing. */

import { createHmac } from 'node:crypto'
import { LOGOUT_EVENT } from '../../server/platform/kit/token-claims.ts'
import type { TokenRefusalReason } from '../../server/platform/kit/token-refusal.ts'
import type { TokenUse } from '../../server/platform/kit/token-verifier.ts'
import { encodePart, signToken, type IssuerKey, type TokenContent } from './lying-issuer.ts'

/** The instant of all tests of tokens. */
export const NOW = new Date('2026-11-29T12:00:00.500Z')
/** The same in seconds. */
export const SECONDS = Math.floor(NOW.getTime() / 1000)
/** The client of all tokens. */
export const CLIENT = 'client-1'
/** The nonce of ID tokens. */
export const NONCE = 'nonce-1'

/** The claims of a token. A claim that is undefined is absent. */
export type Claims = Record<string, unknown>

/** Returns the claims of a valid token of an issuer. */
export function validClaims(use: TokenUse, issuer: string): Claims {
  return {
    iss: issuer,
    sub: 'subject-1',
    aud: CLIENT,
    iat: SECONDS - 10,
    exp: SECONDS + 600,
    ...(use === 'id' && { nonce: NONCE }),
    ...(use === 'logout' && { jti: 'token-1', sid: 'session-1', events: { [LOGOUT_EVENT]: {} } }),
  }
}

/** The issuer whose tokens are forged, and a key of the attacker with the same name. */
export interface AttackScene {
  issuer: string
  key: IssuerKey
  foreignKey: IssuerKey
}

/** A token that is wrong in one way. */
interface Attack {
  name: string
  reason: TokenRefusalReason
  /** The uses that accept it; undefined = none. */
  accepts?: readonly TokenUse[]
  token: (use: TokenUse, scene: AttackScene) => string
}

/** Returns attacks with changed claims; a claim that is undefined is absent. */
function changeClaims(
  reason: TokenRefusalReason,
  changes: Record<string, Claims | ((issuer: string) => Claims)>,
  accepts: readonly TokenUse[] = [],
): Attack[] {
  return Object.entries(changes).map(([name, change]) => ({
    name,
    reason,
    accepts,
    token: (use, { issuer, key }) =>
      signToken(key, {
        ...validClaims(use, issuer),
        ...(typeof change === 'function' ? change(issuer) : change),
      }),
  }))
}

/** Returns attacks with other headers, signed with the issuer's key unless another one is given. */
function changeHeader(
  reason: TokenRefusalReason,
  headers: Record<string, TokenContent>,
  findKey: (scene: AttackScene) => IssuerKey = ({ key }) => key,
  accepts: readonly TokenUse[] = [],
): Attack[] {
  return Object.entries(headers).map(([name, header]) => ({
    name,
    reason,
    accepts,
    token: (use, scene) => signToken(findKey(scene), validClaims(use, scene.issuer), header),
  }))
}

/** Returns attacks that change the text of a valid token. */
function changeText(
  reason: TokenRefusalReason,
  changes: Record<
    string,
    (
      parts: [string, string, string],
      again: (changes: Claims) => string,
      scene: AttackScene,
    ) => string
  >,
): Attack[] {
  return Object.entries(changes).map(([name, change]) => ({
    name,
    reason,
    token(use, scene) {
      const signAgain = (more: Claims) =>
        signToken(scene.key, { ...validClaims(use, scene.issuer), ...more })
      const [header = '', payload = '', signature = ''] = signAgain({}).split('.')
      return change([header, payload, signature], signAgain, scene)
    },
  }))
}

/** Returns attacks with other payloads than an object of unique members. */
function changePayload(
  reason: TokenRefusalReason,
  payloads: Record<string, (json: string) => TokenContent>,
): Attack[] {
  return Object.entries(payloads).map(([name, change]) => ({
    name,
    reason,
    token: (use, { issuer, key }) =>
      signToken(key, change(JSON.stringify(validClaims(use, issuer)))),
  }))
}

const EVIL = 'http://127.0.0.1:9/evil'

const findForeign = ({ foreignKey }: AttackScene) => foreignKey

/** Every token that is wrong in one way, with the reason of its refusal. */
export const ATTACKS: readonly Attack[] = [
  ...changeText('algorithm', {
    'alg none': ([, payload]) => `${encodePart({ alg: 'none' })}.${payload}.`,
    'alg nOnE': ([, payload]) => `${encodePart({ alg: 'nOnE' })}.${payload}.`,
    'alg absent': ([, payload, signature]) => `${encodePart({})}.${payload}.${signature}`,
    'alg a list': ([, payload, signature]) =>
      `${encodePart({ alg: ['RS256'] })}.${payload}.${signature}`,
    'HS256 with the public key': ([, payload], _again, { key }) => {
      const signed = `${encodePart({ alg: 'HS256', kid: 'key-1' })}.${payload}`
      const secret = JSON.stringify(key.jwk)
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
    },
  }),
  ...changeText('signature', {
    'empty signature': ([header, payload]) => `${header}.${payload}.`,
    'signature of another token': ([header, payload], again) =>
      `${header}.${payload}.${again({ sub: 'x' }).split('.')[2]}`,
    'changed payload': ([header, , signature], again) =>
      `${header}.${again({ sub: 'admin' }).split('.')[1]}.${signature}`,
  }),
  ...changeHeader('key_unknown', {
    'unknown kid': { kid: 'key-2' },
    'kid is a path': { kid: '../../../../dev/null' },
    'kid is empty': { kid: '' },
    'RS384 with a key for RS256': { alg: 'RS384' },
    'PS256 with a key for RS256': { alg: 'PS256' },
  }),
  ...changeHeader(
    'signature',
    {
      'signed by another key of this name': {},
      'jwk in the header': { jwk: { kty: 'RSA', e: 'AQAB', n: 'x' } },
      'jku in the header': { jku: EVIL },
      'x5u in the header': { x5u: EVIL },
      'x5c in the header': { x5c: ['MIIB'] },
    },
    findForeign,
  ),
  ...changeHeader('header', {
    'kid is a number': { kid: 1 },
    'kid is a list': { kid: ['key-1'] },
    crit: { crit: ['exp'], exp: 1 },
    'empty crit': { crit: [] },
    b64: { b64: false },
    'b64 with crit': { b64: false, crit: ['b64'] },
  }),
  ...changeHeader('type', {
    'typ of a security event': { typ: 'secevent+jwt' },
    'typ of DPoP': { typ: 'dpop+jwt' },
    'typ is a number': { typ: 1 },
    'typ is null': { typ: null },
  }),
  ...changeHeader('type', { 'typ of an access token': { typ: 'at+jwt' } }, undefined, [
    'exchange',
    'agent',
  ]),
  ...changeHeader(
    'type',
    {
      'typ of a log-out token': { typ: 'logout+jwt' },
      'typ with its media type': { typ: 'application/LOGOUT+JWT' },
    },
    undefined,
    ['logout'],
  ),
  ...changeClaims('expired', { expired: { exp: SECONDS - 60 }, 'exp 0': { exp: 0, iat: 0 } }),
  ...changeClaims('times', {
    'no exp': { exp: undefined },
    'exp is a text': { exp: String(SECONDS + 600) },
    'exp is null': { exp: null },
    'exp 1e99': { exp: 1e99 },
    'exp in milliseconds': { exp: NOW.getTime() + 600_000 },
    'exp 2^33': { exp: 2 ** 33 },
    'exp with a fraction': { exp: SECONDS + 600.5 },
    'no iat': { iat: undefined },
    'iat is a text': { iat: String(SECONDS) },
    'iat negative': { iat: -1 },
    'nbf is a text': { nbf: 'now' },
    'nbf with a fraction': { nbf: SECONDS - 0.5 },
  }),
  ...changeClaims('lifetime', {
    'valid for a year': { exp: SECONDS + 365 * 86_400 },
    'valid for 36 hours and a second': { iat: SECONDS, exp: SECONDS + 36 * 3600 + 1 },
  }),
  ...changeClaims('not_yet_valid', {
    'nbf in the future': { nbf: SECONDS + 61 },
    'iat in the future': { iat: SECONDS + 61 },
  }),
  ...changeClaims('issuer', {
    'iss with a slash': (issuer) => ({ iss: `${issuer}/` }),
    'iss in capitals': (issuer) => ({ iss: issuer.toUpperCase() }),
    'iss is a list': (issuer) => ({ iss: [issuer] }),
    'iss with a user': (issuer) => ({ iss: issuer.replace('//', '//user@') }),
    'iss absent': { iss: undefined },
    'iss of another': { iss: 'https://login.example.test' },
  }),
  ...changeClaims('audience', {
    'another aud': { aud: 'client-2' },
    'aud is a prefix': { aud: 'client-' },
    'aud with a slash': { aud: `${CLIENT}/` },
    'aud in capitals': { aud: 'CLIENT-1' },
    'aud is empty': { aud: '' },
    'aud is an empty list': { aud: [] },
    'aud absent': { aud: undefined },
    'aud is an object': { aud: { 0: CLIENT } },
    'aud with a number': { aud: [CLIENT, 1] },
    'aud in a list': { aud: [[CLIENT]] },
  }),
  ...changeClaims(
    'authorized_party',
    {
      'foreign azp': { azp: 'client-2' },
      'azp is a list': { azp: [CLIENT] },
      'azp is empty': { azp: '' },
      'two audiences without azp': { aud: [CLIENT, 'client-2'] },
      'two audiences with a foreign azp': { aud: [CLIENT, 'client-2'], azp: 'client-2' },
    },
    ['logout', 'exchange', 'agent'],
  ),
  ...changeClaims('nonce', { 'no nonce': { nonce: undefined } }, ['logout', 'exchange', 'agent']),
  ...changeClaims(
    'nonce',
    { 'another nonce': { nonce: 'nonce-2' }, 'nonce is a list': { nonce: [NONCE] } },
    ['exchange', 'agent'],
  ),
  ...changeClaims('subject', {
    'sub is a number': { sub: 1 },
    'sub is null': { sub: null },
    'sub is a list': { sub: ['subject-1'] },
    'sub is empty': { sub: '' },
    'sub of 1025 characters': { sub: 'x'.repeat(1025) },
    'neither sub nor sid': { sub: undefined, sid: undefined },
  }),
  ...changeClaims('subject', { 'no sub': { sub: undefined } }, ['logout']),
  ...changeClaims('subject', { 'sub of 256 characters': { sub: 'x'.repeat(256) } }, [
    'exchange',
    'agent',
  ]),
  ...changePayload('repeated_member', {
    'a claim twice': (json) => json.replace('{', '{"sub":"admin",'),
    'a claim twice, once escaped': (json) => json.replace('{', String.raw`{"\u0073ub":"admin",`),
    'a claim twice in a list of objects': (json) => json.replace('{', '{"a":[{"b":1,"b":":"}],'),
  }),
  ...changeHeader('repeated_member', {
    'a member of the header twice': '{"alg":"RS256","kid":"key-1","kid":"key-1"}',
  }),
  ...changePayload('malformed', {
    'a claim __proto__': (json) => json.replace('{', '{"__proto__":{"sub":"admin"},'),
    'a nested member __proto__': (json) => json.replace('{', '{"a":{"__proto__":{}},'),
    'array payload': (json) => `[${json}]`,
    'text payload': () => '"subject-1"',
    'null payload': () => 'null',
    'payload is not JSON': (json) => `${json},`,
    'payload with comments': (json) => `/* */${json}`,
    'payload in UTF-16': (json) => Buffer.from(json, 'utf16le'),
    'payload with a byte order mark': (json) => `\uFEFF${json}`,
    'payload in Latin 1': (json) => Buffer.from(json.replace('subject', 'subjét'), 'latin1'),
    'a claim with NUL': (json) => json.replace('{', String.raw`{"name":"a\u0000b",`),
    'a claim with half a character': (json) => json.replace('{', String.raw`{"name":"\ud800",`),
    'nested without an end': (json) => json.replace('{', `{"a":${'['.repeat(5000)}`),
    'nested deeply': (json) => json.replace('{', `{"a":${'['.repeat(5500)}${']'.repeat(5500)},`),
  }),
  ...changeHeader('malformed', {
    'header is a list': '["RS256"]',
    'header is not JSON': 'RS256',
  }),
  ...changeText('malformed', {
    'an encrypted token': ([header, payload, signature]) =>
      [header, payload, signature, signature, signature].join('.'),
    'JSON form': ([header, payload, signature]) =>
      JSON.stringify({ protected: header, payload, signature }),
    'two parts': ([header, payload]) => `${header}.${payload}`,
    'four parts': ([header, payload, signature]) => `${header}.${payload}.${signature}.`,
    padding: ([header, payload, signature]) => `${header}.${payload}.${signature}==`,
    'white space at the end': (parts) => `${parts.join('.')}\n`,
    'white space at the start': (parts) => ` ${parts.join('.')}`,
    'the alphabet of base64': ([header, payload, signature]) =>
      `${header}.${payload}.+/${signature}`,
    'an empty text': () => '',
    'only dots': () => '..',
  }),
  ...changePayload('too_large', {
    'more than 16 KiB': (json) => json.replace('{', `{"a":"${'x'.repeat(13_000)}",`),
  }),
]
