// Semantic versions, https://semver.org.

import type { Level } from '../../diff/level.ts'

const SEMVER =
  /^(v?)(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})(-[\w.-]{1,256})?(?:\+[\w.-]{1,256})?$/i

/**
 * Raises a semantic version by the highest level of its changes; a leading `v` stays, a pre-release ends. Undefined for
 * other versions.
 */
export function raiseVersion(version: string | undefined, level: Level): string | undefined {
  const [, v = '', ...digits] = SEMVER.exec(version ?? '') ?? []
  if (version === undefined || digits.length === 0) return undefined
  if (level === 'none') return version
  const [major = 0, minor = 0, patch = 0] = digits.slice(0, 3).map(Number)
  // 2.0.0-beta is before 2.0.0, so that it is raised by leaving the end out.
  const isBefore = digits[3] !== undefined
  if (level === 'breaking') {
    return `${v}${isBefore && minor === 0 && patch === 0 ? major : major + 1}.0.0`
  }
  if (level === 'additive') {
    return `${v}${major}.${isBefore && patch === 0 ? minor : minor + 1}.0`
  }
  return `${v}${major}.${minor}.${isBefore ? patch : patch + 1}`
}
