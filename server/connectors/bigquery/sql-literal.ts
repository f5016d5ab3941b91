/**
 * Parses the literals in which INFORMATION_SCHEMA returns options: `"text"`, `[STRUCT("key", "value")]`.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#string_and_bytes_literals
 */

import { newTable } from '../../../formats/name/table.ts'

const TOKEN =
  /[^"']+|"""((?:[^\\]|\\.)*?)"""|'''((?:[^\\]|\\.)*?)'''|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/suy

const ESCAPE = /\\(?:[xX]([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|([0-7]{3})|(.))/gsu

const CONTROLS = newTable<string>({
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
})

/** Returns the strings of a literal in their order. */
export function readStrings(literal: string): string[] {
  const strings: string[] = []
  TOKEN.lastIndex = 0
  // A quote without a closing one ends the parsing: searching for one after each quote would take long.
  for (let token = TOKEN.exec(literal); token !== null; token = TOKEN.exec(literal)) {
    const [, ...quoted] = token
    const text = quoted.find((each) => each !== undefined)
    if (text !== undefined) strings.push(unescape(text))
  }
  return strings
}

/** Returns the pairs of a literal such as `[STRUCT("key", "value")]`. */
export function readPairs(literal: string): Record<string, string> {
  const strings = readStrings(literal)
  return Object.fromEntries(
    strings.flatMap((key, at) => (at % 2 === 0 ? [[key, strings[at + 1] ?? '']] : [])),
  )
}

function unescape(text: string): string {
  return text.replaceAll(ESCAPE, (all: string, ...groups: (string | undefined)[]) => {
    const [byte, short, long, octal, character] = groups
    if (character !== undefined) return CONTROLS[character] ?? character
    const code =
      octal === undefined
        ? Number.parseInt(byte ?? short ?? long ?? '', 16)
        : Number.parseInt(octal, 8)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all
  })
}
