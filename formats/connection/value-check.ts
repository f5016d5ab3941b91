// The values of a server come from the document of another team, and people paste them into terminals. A value that
// could be more than it seems is shown with a warning, and nothing to paste is written with it.

import { newTable } from '../name/table.ts'

// Control characters, also those that change the direction of texts, and characters without a glyph.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u

const VALUE_CHARACTERS_MAX = 500
const HOST_CHARACTERS_MAX = 253
const PORT_MAX = 65_535

const HOST =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/
const IPV6 = /^\[[0-9A-Fa-f:.]{2,45}\]$/

const STORAGE_SCHEMES =
  'abfs abfss adl az azure cos dbfs file ftps gcs gs hdfs http https oss r2 s3 s3a s3n sftp wasb wasbs'
// The part before the @ is a container of Azure, not a person.
const CONTAINER_SCHEMES = 'abfs abfss wasb wasbs'

// Signatures and keys in the query of an address open it to everybody who reads it.
const SECRET_PARAMETER =
  /[?&](?:sig|signature|token|access_token|api[_-]?key|key|password|pwd|secret|x-amz-(?:signature|credential|security-token)|x-goog-signature)=/i

const SECRET_NAME =
  /pass(?:word|wd|phrase)?$|pwd|secret|token|credential|api[_-]?key|(?:private|access|account|shared|encryption)[_-]?key|connection[_-]?string/i

/** Returns whether a property has a name of credentials, which are never shown. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** Returns whether a text is an address with a password or a signature. */
export function hasSecret(text: string): boolean {
  return /:\/\/[^/?#@]*:[^/?#]*@/.test(text) || SECRET_PARAMETER.test(text)
}

/** Returns whether a text contains characters that are invisible or control how it is shown. */
export function hasHiddenCharacter(text: string): boolean {
  return HIDDEN.test(text)
}

/** Writes the hidden characters of a text as escapes, `\u{202e}`. */
export function revealHidden(text: string): string {
  return Array.from(text.toWellFormed(), (character) => {
    if (!HIDDEN.test(character)) return character
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  }).join('')
}

/** Returns whether a text is the name of a host, or an IPv6 address in brackets. */
function isHost(text: string): boolean {
  return text.length <= HOST_CHARACTERS_MAX && (HOST.test(text) || IPV6.test(text))
}

/** Returns whether a text is the number of a port. */
function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= PORT_MAX
}

type Check = (text: string) => string | undefined

const checkHosts: Check = (text) => {
  const isList = text.split(',').every((part) => {
    const { host, port } = splitHost(part.trim())
    return isHost(host) && (port === undefined || isPort(port))
  })
  return isList ? undefined : 'Not the name of a host.'
}

const checkPort: Check = (text) =>
  isPort(text) ? undefined : `Not a number of a port from 1 to ${PORT_MAX}.`

function checkUrl(schemes: string): Check {
  const known = new Set(schemes.split(' ').map((scheme) => `${scheme}:`))
  const withContainer = new Set(CONTAINER_SCHEMES.split(' ').map((scheme) => `${scheme}:`))
  return (text) => {
    const address = URL.parse(text)
    if (address === null || !known.has(address.protocol) || /[\s\\]/.test(text)) {
      return 'Not an address that programs can open.'
    }
    if (address.hostname !== '' && !isPlace(address.hostname)) return 'Not the name of a host.'
    const hasUser = address.username !== '' && !withContainer.has(address.protocol)
    return hasUser ? 'An address with a user name.' : undefined
  }
}

// Buckets and containers have names like hosts.
function isPlace(text: string): boolean {
  return isHost(text) || /^[\w.]+$/.test(text)
}

const checkStorage = checkUrl(STORAGE_SCHEMES)

// Characters that no name of these services has, so programs may interpret them.
function checkPattern(pattern: RegExp): Check {
  return (text) =>
    pattern.test(text) ? undefined : 'Contains characters that such names cannot have.'
}

const CHECKS = newTable<Check>({
  host: checkHosts,
  port: checkPort,
  endpointUrl: checkUrl('http https'),
  catalogUrl: checkUrl('http https'),
  stagingDir: checkStorage,
  location: checkStorage,
  account: checkPattern(/^[\w.-]+$/),
  region: checkPattern(/^[\w-]+$/),
  regionName: checkPattern(/^[\w-]+$/),
  workgroup: checkPattern(/^[\w.-]+$/),
  topic: checkPattern(/^[\w.-]{1,249}$/),
})

/** Splits a host that has its port at the end, `db:5432`. */
export function splitHost(text: string): { host: string; port?: string } {
  const [, host = text, port] = /^(\[[^\]]*\]|[^:]*):([^:]*)$/.exec(text) ?? []
  return port === undefined ? { host: text } : { host, port }
}

/** Describes why nothing to paste is written with a value of a property, a sentence; undefined = it is safe. */
export function findOddity(name: string, text: string): string | undefined {
  if (HIDDEN.test(text)) return 'Contains invisible characters.'
  if (text.length > VALUE_CHARACTERS_MAX) return `Longer than ${VALUE_CHARACTERS_MAX} characters.`
  if (text.startsWith('-')) return 'Begins with a dash, which programs take for an option.'
  return CHECKS[name]?.(text)
}

/** Describes why nothing to paste is written with a name of a table or column, a sentence; undefined = it is safe. */
export function findNameOddity(text: string): string | undefined {
  if (HIDDEN.test(text)) return 'Contains invisible characters.'
  if (text.length > VALUE_CHARACTERS_MAX) return `Longer than ${VALUE_CHARACTERS_MAX} characters.`
  return text === '' ? 'Empty.' : undefined
}
