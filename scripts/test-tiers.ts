/** The tiers of tests: a test belongs to one by its folder or, beside its subject, by the ending of its name. */

import manifest from '../package.json' with { type: 'json' }

const budgets = manifest.testProcessorSeconds

/** A tier of tests. */
export type Tier = {
  readonly name: TierName
  /** The command that runs it. */
  readonly command: string
  /** A noun phrase about its tests, for messages. */
  readonly contents: string
  readonly folders: RegExp
  /** The processor seconds that it should not exceed, of 2 processors. */
  readonly processorSecondsMax: number
  /** The ending of its tests outside of these folders; undefined = none. */
  readonly ending?: string
}

/** The name of a tier. */
export type TierName = 'own' | 'processes' | 'browser' | 'peers'

/** The tier of our own code, which needs only Node and npm. */
export const OWN: Tier = {
  name: 'own',
  command: 'npm test',
  contents: 'our own code',
  folders: /^/,
  processorSecondsMax: budgets.own,
}

/** The other tiers, in the order in which they run. */
export const OTHER_TIERS: readonly Tier[] = [
  {
    name: 'processes',
    command: 'npm run test:processes',
    contents: 'whole processes that are started, killed and upgraded',
    folders: /^test\/(faults|journeys)\//,
    processorSecondsMax: budgets.processes,
    ending: 'process',
  },
  {
    name: 'browser',
    command: 'npm run test:browser',
    contents: 'pages in browsers',
    folders: /^test\/browser\//,
    processorSecondsMax: budgets.browser,
  },
  {
    name: 'peers',
    command: 'npm run test:peers',
    contents: 'programs of other projects',
    folders: /^test\/(clients|peers)\//,
    processorSecondsMax: budgets.peers,
    ending: 'peer',
  },
]

/** All tiers, in the order in which they run. */
export const TIERS: readonly Tier[] = [OWN, ...OTHER_TIERS]

/** Returns the tier of a test file; `path` starts at the root of the repository. */
export function getTier(path: string): Tier {
  const ending = /\.(\w+)\.test\.tsx?$/.exec(path)?.[1]
  const ofEnding = OTHER_TIERS.find((tier) => ending !== undefined && tier.ending === ending)
  return ofEnding ?? OTHER_TIERS.find(({ folders }) => folders.test(path)) ?? OWN
}
