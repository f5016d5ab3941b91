/**
 * Browser for the tests of the pages: Debian's Chromium, driven over its own protocol. Console errors,
 * exceptions and policy violations of a page are collected, so that a test can assert that there were
 * none.
 */

import { existsSync } from 'node:fs'
import { after, before, describe } from 'node:test'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { atEnd } from '../at-end.ts'
import { watchTraffic, type Traffic } from './navigation.ts'

/** A user with a browser session of their own. */
export interface Visitor {
  page: Page
  context: BrowserContext
  /** Problems on the pages so far: errors and policy violations. */
  problems: string[]
  /** The requests of `page`. */
  traffic: Traffic
  close(): Promise<void>
}

/** Settings of the browser. */
export interface Look {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
}

// The headless shell does the same with less work.
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const ACTION_MS_MAX = 20_000

// The browser would load two of its own pages in every window for the popups of its address bar, twice
// the work of one of our pages, and would start a spare process on every navigation between windows. If
// an option is repeated, the browser uses the last one, so playwright's own list (`chromiumSwitches` in
// its sources) is repeated here.
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

// Disables the browser's own network traffic.
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

/** Returns the path of the browser, or undefined if it is not installed. */
export function browserPath(): string | undefined {
  const chosen = process.env.PORTBOOK_TEST_BROWSER
  return chosen ?? PLACES.find((path) => existsSync(path))
}

/** Starts the browser. Throws if it is not installed. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = browserPath()
  if (executablePath === undefined) {
    throw new Error('Chromium was not found. Install the package chromium-headless-shell.')
  }
  return await chromium.launch({ executablePath, args: QUIET })
}

let sharedBrowser: Promise<Browser> | undefined

/** Starts the browser that all test files of the process share. */
async function launchSharedBrowser(): Promise<Browser> {
  const browser = await launchBrowser()
  atEnd(() => browser.close())
  return browser
}

/**
 * Defines tests that need a browser; without one they are skipped with a message. Sessions that the tests
 * leave open are closed after them.
 */
export function inBrowser(name: string, define: (browser: () => Browser) => void): void {
  const isMissing = browserPath() === undefined && process.env.CI !== 'true'
  const skip = isMissing ? 'Chromium is not installed on this machine' : false
  describe(name, { skip }, () => {
    let browser: Browser | undefined
    before(async () => {
      sharedBrowser ??= launchSharedBrowser()
      browser = await sharedBrowser
    })
    after(async () => {
      await Promise.all((browser?.contexts() ?? []).map((context) => context.close()))
    })
    define(() => {
      if (browser === undefined) throw new Error('the browser is open only while tests run')
      return browser
    })
  })
}

/** Opens a separate browser session without cookies, with the pages at `url`. */
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
  const traffic = watchTraffic(page)
  context.on('page', (opened) => watch(opened, problems))
  return { page, context, problems, traffic, close: () => context.close() }
}

/** Collects a page's console errors, exceptions and policy violations. */
function watch(page: Page, problems: string[]): void {
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    // The browser logs every error status; the page shows its own message for it.
    if (/Failed to load resource: .* status of (4\d\d|503)/.test(message.text())) return
    problems.push(`console ${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
}
