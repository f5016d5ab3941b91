// The text formats of the standards. They agree with common JSON Schema validators (`uri`, `date`, `date-time`,
// `email`), so that a document that is valid there is valid here.

export type TextFormat = 'uri' | 'date' | 'date-time' | 'email'

/** A pattern of a single standard. */
export type TextPattern =
  | 'identifier'
  | 'identifier path'
  | 'stable id'
  | 'version'
  | 'percentage'
  | 'sftp address'
  | 'reference'
  | 'long reference'
  | 'free reference'

/** The formats of JSON Schema that are checked. */
export const TEXT_FORMATS: readonly TextFormat[] = ['uri', 'date', 'date-time', 'email']

// The patterns in the JSON Schemas of the standards.
const PATTERNS: ReadonlyMap<string, TextPattern> = new Map([
  ['^[A-Za-z0-9_-]+$', 'identifier'],
  ['^[a-zA-Z0-9_-]+$', 'identifier'],
  ['^[a-zA-Z0-9/_-]+$', 'identifier path'],
  ['^v[0-9]+\\.[0-9]+\\.[0-9]+', 'version'],
  ['^\\d+(\\.\\d+)?%$', 'percentage'],
  ['^sftp://.*', 'sftp address'],
  ['^[A-Za-z_][A-Za-z0-9_]*\\.[A-Za-z_][A-Za-z0-9_]*$', 'reference'],
  ['^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)+$', 'long reference'],
  ['^[A-Za-z_][A-Za-z0-9_\\-]*(\\.[A-Za-z_][A-Za-z0-9_\\-]*)+$', 'free reference'],
  ['^[^\\s.#/\\\\@!%&^]+$', 'stable id'],
])

/** Returns the format that a pattern of a JSON Schema describes. */
export function findPattern(pattern: string | undefined): TextPattern | undefined {
  return PATTERNS.get(pattern ?? '')
}

// Matching a pattern needs memory for each character; no real address is longer than this.
const CHARS_MAX = 100_000

/** Descriptions of the formats in messages. */
export const FORMAT_HINTS: { readonly [format in TextFormat | TextPattern]: string } = {
  uri: 'a URI such as "https://example.com/page"',
  date: 'a date such as "2026-01-31"',
  'date-time': 'an instant such as "2026-01-31T12:00:00Z"',
  email: 'an address such as "ada@example.com"',
  identifier: 'a name with only letters, digits, "_" and "-"',
  'identifier path': 'a name with only letters, digits, "_", "-" and "/"',
  version: 'a version such as "v2.2.2"',
  percentage: 'a percentage such as "99.9%"',
  'sftp address': 'a URI such as "sftp://example.com/folder"',
  reference: 'a reference such as "orders.order_id" or "schema/orders/properties/order_id"',
  'long reference':
    'a reference such as "orders.address.city" or "schema/orders/properties/order_id"',
  'free reference':
    'a reference such as "orders.address.city" or "schema/orders/properties/order_id"',
  'stable id': 'an id without white space and the characters . # / \\ @ ! % & ^',
}

// RFC 3986, appendix A, with its names. Like common validators, and unlike the RFC, it requires something after the
// scheme, and allows an authority to begin with one slash.
const ENCODED = '%[0-9a-f]{2}'
const NAME = `(?:[a-z0-9\\-._~!$&'()*+,;=]|${ENCODED})`
const USER = `(?:[a-z0-9\\-._~!$&'()*+,;=:]|${ENCODED})`
const PCHAR = `(?:[a-z0-9\\-._~!$&'()*+,;=:@]|${ENCODED})`
const QUERY = `(?:[a-z0-9\\-._~!$&'()*+,;=:@/?]|${ENCODED})*`
const H16 = '[0-9a-f]{1,4}'
const OCTET = '(?:25[0-5]|2[0-4]\\d|[01]?\\d\\d?)'
const IPV4 = `(?:${OCTET}\\.){3}${OCTET}`
const LS32 = `(?:${H16}:${H16}|${IPV4})`
const IPV6 = [
  `(?:${H16}:){6}${LS32}`,
  `::(?:${H16}:){5}${LS32}`,
  `(?:${H16})?::(?:${H16}:){4}${LS32}`,
  `(?:(?:${H16}:){0,1}${H16})?::(?:${H16}:){3}${LS32}`,
  `(?:(?:${H16}:){0,2}${H16})?::(?:${H16}:){2}${LS32}`,
  `(?:(?:${H16}:){0,3}${H16})?::${H16}:${LS32}`,
  `(?:(?:${H16}:){0,4}${H16})?::${LS32}`,
  `(?:(?:${H16}:){0,5}${H16})?::${H16}`,
  `(?:(?:${H16}:){0,6}${H16})?::`,
].join('|')
const IP_LITERAL = `\\[(?:${IPV6}|v[0-9a-f]+\\.[a-z0-9\\-._~!$&'()*+,;=:]+)\\]`
const AUTHORITY = `(?:${USER}*@)?(?:${IP_LITERAL}|${NAME}*)(?::\\d*)?`
const SEGMENTS = `(?:/${PCHAR}*)*`
const HIERARCHY = `(?:/?/${AUTHORITY}${SEGMENTS}|/(?:${PCHAR}+${SEGMENTS})?|${PCHAR}+${SEGMENTS})`
const URI = new RegExp(`^[a-z][a-z0-9+\\-.]*:${HIERARCHY}(?:\\?${QUERY})?(?:#${QUERY})?$`, 'i')

