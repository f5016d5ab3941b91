import { useCallback, useEffect, useRef, useState } from 'react'
import { ownHeaders, refuseProblem } from '../../api/client.ts'

// More than this is not read by a person, and a browser is slow to show it.
const CHARACTERS_SHOWN_MAX = 100_000

/** A request as it goes out. */
export interface Outgoing {
  method: string
  /** The path with its query. */
  address: string
  /** undefined = no body. */
  mediaType: string | undefined
  body: string | undefined
}

/** A response. */
export interface Sent {
  status: number
  statusText: string
  durationMs: number
  headers: readonly (readonly [string, string])[]
  /** As text; JSON has its lines and indents. */
  text: string
  /** The characters of the whole answer, of which `text` may be the beginning. */
  characters: number
  /** Why there is no answer; undefined = there is one. */
  failure: string | undefined
}

/** Sends requests in the person's own session, one at a time; the last answer is kept. */
export function useSend() {
  const [sent, setSent] = useState<Sent | undefined>(undefined)
  const [isSending, setSending] = useState(false)
  const abort = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const send = useCallback(async (outgoing: Outgoing): Promise<void> => {
    abort.current?.abort()
    const own = new AbortController()
    abort.current = own
    setSending(true)
    const result = await exchange(outgoing, own.signal)
    if (own.signal.aborted) return
    setSent(result)
    setSending(false)
  }, [])
  return { send, sent, isSending }
}

async function exchange(
  { method, address, mediaType, body }: Outgoing,
  signal: AbortSignal,
): Promise<Sent> {
  const startedAt = performance.now()
  try {
    const response = await fetch(address, {
      method,
      signal,
      headers: {
        ...ownHeaders(),
        ...(mediaType === undefined ? {} : { 'content-type': mediaType }),
      },
      ...(body === undefined ? {} : { body }),
    })
    // Every response is shown; if the session has ended, the password is requested again.
    if (response.status === 401) await refuseProblem(response.clone()).catch(() => undefined)
    const text = await response.text()
    const durationMs = performance.now() - startedAt
    const shown = withLines(text, response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      statusText: response.statusText,
      durationMs,
      headers: [...response.headers].toSorted(([a], [b]) => a.localeCompare(b)),
      text: shown.slice(0, CHARACTERS_SHOWN_MAX),
      characters: shown.length,
      failure: undefined,
    }
  } catch {
    return {
      status: 0,
      statusText: '',
      durationMs: performance.now() - startedAt,
      headers: [],
      text: '',
      characters: 0,
      failure: 'The server did not respond. Try again in a moment.',
    }
  }
}

// Only JSON on a single line is formatted: documents are shown byte for byte.
function withLines(text: string, contentType: string): string {
  if (!/\bjson\b/.test(contentType) || text.trimEnd().includes('\n')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
