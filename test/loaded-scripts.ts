/** The scripts that a process really loads, by the coverage that V8 writes when it ends. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the addresses of all scripts, and of those of traces, that a process loaded. It must have ended with
 * NODE_V8_COVERAGE set to the folder.
 */
export function listTraceScripts(coverageFolder: string): { all: string[]; traces: string[] } {
  const all = readdirSync(coverageFolder).flatMap((file) => {
    const text = readFileSync(join(coverageFolder, file), 'utf8')
    const { result } = JSON.parse(text) as { result: { url: string }[] }
    return result.map(({ url }) => url)
  })
  return { all, traces: all.filter((url) => /tracing-sdk|sdk-trace|otlp/.test(url)) }
}