const ATEXT = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
const EMAIL = new RegExp(`^${ATEXT}(?:\\.${ATEXT})*@(?:${LABEL}\\.)+${LABEL}$`, 'i')

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^(\d{2}):(\d{2}):(\d{2}(?:\.\d+)?)(?:z|([-+])(\d{2})(?::?(\d{2}))?)$/i

function isUri(text: string): boolean {
  return text.length <= CHARS_MAX && URI.test(text)
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return false
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (month === 2) return isLeap ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isDateTime(text: string): boolean {
  const [date, time, ...rest] = text.split(/[t\s]/i)
  if (date === undefined || time === undefined || rest.length > 0) return false
  return isDate(date) && isTime(time)
}

// A leap second only exists in the last minute of a day in UTC (RFC 3339, section 5.7).
function isTime(text: string): boolean {
  const parts = TIME.exec(text)
  if (parts === null) return false
  const [hour = 0, minute = 0, second = 0] = parts.slice(1, 4).map(Number)
  const zoneHour = Number(parts[5] ?? 0)
  const zoneMinute = Number(parts[6] ?? 0)
  if (zoneHour > 23 || zoneMinute > 59) return false
  if (hour <= 23 && minute <= 59 && second < 60) return true
  const sign = parts[4] === '-' ? -1 : 1
  const utcMinute = minute - zoneMinute * sign
  const utcHour = hour - zoneHour * sign - (utcMinute < 0 ? 1 : 0)
  const isLastMinute = (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1)
  return isLastMinute && second < 61
}

// ODCS refers to a column by `model.column`, or by a path, which may lead into another document.
const SHORT_REFERENCE = /^[a-z_]\w*\.[a-z_]\w*$/i
const NESTED_REFERENCE = /^[a-z_]\w*(?:\.[a-z_]\w*)+$/i
const PATH_REFERENCE =
  /^(?:(?:https?:\/\/)?[A-Za-z0-9._\-/]+\.yaml#)?\/?[A-Za-z_]\w*\/[\w-]+(?:\/[A-Za-z_]\w*\/[\w-]+)*$/

// Since v3.2.0, names in references may have hyphens, and ids almost any character.
const HYPHENATED_REFERENCE = /^[a-z_][\w-]*(?:\.[a-z_][\w-]*)+$/i
const FREE_PATH_REFERENCE =
  /^(?:(?:https?:\/\/)?[A-Za-z0-9._\-/]+\.ya?ml#)?\/?[A-Za-z_]\w*\/[^\s.#/\\@!%&^]+(?:\/[A-Za-z_]\w*\/[^\s.#/\\@!%&^]+)*$/

const CHECKS: { readonly [format in TextFormat | TextPattern]: (text: string) => boolean } = {
  uri: isUri,
  date: isDate,
  'date-time': isDateTime,
  email: (text) => text.length <= CHARS_MAX && EMAIL.test(text),
  identifier: (text) => /^[\w-]+$/.test(text),
  'identifier path': (text) => /^[\w/-]+$/.test(text),
  version: (text) => /^v\d+\.\d+\.\d+/.test(text),
  percentage: (text) => /^\d+(?:\.\d+)?%$/.test(text),
  'sftp address': (text) => text.startsWith('sftp://') && isUri(text),
  reference: (text) => SHORT_REFERENCE.test(text) || PATH_REFERENCE.test(text),
  'long reference': (text) => NESTED_REFERENCE.test(text) || PATH_REFERENCE.test(text),
  'free reference': (text) => HYPHENATED_REFERENCE.test(text) || FREE_PATH_REFERENCE.test(text),
  'stable id': (text) => /^[^\s.#/\\@!%&^]+$/.test(text),
}

/**
 * Returns whether a text has a format: `uri` RFC 3986, `date` and `date-time` RFC 3339, `email` RFC 5321, or the
 * pattern of a standard.
 */
export function hasFormat(text: string, format: TextFormat | TextPattern): boolean {
  return CHECKS[format](text)
}
