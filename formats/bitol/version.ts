// Versions of drafts: before 1.0 every minor version may break, so that only patches are read without knowing them.

/** The outcome of checking the version of a draft; neither = it is known. */
interface CheckedVersion {
  /** Why the document cannot be read. */
  problem?: string
  /** The version as which it is read, because its own is not known. */
  warning?: string
}

const VERSION = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/

/**
 * Checks the `apiVersion` of a document of a draft: another patch of a known version, or from 1.0 on another minor
 * version, is read with a warning; all others are not.
 */
export function checkVersion(
  version: string | undefined,
  known: readonly string[],
): CheckedVersion {
  if (version !== undefined && known.includes(version)) return {}
  const list = known.join(', ')
  const parts = VERSION.exec(version ?? '')
  if (version === undefined || parts === null) {
    return { problem: `must be one of the versions ${list}` }
  }
  const isNear = known.some((one) => {
    const own = VERSION.exec(one)
    if (own === null || own[1] !== parts[1]) return false
    return own[1] !== '0' || own[2] === parts[2]
  })
  if (!isNear) return { problem: `"${version}" is not supported; the versions are ${list}` }
  return { warning: `"${version}" is not known; it is read as the nearest of ${list}` }
}
