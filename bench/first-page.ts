import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A product that a command started. */
export interface StartedProduct {
  url: string
  /** The process id of the command. */
  pid: number
  /** The time from the start of the command until the first page was read. */
  seconds: number
  /** Stops the command and what it started, and waits until the command has ended. */
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) killGroup(child, 'SIGKILL')
})

/**
 * Runs a command in a folder as a user would, waits until the product prints its address, and reads its first page. The
 * command gets only the given environment.
 */
export async function startToFirstPage(
  command: readonly [program: string, ...parameters: string[]],
  folder: string,
  environment: Record<string, string>,
): Promise<StartedProduct> {
  const [program, ...parameters] = command
  const startedAtMs = performance.now()
  const child = spawn(program, parameters, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Signals reach the launchers and the server, as those of a terminal do.
    detached: true,
  })
  running.add(child)
  const ended = once(child, 'exit').then(() => running.delete(child))
  const url = await readUrl(child)
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  const page = await response.text()
  if (response.status !== 200 || !page.includes('<html')) throw new Error(`no page: ${page}`)
  return {
    url,
    pid: child.pid ?? 0,
    seconds: (performance.now() - startedAtMs) / 1000,
    async stop() {
      killGroup(child, 'SIGTERM')
      await ended
    },
  }
}

async function readUrl(child: ChildProcess): Promise<string> {
  return await new Promise<string>((done, fail) => {
    let output = ''
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const url = /listening on (http:\S+)/.exec(output)?.[1]
      if (url !== undefined) done(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.prependOnceListener('exit', () => {
      fail(new Error(`the product ended before it served: ${output.slice(-2000)}`))
    })
  })
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended.
  }
}
