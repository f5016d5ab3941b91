/** Runs every case for every platform. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCaseSource } from './case-source.ts'
import { CASES } from './cases.ts'
import { PLATFORMS } from './platforms.ts'

for (const platform of PLATFORMS) {
  const { source } = platform.connector

  for (const [name, run] of Object.entries(CASES)) {
    if (Object.hasOwn(platform.exemptions, name)) continue
    test(`${source} › ${name}`, async (t) => await run(await startCaseSource(t, platform)))
  }

  test(`${source} › states a reason for each case that does not apply`, () => {
    for (const [name, reason] of Object.entries(platform.exemptions)) {
      assert.ok(Object.hasOwn(CASES, name), name)
      assert.match(reason, /\.$/)
    }
  })
}
