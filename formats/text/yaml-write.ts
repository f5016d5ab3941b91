// Writes YAML for documents that were sent as JSON: in block style. Text that could be parsed as another type or as
// punctuation is quoted, so that parsing the result returns the same values.

import { ExactNumber, isObject, type Value } from './value.ts'

const INDENT = '  '
const NAME_CHARS_MAX = 1000

// Words that YAML 1.2 or an older version parses as null, true or false.
const KEYWORD = /^(?:null|true|false|yes|no|on|off|y|n)$/i

// Starts with a letter (so it is not a number, date or time), and contains nothing that is punctuation in YAML in any
// position.
const PLAIN = /^[\p{L}_/](?:[\p{L}\p{M}\p{N}_/.()+;$^=@-]|,(?=[^\s])| (?=[^\s#])|:(?=[^\s]))*$/u

// Lines of printable characters, the first of which is not empty and does not begin with a space.
const LITERAL = /^[^\s][^\n]*\n/
const NOT_LITERAL = /[^\n\P{C}]|[\u2028\u2029]/u

/** Writes a value as a YAML document, which ends with a line feed. */
export function yamlText(value: Value): string {
  return `${writeBlock(value, '').slice(1)}\n`
}

// The text after "name:" or "-": either one line that begins with a space, or lines that each begin with a line feed.
function writeBlock(value: Value, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []'
    return value.map((item) => `\n${indent}-${writeItem(item, indent + INDENT)}`).join('')
  }
  if (isObject(value)) {
    const fields = Object.entries(value)
    if (fields.length === 0) return ' {}'
    return fields
      .map(
        ([name, member]) =>
          `\n${indent}${nameText(name, indent)}:${writeBlock(member, indent + INDENT)}`,
      )
      .join('')
  }
  return typeof value === 'string' ? ` ${stringText(value, indent)}` : ` ${scalarText(value)}`
}

// The first field of an object, or the first item of a list, is on the line of its "-".
function writeItem(value: Value, indent: string): string {
  const text = writeBlock(value, indent)
  return text.startsWith('\n') ? ` ${text.slice(1 + indent.length)}` : text
}

function scalarText(value: null | boolean | number | ExactNumber): string {
  return value instanceof ExactNumber ? value.text : String(value)
}

// A name before a plain ":" may have 1,024 characters; a longer one needs "?".
function nameText(name: string, indent: string): string {
  const text = isPlain(name) ? name : quote(name)
  return text.length <= NAME_CHARS_MAX ? text : `? ${text}\n${indent}`
}

function stringText(text: string, indent: string): string {
  if (isPlain(text)) return text
  return LITERAL.test(text) && !NOT_LITERAL.test(text) ? toLiteral(text, indent) : quote(text)
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !text.endsWith(':') && !KEYWORD.test(text)
}

// JSON's quotes and escapes are valid in YAML, except for these characters, which YAML requires to be escaped.
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

// "|-" removes the line feeds at the end, "|" keeps one, "|+" keeps all.
function toLiteral(text: string, indent: string): string {
  const chomping = text.endsWith('\n') ? (text.endsWith('\n\n') ? '+' : '') : '-'
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  const body = lines.map((line) => (line === '' ? '' : `${indent}${line}`)).join('\n')
  return `|${chomping}\n${body}`
}
