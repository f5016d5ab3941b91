import assert from 'node:assert/strict'
import { ConfigError, readConfig } from '../server/platform/config.ts'

/** Returns the problems of an environment. */
export function listProblems(environment: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.message.split('\n')
  }
  return assert.fail('it was accepted')
}
