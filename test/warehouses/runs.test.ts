/** Runs every case about runs for every platform. */

import { test } from 'node:test'
import { onStore } from '../stores.ts'
import { PLATFORMS } from './platforms.ts'
import { RUN_CASES } from './run-cases.ts'
import { newRunWorld } from './run-world.ts'

onStore((store) => {
  for (const platform of PLATFORMS) {
    for (const [name, run] of Object.entries(RUN_CASES)) {
      const title = `${platform.connector.source} › ${name}`
      test(title, async (t) => await run(await newRunWorld(t, store(), platform)))
    }
  }
})
