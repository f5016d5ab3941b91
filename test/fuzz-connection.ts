/** A client that writes raw bytes and reads one response, and reuses its connection if possible. */

import { connect, type Socket } from 'node:net'

/** A response as received from the socket. */
export interface WireAnswer {
  status: number
  /** Headers by lower-case name. */
  headers: ReadonlyMap<string, string>
  /** The body as UTF-8 text. */
  body: string
}

/** The result of a request: a response, or the end of the connection without one. */
export type Outcome = WireAnswer | 'closed'

/** A client with one connection at a time. */
export interface WireClient {
  /** Writes a request and reads its response; gives up after `silenceMs` without one. */
  ask(bytes: Buffer, method: string, silenceMs: number): Promise<Outcome>
  /** Writes bytes on a separate connection; returns everything received until it ends or is silent. */
  blurt(bytes: Buffer, silenceMs: number): Promise<string>
  close(): void
}

/** Creates a client for a port of this machine. */
export function newWireClient(port: number): WireClient {
  let open: Socket | undefined
  const dial = (): Socket => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    return socket
  }
  const ask: WireClient['ask'] = async (bytes, method, silenceMs) => {
    open ??= dial()
    const socket = open
    const outcome = await new Promise<Outcome>((done) => {
      let received = Buffer.alloc(0)
      const finish = (result: Outcome): void => {
        clearTimeout(timer)
        socket.removeAllListeners('data')
        socket.removeAllListeners('close')
        done(result)
      }
      const timer = setTimeout(() => {
        socket.destroy()
        finish('closed')
      }, silenceMs)
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        const answer = answerIn(received, method)
        if (answer !== undefined) finish(answer)
      })
      socket.once('close', () => finish(answerIn(received, method, true) ?? 'closed'))
      socket.write(bytes)
    })
    // The server does not read a body that is too large, so the connection ends soon.
    const isKept =
      outcome !== 'closed' &&
      outcome.status !== 413 &&
      outcome.headers.get('connection') === 'keep-alive' &&
      !socket.destroyed
    if (!isKept) {
      socket.destroy()
      open = undefined
    }
    return outcome
  }
  return {
    ask,
    async blurt(bytes, silenceMs) {
      const socket = dial()
      const chunks: Buffer[] = []
      await new Promise<void>((done) => {
        const timer = setTimeout(() => socket.destroy(), silenceMs)
        socket.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          timer.refresh()
        })
        socket.once('close', () => {
          clearTimeout(timer)
          done()
        })
        socket.write(bytes)
      })
      return Buffer.concat(chunks).toString('latin1')
    },
    close: () => open?.destroy(),
  }
}

/** Parses a response; returns undefined while it is incomplete. */
function answerIn(received: Buffer, method: string, isEnd = false): WireAnswer | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [first = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  const rest = received.subarray(headEnd + 4)
  if (status < 200) return answerIn(rest, method, isEnd)
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = bodyIn(rest, headers, method === 'HEAD' || status === 204 || status === 304, isEnd)
  return body === undefined ? undefined : { status, headers, body: body.toString('utf8') }
}

function bodyIn(
  rest: Buffer,
  headers: ReadonlyMap<string, string>,
  isEmpty: boolean,
  isEnd: boolean,
): Buffer | undefined {
  if (isEmpty) return Buffer.alloc(0)
  if (headers.get('transfer-encoding') === 'chunked') return chunksIn(rest)
  const length = headers.get('content-length')
  if (length === undefined) return isEnd ? rest : undefined
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined
}

function chunksIn(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16)
    if (rest.length < lineEnd + 4 + size) return undefined
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 4 + size
  }
}
