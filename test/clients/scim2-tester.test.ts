/**
 * The public compliance tester `scim2-tester`: it discovers the schemas, creates, reads, replaces, patches and deletes
 * users and groups by every attribute that they declare, and checks the errors.
 */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { newDirectory } from '../directory.ts'
import { onClient, runProgram } from './client.ts'

const RUN_TESTER = join(import.meta.dirname, 'run_scim_tester.py')

/** Reasons for results of the tester that are meant, by the check and the attribute. */
const EXPECTED: Readonly<Record<string, string>> = {
  'check_remove_attribute name': 'the formatted name is the name of the account',
  'check_remove_attribute displayName': 'an account has a name',
  'check_remove_attribute emails': 'an account has an address',
  'check_remove_attribute active': 'a member is active or not',
  'check_add_attribute emails': 'the only address is always the primary one',
  'check_replace_attribute emails': 'the only address is always the primary one',
  'check_add_attribute members': 'the name of a member is read-only, and answered',
  'check_replace_attribute members': 'the name of a member is read-only, and answered',
}

interface CheckResult {
  title: string
  status: string
  reason: string | null
  attribute: string | null
}

onClient('scim2-tester', (installation) => {
  test('finds only what a member cannot lack', async () => {
    const { newOrganization, url } = installation()
    const { key } = await newDirectory(await newOrganization())
    const args = [RUN_TESTER, `${url}/api/scim/v2`, key]
    const { stdout, stderr, exitCode } = await runProgram('scim2-tester', 'python', args)
    assert.equal(exitCode, 0, stderr)
    const results = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as CheckResult)
    assert.ok(results.length > 50, `${results.length} checks`)
    const failed = results
      .filter(({ status }) => ['ERROR', 'CRITICAL', 'DEVIATION'].includes(status))
      .filter(({ title, attribute }) => EXPECTED[`${title} ${attribute}`] === undefined)
    assert.deepEqual(failed, [])
  })
})
