import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ProxiedRequest } from '../test/warehouses/fault-proxy.ts'
import type { Platform, PlatformSettings } from '../test/warehouses/platform.ts'

/** The number of tables of a scripted server, and its latency. */
export interface WarehouseExtent {
  /** The connector's name. */
  source: string
  schemas: number
  tablesPerSchema: number
  columns: number
  latencyMs: number
}

/** A scripted server in another process. */
export interface WarehouseSource extends PlatformSettings {
  /** The connector's name. */
  source: string
  url: string
  extent: WarehouseExtent
  /** Returns the requests since the last call, in the order of their arrival. */
  takeRequests(): Promise<ProxiedRequest[]>
  stop(): Promise<void>
}

/** Starts the scripted server of a platform in another process. */
export async function startWarehouse(
  platform: Platform,
  given: Omit<WarehouseExtent, 'source'>,
): Promise<WarehouseSource> {
  const { source } = platform.connector
  const extent = { ...given, source }
  const child = fork(fileURLToPath(new URL('warehouse-process.ts', import.meta.url)))
  const ask = async (message: object): Promise<unknown> => {
    const ended = new AbortController()
    const answered = once(child, 'message', { signal: ended.signal })
    const onExit = (): void => ended.abort(new Error('the scripted server ended'))
    child.once('exit', onExit)
    child.send(message)
    const [answer] = await answered
    child.off('exit', onExit)
    return answer
  }
  const settings = (await ask(extent)) as PlatformSettings & { url: string }
  return {
    source,
    extent,
    ...settings,
    takeRequests: async () => ((await ask({})) as { requests: ProxiedRequest[] }).requests,
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/**
 * Sends the same requests again with a bare client and discards the answers. Returns the seconds. Errors: any
 * status other than 200.
 */
export async function replay(
  { url }: WarehouseSource,
  requests: readonly ProxiedRequest[],
  concurrency: number,
): Promise<number> {
  const startedAtMs = performance.now()
  const queue = requests.values()
  const send = async (): Promise<void> => {
    for (const { method, target, headers, body } of queue) {
      const response = await fetch(`${url}${target}`, {
        method,
        headers: copyHeaders(headers),
        ...(body === '' ? {} : { body }),
      })
      await response.text()
      if (response.status !== 200) throw new Error(`${method} ${target}: ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, send))
  return (performance.now() - startedAtMs) / 1000
}

const CONNECTION_HEADERS = new Set(['connection', 'content-length', 'host', 'transfer-encoding'])

function copyHeaders(headers: ProxiedRequest['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    CONNECTION_HEADERS.has(name) || value === undefined ? [] : [[name, String(value)]],
  )
}
