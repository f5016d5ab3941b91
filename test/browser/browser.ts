/**
 * A real browser for the tests of the pages: Debian's Chromium, driven over its own protocol. Whatever
 * a page says to its console, throws or tries against its policy is kept, so that a test can ask for
 * nothing of it.
 */

import { existsSync } from 'node:fs'
import { after, before, describe } from 'node:test'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

/** One person before one browser of their own. */
export interface Visitor {
  page: Page
  context: BrowserContext
  /** What went wrong on the pages so far: errors, and what the policy forbade. */
  problems: string[]
  close(): Promise<void>
}

/** How the browser is set. */
export interface Look {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
}

// The shell without windows does the same with less work.
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const ACTION_MS_MAX = 20_000

// Every window would load two pages of the browser's own for what drops down below its address bar,
// twice the work of a page of ours, and every step from one window to another would start a process to
// have one ready. Of two lists the browser takes the last, so playwright's own (`chromiumSwitches` in
// its sources) is repeated.
const FEATURES_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

// Nothing of the browser's own business with the world.
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${FEATURES_OFF.join(',')}`,
]

/** Where the browser is; undefined = there is none on this machine. */
export function browserPath(): string | undefined {
  const chosen = process.env.PORTBOOK_TEST_BROWSER
  return chosen ?? PLACES.find((path) => existsSync(path))
}

/** Starts the browser. Errors: there is none. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = browserPath()
  if (executablePath === undefined) {
    throw new Error('Chromium was not found. Install the package chromium-headless-shell.')
  }
  return await chromium.launch({ executablePath, args: QUIET })
}

/** Defines tests that need a browser; where there is none they are skipped, with a word. */
export function inBrowser(name: string, define: (browser: () => Browser) => void): void {
  const isMissing = browserPath() === undefined && process.env.CI !== 'true'
  const skip = isMissing ? 'there is no Chromium on this machine' : false
  describe(name, { skip }, () => {
    let browser: Browser | undefined
    before(async () => {
      browser = await launchBrowser()
    })
    after(async () => browser?.close())
    define(() => {
      if (browser === undefined) throw new Error('the browser is open only while tests run')
      return browser
    })
  })
}

/** Opens a browser window of its own, without cookies, on the pages at `url`. */
export async function newVisitor(browser: Browser, url: string, look: Look = {}): Promise<Visitor> {
  const { theme = 'light', width = 1440, height = 900 } = look
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(ACTION_MS_MAX)
  const problems: string[] = []
  const page = await context.newPage()
  watch(page, problems)
  context.on('page', (opened) => watch(opened, problems))
  return { page, context, problems, close: () => context.close() }
}

/** Keeps what a page says to its console, throws, or tries against its policy. */
function watch(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    // The browser tells every refusal of the server; the page says it in its own words.
    if (/Failed to load resource: .* status of (4\d\d|503)/.test(message.text())) return
    problems.push(`console ${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
}
