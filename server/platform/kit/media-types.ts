/**
 * The media types of requests and answers. Names are in lower case and have no aliases: `text/yaml` is
 * `application/yaml`. Parameters other than `charset` and `q` have no meaning here.
 */

/** The aliases that a registration names, by alias: RFC 9512, section 2.1. The type of JSON has none (RFC 8259). */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['application/x-yaml', 'application/yaml'],
  ['text/yaml', 'application/yaml'],
  ['text/x-yaml', 'application/yaml'],
])

/** A media type with the parameters that matter. */
interface MediaTypeHeader {
  /** In lower case, without aliases; empty if the header is. */
  type: string
  /** In lower case; undefined = not sent. */
  charset: string | undefined
}

/** Parses the header `Content-Type` (RFC 9110, section 8.3). */
export function parseMediaType(header: string): MediaTypeHeader {
  const { type, parameters } = parseRange(header)
  return { type, charset: parameters.get('charset')?.toLowerCase() }
}

/** Parses the header `Accept` into the quality of each type (RFC 9110, section 12.5.1), the highest if one repeats. */
export function parseAccept(header: string): Map<string, number> {
  const qualities = new Map<string, number>()
  for (const range of splitUnquoted(header, ',')) {
    const { type, parameters } = parseRange(range)
    const sent = parameters.get('q')
    const quality = sent === undefined ? 1 : Number(sent)
    if (quality > (qualities.get(type) ?? 0)) qualities.set(type, quality)
  }
  return qualities
}

function parseRange(text: string): { type: string; parameters: ReadonlyMap<string, string> } {
  const [name = ''] = text.split(';', 1)
  const type = name.trim().toLowerCase()
  const parameters = new Map<string, string>()
  for (const part of splitUnquoted(text.slice(name.length), ';')) {
    const pair = part.trim()
    const at = pair.indexOf('=')
    if (at > 0) parameters.set(pair.slice(0, at).toLowerCase(), unquote(pair.slice(at + 1)))
  }
  return { type: ALIASES.get(type) ?? type, parameters }
}

/** Splits a text at a separator, but not within quotes. */
function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const parts =
    separator === ',' ? /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g : /(?:[^";]|"(?:[^"\\]|\\.)*"?)+/g
  return text.match(parts) ?? []
}

function unquote(value: string): string {
  return /^".*"$/.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value
}
