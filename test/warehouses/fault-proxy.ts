/**
 * A proxy between a connector and its peer that fails, delays or changes selected answers, and adds pages to
 * peers that have none.
 *
 *     const proxy = await startFaultProxy(peer.url, { paging: DATABRICKS_PAGING })
 *     proxy.pageSize = 2
 *     proxy.fail('/tables', { status: 429, retryAfter: 1 }, 1)
 *     const stalled = proxy.stall('/tables')
 *     await stalled.reached
 *     stalled.release()
 *
 * Requests are selected by a part of their text: method, target and body, separated by spaces.
 */

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { text as readStream } from 'node:stream/consumers'
import { sendReply, type How } from '../scripted-reply.ts'
import { toPage, type Paging } from './paging.ts'

/** A received request. */
export interface ProxiedRequest {
  method: string
  /** The target as sent, with its query. */
  target: string
  headers: IncomingHttpHeaders
  body: string
}

/** Selects requests: by a part of their text, or with a function. */
export type When = string | ((request: ProxiedRequest) => boolean)

/** A failure: a reply without asking the peer, or a fault of the peer's reply. */
export type Fault = Extract<
  How,
  { status: number } | { text: string } | 'drip' | 'drop' | 'hang up'
>

/** A running proxy. */
export interface FaultProxy {
  /** The URL without a slash at its end. */
  url: string
  /** All received requests. */
  requests: ProxiedRequest[]
  /** The number of entries on a page; undefined = as the peer pages. */
  pageSize: number | undefined
  /** Whether an empty page with a token precedes every page but the first. */
  addsEmptyPages: boolean
  /** The delay of every request and of every answer. */
  delayMs: number
  count(when: When): number
  /** Fails the next `times` requests that match; the latest call takes precedence. */
  fail(when: When, how: Fault, times?: number): void
  /** Stalls matching requests until they are released. */
  stall(when: When): { reached: Promise<ProxiedRequest>; release(): void }
  /** Ends all failures and stalls. */
  heal(): void
  close(): Promise<void>
}

interface Stall {
  when: When
  reach(request: ProxiedRequest): void
  released: Promise<void>
  release(): void
}

/** The upstream answer to a request. */
export interface PeerAnswer {
  status: number
  headers: Record<string, string>
  text: string
}

/** Starts a proxy on loopback in front of a peer. */
export async function startFaultProxy(
  peerUrl: string,
  { paging }: { paging?: Paging } = {},
): Promise<FaultProxy> {
  const faults: { when: When; how: Fault; left: number }[] = []
  let stalls: Stall[] = []
  const server = createServer((incoming, response) => {
    response.on('error', () => {})
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const handle = async (): Promise<void> => {
      const request: ProxiedRequest = {
        method: incoming.method ?? '',
        target: incoming.url ?? '',
        headers: incoming.headers,
        body: await readStream(incoming),
      }
      await answer(request, response, gone.signal)
    }
    handle().catch((error: unknown) => response.destroy(error as Error))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const answer = async (
    request: ProxiedRequest,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> => {
    proxy.requests.push(request)
    const stall = stalls.find(({ when }) => matches(when, request))
    stall?.reach(request)
    await stall?.released
    if (signal.aborted) return
    const fault = faults.find(({ when, left }) => left > 0 && matches(when, request))
    if (fault) fault.left -= 1
    const how = fault?.how
    if (how === 'hang up' || (typeof how === 'object' && 'status' in how)) {
      return await sendReply(response, { status: 500, text: '' }, how)
    }
    if (proxy.delayMs > 0) await wait(proxy.delayMs)
    const ask = (one: ProxiedRequest): Promise<PeerAnswer> => forward(peerUrl, one, signal)
    const { pageSize, addsEmptyPages } = proxy
    const isPaged = paging !== undefined && (pageSize !== undefined || addsEmptyPages)
    const got = isPaged
      ? await toPage(paging, request, { pageSize: pageSize ?? Infinity, addsEmptyPages }, ask)
      : await ask(request)
    if (proxy.delayMs > 0) await wait(proxy.delayMs)
    await sendReply(response, got, how)
  }

  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    pageSize: undefined,
    addsEmptyPages: false,
    delayMs: 0,
    count: (when) => proxy.requests.filter((request) => matches(when, request)).length,
    fail: (when, how, times = Infinity) => void faults.unshift({ when, how, left: times }),
    stall(when) {
      const reached = Promise.withResolvers<ProxiedRequest>()
      const released = Promise.withResolvers<void>()
      const stall: Stall = {
        when,
        reach: reached.resolve,
        released: released.promise,
        release() {
          stalls = stalls.filter((other) => other !== stall)
          released.resolve()
        },
      }
      stalls.push(stall)
      return { reached: reached.promise, release: stall.release }
    },
    heal() {
      faults.length = 0
      for (const { release } of stalls) release()
    },
    async close() {
      proxy.heal()
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return proxy
}

/** Returns whether a request is selected. */
export function matches(when: When, request: ProxiedRequest): boolean {
  if (typeof when === 'function') return when(request)
  return `${request.method} ${request.target} ${request.body}`.includes(when)
}

// Hop-by-hop headers, and those that the new connection has of its own.
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
])

async function forward(
  peerUrl: string,
  { method, target, headers, body }: ProxiedRequest,
  signal: AbortSignal,
): Promise<PeerAnswer> {
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    OWN_HEADERS.has(name) || value === undefined ? [] : [[name, String(value)]],
  )
  const response = await fetch(`${peerUrl}${target}`, {
    method,
    headers: sent,
    ...(body === '' ? {} : { body }),
    redirect: 'manual',
    signal,
  })
  const received = [...response.headers].filter(
    ([name]) => !OWN_HEADERS.has(name) && name !== 'content-encoding',
  )
  return {
    status: response.status,
    headers: Object.fromEntries(received),
    text: await response.text(),
  }
}
