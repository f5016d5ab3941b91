import type { TestCheck } from '../../documents/read-checks.ts'
import type { PlacedRule } from './quality-rules.ts'

/** A check, and the test result that has it. */
export interface ReportedCheck {
  check: Pick<TestCheck, 'name' | 'outcome' | 'subject'>
  resultId: string
}

/**
 * Finds the outcome of a quality rule in the latest test results: the check with its name about the same model or field,
 * else the only check with its name that is about all data. Names are compared in any letter case. Undefined = no check
 * names the rule.
 */
export function findRuleOutcome(
  { path, rule }: PlacedRule,
  checks: readonly ReportedCheck[],
): ReportedCheck | undefined {
  const name = rule.name?.trim().toLowerCase()
  if (name === undefined || name === '') return undefined
  const named = checks.filter(({ check }) => check.name.trim().toLowerCase() === name)
  const about = named.find(({ check }) => check.subject?.toLowerCase() === path.toLowerCase())
  if (about !== undefined) return about
  const [only, ...others] = named.filter(({ check }) => check.subject === undefined)
  return others.length === 0 ? only : undefined
}
