/** Dials a listener of this machine that is reachable only if a test allows it. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { after, before, beforeEach } from 'node:test'
import {
  DialRefused,
  newDialer,
  type DialRules,
  type Resolve,
} from '../server/platform/kit/dialer.ts'

export const DENY: DialRules = { privateAddresses: 'deny', allowed: [], ownStore: undefined }
export const ALLOW: DialRules = { ...DENY, privateAddresses: 'allow' }

/** Returns a resolver that resolves every host to the same addresses. */
export function always(...addresses: string[]): Resolve {
  return async () => addresses
}

export function assertRefused(outcome: string | Error, reason: RegExp): void {
  assert.ok(outcome instanceof DialRefused, String(outcome))
  assert.match(outcome.message, reason)
}

export const LOOPBACK_SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0X7F.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '0177.1',
  '127.0.0.1.',
  'localhost',
  'LOCALHOST',
  'LocalHost',
  'localhost.',
  'localhost..',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  'ｌｏｃａｌｈｏｓｔ',
  '１２７．１',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '0000::0001',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '[::ffff:127.0.0.1]',
  '0:0:0:0:0:FFFF:7F00:0001',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::127.0.0.1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '::ffff:0:127.0.0.1',
  '0.0.0.0',
  '0',
  '0x0',
  '::',
  '[::]',
  '::ffff:0.0.0.0',
  '0.0.0.1',
  '::%lo',
  'fe80::1%lo',

  '127.0.0.1%00.example',
  ' 127.0.0.1',
  '127.0.0.1 ',
  '127.0.0.1\t',
  '127.0.0.1\n',
  '127.0.0.1#',

  'user@127.0.0.1',
  '127.0.0.1/',
  '127.0.0.1\\',
  '127.0.0.1?',
  '%31%32%37.0.0.1',
  '127.0.0.1\0',
]

/** A listener on every address of this machine. */
export interface Canary {
  port: number
  /** The number of connections in the current test. */
  connections: number
  /** Dials; returns the error, or what the other side sent. */
  dial(rules: DialRules, host: string, resolve?: Resolve, at?: number): Promise<string | Error>
}

/** Runs a canary during the tests of the calling file. */
export function useCanary(): Canary {
  const canary: Canary = {
    port: 0,
    connections: 0,
    async dial(rules, host, resolve, at = canary.port) {
      const socket = newDialer(rules, resolve).socket()
      return await new Promise((done) => {
        socket.once('error', done)
        socket.once('data', (data: Buffer) => done(data.toString()))
        socket.once('close', () => done(new Error('closed')))
        socket.connect(at, host)
      })
    },
  }
  const server = createServer((socket) => {
    canary.connections += 1
    // A test may close the connection before it has read everything.
    socket.on('error', () => {})
    socket.end('hello')
  })
  before(async () => {
    server.listen(0)
    await once(server, 'listening')
    canary.port = (server.address() as AddressInfo).port
  })
  after(() => server.close())
  beforeEach(() => {
    canary.connections = 0
  })
  return canary
}
