/**
 * Divides test files into shares, each of which runs in one process. Files of a package share a process if they
 * start no other and measure no time: loading the product takes longer than most tests. The browser tests share
 * two processes, each with a browser and a server with the demo.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTier, type Tier } from './test-tiers.ts'

/** The test files that run in one process. */
export type Share = {
  readonly name: string
  readonly tier: Tier
  readonly files: readonly string[]
  /** Whether other processes have the same files, and each takes the next one that none has taken. */
  readonly isCommon: boolean
}

const pure = /^(formats|web)\//
// Test files below these folders share processes, except for those of whole processes.
const sharing = /^(?:formats|web|server|test\/clients|test(?!\/(browser|faults|journeys)\/))(?=\/)/
const browsing = /^test\/browser(?=\/)/
const filesAtOnce = 32
const browserProcesses = 2
// These visit every page, so they come first.
const longWalks = ['test/browser/links.test.ts', 'test/browser/accessibility.test.ts']
// The tests of a process share the source database, whose start takes longer than most of them.
const sharedSource = /\/(mariadb)\.ts'/
// A file that measures time must not measure garbage of other files, one that starts processes mostly
// waits for them, and one that replaces modules must be the first to load them.
const alone = /\bperformance\.now\(|\btimeout:|\bspawn|\bregisterHooks\(|\/process\.ts'/

/**
 * Groups the files that share a process, of each tier; those of `root` are read. The shares that take long come first,
 * of all tiers, so that no long one runs last while processors are idle.
 */
export function createShares(root: string, files: readonly string[]): Share[] {
  const shares = [...Map.groupBy(files, getTier)].flatMap(([tier, ofTier]) =>
    createSharesOfTier(root, tier, ofTier),
  )
  return shares.toSorted((a, b) => getTurn(a) - getTurn(b))
}

/** Returns whether a test file uses a database; pure ones need not wait for it. */
export function needsDatabase(file: string): boolean {
  return !pure.test(file) && !/^(scripts\/|test\/(architecture|documents)\.test\.ts$)/.test(file)
}

function createSharesOfTier(root: string, tier: Tier, files: readonly string[]): Share[] {
  const groups = Map.groupBy(files, (file) => {
    if (browsing.test(file)) return 'test/browser'
    const text = readFileSync(join(root, file), 'utf8')
    const source = sharedSource.exec(text)?.[1]
    if (source !== undefined) return source
    const [group] = sharing.exec(file) ?? []
    return group === undefined || alone.test(text) ? file : group
  })
  return [...groups.values()].flatMap((group) =>
    browsing.test(group[0] ?? '') ? createBrowserShares(tier, group) : divide(tier, group),
  )
}

function createBrowserShares(tier: Tier, group: readonly string[]): Share[] {
  const walks = longWalks.filter((walk) => group.includes(walk))
  const files = [...walks, ...group.filter((file) => !walks.includes(file))]
  const count = Math.min(files.length, browserProcesses)
  return Array.from({ length: count }, (_, at) => ({
    name: count === 1 ? toName(files) : `test/browser, process ${at + 1} of ${count}`,
    tier,
    files,
    isCommon: count > 1,
  }))
}

function divide(tier: Tier, group: readonly string[]): Share[] {
  const count = Math.ceil(group.length / filesAtOnce)
  return Array.from({ length: count }, (_, at) => {
    // Neighbours go to different processes, because files of a folder take about the same time.
    const files = group.filter((_file, index) => index % count === at)
    return { name: toName(files), tier, files, isCommon: false }
  })
}

function toName([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first} and ${more.length} more`
}

/** Returns the place of a share in the order: browsers, then other shares of many files, single files, and pure ones. */
function getTurn({ files }: Share): number {
  const [first = ''] = files
  if (browsing.test(first)) return 0
  if (!needsDatabase(first)) return 3
  return files.length > 1 ? 1 : 2
}
