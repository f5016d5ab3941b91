import type { Problem } from '../../formats/text/problem.ts'
import { Refusal } from '../errors.ts'
import type { Instant } from '../kit/clock.ts'

// DPS and DCS are deprecated. Documents in them are taken until the end of a day, and readable for ever.

/** The last days of the formats that end, `YYYY-MM-DD` in UTC, and where the guides are. */
export interface Sunsets {
  dpsUntil: string
  dcsUntil: string
  baseUrl: string
}

interface Ending {
  called: string
  next: string
  guide: string
  until: 'dpsUntil' | 'dcsUntil'
  /** How what is stored is read in the next format. */
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

// When ODPS and ODCS became the formats to use (RFC 9745 wants seconds since 1970): 2026-01-01T00:00:00Z.
const DEPRECATED_SINCE = '@1767225600'

/** Tells whether a format is deprecated. */
export function isDeprecated(format: string): boolean {
  return ENDINGS.has(format)
}

/** The headers of an answer that carries or takes a document: empty unless its format is deprecated. */
export function deprecationHeaders(format: string, sunsets: Sunsets): Record<string, string> {
  const ending = ENDINGS.get(format)
  if (ending === undefined) return {}
  return {
    deprecation: DEPRECATED_SINCE,
    sunset: new Date(`${sunsets[ending.until]}T23:59:59Z`).toUTCString(),
    link: `<${sunsets.baseUrl}${ending.guide}>; rel="deprecation"; type="text/markdown"`,
  }
}

/** What a plan says of a document whose format is deprecated. */
export function deprecationWarnings(format: string, sunsets: Sunsets): Problem[] {
  const ending = ENDINGS.get(format)
  if (ending === undefined) return []
  const { called, next, guide, until } = ending
  const message = `${called} is deprecated and taken until ${sunsets[until]} only; move to ${next}: ${sunsets.baseUrl}${guide} shows how.`
  return [{ field: '', message, line: 1, column: 1 }]
}

/** Refuses a format whose last day is over in UTC, by the store's clock. Errors: format_ended. */
export function refuseEndedFormat(format: string, now: Instant, sunsets: Sunsets): void {
  const ending = ENDINGS.get(format)
  if (ending === undefined || now.slice(0, 10) <= sunsets[ending.until]) return
  const { called, next, guide, conversion } = ending
  throw new Refusal(
    'format_ended',
    `${called} documents could be registered until ${sunsets[ending.until]} (UTC). Register this one as ${next}: ${sunsets.baseUrl}${guide} shows how, and ${conversion} converts what is stored.`,
    { type: `${sunsets.baseUrl}${guide}` },
  )
}
