/** The replies of a scripted source, and what each kind of failure does to them. */

import type { ServerResponse } from 'node:http'

/** A kind of failure. */
export type How =
  /** An error, with the usual body unless one is given. */
  | { status: number; retryAfter?: number | string; body?: string; location?: string }
  /** The page without its second half, and without the token of the next page. */
  | 'cut'
  /** An empty page with a token, before the requested page. */
  | 'empty page'
  /** An empty listing. */
  | 'nothing'
  /** A page whose token refers to itself, forever. */
  | 'repeat'
  /** A listing without the object of this name. */
  | { omit: string }
  /** A complete response with this text. */
  | { text: string }
  /** The head, and then one byte every 20 ms. */
  | 'drip'
  /** The connection ends in the middle of the body. */
  | 'drop'
  /** The connection ends without a response. */
  | 'hang up'

/** A reply: a JSON body, or the text of one. */
export type Reply = { status: number; headers?: Record<string, string> } & (
  | { body: unknown }
  | { text: string }
)

export function errorReply(status: number, type: string): { status: number; body: unknown } {
  return { status, body: { error: { message: `${type} of the script`, type, code: status } } }
}

/**
 * Returns one page of a listing in the order of names. A token is `<page>/<name before the page>`, so that
 * objects created or dropped in between do not move others across pages. The prefix `e` marks a token of an
 * empty page.
 */
export function takePage<T extends { name: string }>(
  all: readonly T[],
  pageSize: number,
  token: string,
  how: How | undefined,
): { things: T[]; next: string | undefined } {
  const [, isPast = '', page = '0', after = ''] = /^(e?)(\d+)\/(.*)$/s.exec(token) ?? []
  if (how === 'nothing') return { things: [], next: undefined }
  if (how === 'empty page' && isPast === '') return { things: [], next: `e${page}/${after}` }
  const rest = all.filter(({ name }) => token === '' || after === '' || name > after)
  const things = rest.slice(0, pageSize)
  if (how === 'repeat') return { things, next: `${page}/${after}` }
  if (how === 'cut')
    return { things: things.slice(0, Math.floor(things.length / 2)), next: undefined }
  const omitted = typeof how === 'object' && 'omit' in how ? how.omit : undefined
  const last = things.at(-1)?.name
  const next = rest.length > pageSize ? `${Number(page) + 1}/${last}` : undefined
  return { things: things.filter(({ name }) => name !== omitted), next }
}

/** Returns the body of `config`. */
export function describeConfig({
  prefix,
  offersViews,
}: {
  prefix: string | undefined
  offersViews: boolean
}): unknown {
  const base = 'GET /v1/{prefix}/namespaces'
  const views = [`${base}/{namespace}/views`, `${base}/{namespace}/views/{view}`]
  return {
    defaults: {},
    overrides: prefix === undefined ? {} : { prefix },
    endpoints: [
      base,
      `${base}/{namespace}`,
      `${base}/{namespace}/tables`,
      `${base}/{namespace}/tables/{table}`,
      ...(offersViews ? views : []),
    ],
  }
}

/** Sends a reply, or fails in the given way. */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  how: How | undefined,
): Promise<void> {
  if (how === 'hang up') return void response.destroy()
  if (typeof how === 'object' && 'status' in how) return sendFault(response, how)
  const usual = 'text' in reply ? reply.text : JSON.stringify(reply.body)
  const text = typeof how === 'object' && 'text' in how ? how.text : usual
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...reply.headers,
  })
  if (how === 'drop') {
    response.write(text.slice(0, text.length / 2), () => response.destroy())
  } else if (how === 'drip') {
    await drip(response, text)
  } else {
    response.end(text)
  }
}

function sendFault(response: ServerResponse, how: Extract<How, { status: number }>): void {
  const { body } = errorReply(how.status, 'ScriptedException')
  response.writeHead(how.status, {
    'content-type': 'application/json',
    ...(how.retryAfter === undefined ? {} : { 'retry-after': String(how.retryAfter) }),
    ...(how.location === undefined ? {} : { location: how.location }),
  })
  response.end(how.body ?? JSON.stringify(body))
}

async function drip(response: ServerResponse, text: string): Promise<void> {
  for (const byte of Buffer.from(text)) {
    if (response.destroyed) return
    response.write(Buffer.of(byte))
    await new Promise((done) => setTimeout(done, 20))
  }
  response.end()
}
