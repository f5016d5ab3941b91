// Writes YAML in block style, for documents that were sent as JSON. Text that could be read as another type
// or as punctuation is quoted, so that reading it returns the same values.

import { ExactNumber, isObject, type Value } from './value.ts'

const INDENT = '  '
const NAME_CHARS_MAX = 1000

// Words that YAML 1.2 or an older YAML reads as null, true or false.
const KEYWORD = /^(?:null|true|false|yes|no|on|off|y|n)$/i

// Letters first (so no number, date or time), then nothing that is punctuation to YAML in any place.
const PLAIN = /^[\p{L}_/](?:[\p{L}\p{M}\p{N}_/.()+;$^=@-]|,(?=[^\s])| (?=[^\s#])|:(?=[^\s]))*$/u

// Lines of printable characters, the first of which neither is empty nor begins with a space.
const LITERAL = /^[^\s][^\n]*\n/
const NOT_LITERAL = /[^\n\P{C}]|[\u2028\u2029]/u

/** Writes a value as a YAML document, which ends with a line feed. */
export function yamlText(value: Value): string {
  return `${block(value, '').slice(1)}\n`
}

// What follows a “name:” or “-”: either one line that begins with a space, or lines that each begin with a line feed.
function block(value: Value, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []'
    return value.map((item) => `\n${indent}-${inItem(item, indent + INDENT)}`).join('')
  }
  if (isObject(value)) {
    const fields = Object.entries(value)
    if (fields.length === 0) return ' {}'
    return fields
      .map(
        ([name, member]) =>
          `\n${indent}${nameText(name, indent)}:${block(member, indent + INDENT)}`,
      )
      .join('')
  }
  return typeof value === 'string' ? ` ${stringText(value, indent)}` : ` ${scalarText(value)}`
}

// The first field or item of a list item is on the line of its “-”.
function inItem(value: Value, indent: string): string {
  const text = block(value, indent)
  return text.startsWith('\n') ? ` ${text.slice(1 + indent.length)}` : text
}

function scalarText(value: null | boolean | number | ExactNumber): string {
  return value instanceof ExactNumber ? value.text : String(value)
}

// A name before a plain “:” may have 1,024 characters; a longer one is announced by “?”.
function nameText(name: string, indent: string): string {
  const text = isPlain(name) ? name : quoted(name)
  return text.length <= NAME_CHARS_MAX ? text : `? ${text}\n${indent}`
}

function stringText(text: string, indent: string): string {
  if (isPlain(text)) return text
  return LITERAL.test(text) && !NOT_LITERAL.test(text) ? literal(text, indent) : quoted(text)
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !text.endsWith(':') && !KEYWORD.test(text)
}

// JSON's quotes and escapes are valid YAML, except for these characters, which must be escaped.
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

// “|-” drops the line feeds at the end, “|” keeps one, “|+” keeps all.
function literal(text: string, indent: string): string {
  const chomping = text.endsWith('\n') ? (text.endsWith('\n\n') ? '+' : '') : '-'
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  const body = lines.map((line) => (line === '' ? '' : `${indent}${line}`)).join('\n')
  return `|${chomping}\n${body}`
}
