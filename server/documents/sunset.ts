import type { Problem } from '../../formats/text/problem.ts'
import { ApiError } from '../platform/errors.ts'
import type { Instant } from '../platform/kit/clock.ts'

// DPS and DCS are deprecated. Documents in them are accepted until the end of a day, and readable forever.

/** The last days of the formats that end (`YYYY-MM-DD`, UTC), and the address of their guides. */
interface Sunsets {
  dpsUntil: string
  dcsUntil: string
  baseUrl: string
}

interface Ending {
  called: string
  next: string
  guide: string
  until: 'dpsUntil' | 'dcsUntil'
  /** The address of a stored document in the successor format. */
  conversion: string
}

const ENDINGS: ReadonlyMap<string, Ending> = new Map([
  [
    'dps',
    {
      called: 'DPS',
      next: 'ODPS',
      guide: '/guides/dps-to-odps',
      until: 'dpsUntil',
      conversion: 'GET with ?format=odps',
    },
  ],
  [
    'dcs',
    {
      called: 'DCS',
      next: 'ODCS',
      guide: '/guides/dcs-to-odcs',
      until: 'dcsUntil',
      conversion: 'GET …/export?format=odcs',
    },
  ],
])

// Since 2026-01-01T00:00:00Z, in seconds since 1970 as RFC 9745 requires.
const DEPRECATED_SINCE = '@1767225600'

/** Returns whether a format is deprecated. */
export function isDeprecated(format: string): boolean {
  return ENDINGS.has(format)
}

/**
 * Returns the headers of a response that contains or accepts a document; empty unless its format is
 * deprecated.
 */
export function deprecationHeaders(format: string, sunsets: Sunsets): Record<string, string> {
  const ending = ENDINGS.get(format)
  if (ending === undefined) return {}
  return {
    deprecation: DEPRECATED_SINCE,
    sunset: new Date(`${sunsets[ending.until]}T23:59:59Z`).toUTCString(),
    link: `<${sunsets.baseUrl}${ending.guide}>; rel="deprecation"; type="text/markdown"`,
  }
}

/** Returns the warnings of a plan about a deprecated format. */
export function deprecationWarnings(format: string, sunsets: Sunsets): Problem[] {
  const ending = ENDINGS.get(format)
  if (ending === undefined) return []
  const { called, next, guide, until } = ending
  const message = `${called} is deprecated and taken until ${sunsets[until]} only; move to ${next}: ${sunsets.baseUrl}${guide} shows how.`
  return [{ field: '', message, line: 1, column: 1 }]
}

/** Rejects a format whose last day has passed in UTC, by the clock of the database. Errors: format_ended. */
export function refuseEndedFormat(format: string, now: Instant, sunsets: Sunsets): void {
  const ending = ENDINGS.get(format)
  if (ending === undefined || now.slice(0, 10) <= sunsets[ending.until]) return
  const { called, next, guide, conversion } = ending
  throw new ApiError(
    'format_ended',
    `${called} documents could be registered until ${sunsets[ending.until]} (UTC). Register this one as ${next}: ${sunsets.baseUrl}${guide} shows how, and ${conversion} converts what is stored.`,
    { type: `${sunsets.baseUrl}${guide}` },
  )
}
