// Versions of the standards that documents name, compared with those that the catalog reads.

import type { Notes } from '../text/problem.ts'
import { asText, getField, type ObjectValue } from '../text/value.ts'

const VERSION = /^v(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/

/**
 * Returns whether the `apiVersion` of a document is newer than the versions that the catalog reads. Such a document is
 * read as the newest of the same major version, with a warning; if `strict`, that is an error, because it cannot be
 * checked. Another major version is an error, too.
 */
export function noteNewerVersion(
  value: ObjectValue,
  { standard, known }: { standard: string; known: readonly string[] },
  notes: Notes,
  { strict, isAccepted = false }: { strict: boolean; isAccepted?: boolean },
): boolean {
  const stated = asText(getField(value, 'apiVersion')) ?? ''
  const version = parseVersion(stated)
  if (version === undefined || known.includes(stated) || isAccepted) return false
  const ofMajor = known.filter((one) => parseVersion(one)?.[0] === version[0])
  const newest = ofMajor.toSorted(compareVersions).at(-1)
  if (newest === undefined) {
    const versions = known.toSorted(compareVersions).join(', ')
    const message = `${standard} ${stated} is not supported; use one of the versions ${versions}.`
    notes.error(['apiVersion'], message)
    return true
  }
  if (compareVersions(stated, newest) < 0) return false
  const reading = `${standard} ${stated} is newer than ${newest}, the newest version that is known here`
  if (strict) notes.error(['apiVersion'], `${reading}, so it cannot be checked; use ${newest}.`)
  else notes.warning(['apiVersion'], `${reading}; the document is read as ${newest}.`)
  return true
}

function parseVersion(text: string): number[] | undefined {
  return VERSION.exec(text)?.slice(1).map(Number)
}

function compareVersions(a: string, b: string): number {
  const [one, other] = [parseVersion(a) ?? [], parseVersion(b) ?? []]
  const at = one.findIndex((part, index) => part !== other[index])
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}
