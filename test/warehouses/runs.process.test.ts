/** Runs every case about runs for every platform. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onStore } from '../stores.ts'
import { PLATFORMS } from './platforms.ts'
import { HIDDEN_TABLE_CASES } from './hidden-table-cases.ts'
import { LOST_CONNECTION_CASES } from './lost-connection-cases.ts'
import { RUN_CASES } from './run-cases.ts'
import { newRunWorld } from './run-world.ts'

onStore((store) => {
  for (const platform of PLATFORMS) {
    const cases = { ...RUN_CASES, ...LOST_CONNECTION_CASES, ...HIDDEN_TABLE_CASES }
    const { runExemptions, connector } = platform
    for (const [name, run] of Object.entries(cases)) {
      if (Object.hasOwn(runExemptions, name)) continue
      const title = `${connector.source} › ${name}`
      test(title, async (t) => await run(await newRunWorld(t, store(), platform)))
    }

    test(`${connector.source} › states a reason for each case about runs that does not apply`, () => {
      for (const [name, reason] of Object.entries(runExemptions)) {
        assert.ok(Object.hasOwn(cases, name), name)
        assert.match(reason, /\.$/)
      }
    })
  }
})
