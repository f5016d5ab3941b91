/**
 * Firefox, driven over WebDriver BiDi: JSON commands over a WebSocket that Firefox serves. These tests
 * need only a few commands, so they use no library. https://www.w3.org/TR/webdriver-bidi/
 */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A window of Firefox. */
export interface FirefoxWindow {
  /** Opens an address. Resolves when the document and its scripts are loaded. */
  navigate(url: string): Promise<void>
  /** Evaluates an expression to a JSON value; awaits it if it is a promise. */
  evaluate(expression: string): Promise<unknown>
  /** Errors and warnings of the console and of the pages since the start. */
  problems: string[]
  close(): Promise<void>
}

const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox']
const START_MS_MAX = 60_000
const COMMAND_MS_MAX = 30_000

// Disables everything that Firefox does on its own.
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage': 'about:blank',
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'remote.prefs.recommended': true,
  'toolkit.telemetry.enabled': false,
  'ui.prefersReducedMotion': 1,
}

/** Returns the path of Firefox, or undefined if it is not installed. */
export function findFirefox(): string | undefined {
  return process.env.PORTBOOK_TEST_FIREFOX ?? PLACES.find((path) => existsSync(path))
}

/** Starts Firefox without a visible window. Throws if it is not installed or does not start. */
export async function openFirefox(): Promise<FirefoxWindow> {
  const path = findFirefox()
  if (path === undefined) throw new Error('Firefox was not found. Install the package firefox-esr.')
  const profile = await mkdtemp(join(tmpdir(), 'portbook-firefox-'))
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0']
  const size = ['--width=1440', '--height=900']
  const firefox = spawn(path, [...options, ...size], { stdio: ['ignore', 'ignore', 'pipe'] })
  const closed = new Promise<void>((done) => firefox.once('close', () => done()))
  const end = async (): Promise<void> => {
    firefox.kill()
    await closed
    await rm(profile, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    return await openWindow(await readAddress(firefox.stderr), end)
  } catch (error) {
    await end()
    throw error
  }
}

async function readAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  return await new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error('Firefox did not start in time')), START_MS_MAX)
    let text = ''
    stderr.setEncoding('utf8')
    stderr.on('data', (chunk: string) => {
      text += chunk
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(text)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      done(address)
    })
    stderr.on('end', () => fail(new Error(`Firefox ended: ${text.slice(-500)}`)))
  })
}

interface Message {
  id?: number
  type: string
  method?: string
  result?: Record<string, unknown>
  error?: string
  message?: string
  params?: { level?: string; text?: string }
}

// Firefox reports policy violations only on its own console.
const WATCH_POLICY = `() => addEventListener('securitypolicyviolation', (event) =>
  console.error('the policy forbids ' + event.violatedDirective + ' ' + event.blockedURI))`

type Send = (method: string, params: object) => Promise<Record<string, unknown>>

async function openWindow(address: string, end: () => Promise<void>): Promise<FirefoxWindow> {
  const problems: string[] = []
  const send = await connect(`${address}/session`, (event) => {
    const { level, text } = event.params ?? {}
    if (event.method === 'log.entryAdded' && (level === 'error' || level === 'warn')) {
      problems.push(`${level}: ${text}`)
    }
  })
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  await send('script.addPreloadScript', { functionDeclaration: WATCH_POLICY })
  const { context } = await send('browsingContext.create', { type: 'tab' })
  return {
    problems,
    async navigate(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async evaluate(expression) {
      const answer = await send('script.evaluate', {
        expression: `(async () => JSON.stringify(await (${expression})) ?? 'null')()`,
        target: { context },
        awaitPromise: true,
      })
      return JSON.parse(toText(answer))
    },
    async close() {
      // Firefox may exit before it answers.
      await send('browser.close', {}).catch(() => undefined)
      await end()
    },
  }
}

function toText(answer: Record<string, unknown>): string {
  const { result } = answer
  const isText = typeof result === 'object' && result !== null && 'value' in result
  if (!isText) throw new Error(`the page threw ${JSON.stringify(answer).slice(0, 500)}`)
  return String(result.value)
}

async function connect(url: string, onEvent: (event: Message) => void): Promise<Send> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (message: Message) => void>()
  let lastId = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id === undefined) onEvent(message)
    else waiting.get(message.id)?.(message)
  })
  await new Promise<void>((done, fail) => {
    socket.addEventListener('open', () => done())
    socket.addEventListener('error', () => fail(new Error(`no connection to ${url}`)))
  })
  return async (method, params) =>
    await new Promise((done, fail) => {
      lastId += 1
      const id = lastId
      const timer = setTimeout(() => fail(new Error(`no answer to ${method}`)), COMMAND_MS_MAX)
      waiting.set(id, ({ type, result = {}, error, message }) => {
        clearTimeout(timer)
        waiting.delete(id)
        if (type === 'success') done(result)
        else fail(new Error(`${method}: ${error}: ${message}`))
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
}
