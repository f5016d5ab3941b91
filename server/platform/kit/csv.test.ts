import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { onStore } from '../../../test/stores.ts'
import { toCsvHeader, toCsvLine } from './csv.ts'

// OWASP, "CSV Injection": the characters with which a formula begins.
const CHARACTERS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']
const SEPARATORS = [
  ',',
  ';',
  '|',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\v',
  '\f',
  '\u0085',
  '\u2028',
  '\u2029',
]

/** Returns the cells that a spreadsheet finds which ignores quotes. */
const splitCells = (text: string): string[] => text.split(/\r\n|[\t\n\v\f\r\u0085\u2028\u2029,;|]/)

onStore((store) => {
  /** Writes a line of one cell; returns the cell as a reader of RFC 4180 gets it. */
  async function write(value: string | null): Promise<string> {
    const { rows } = await sql<{ line: string }>`
      select ${toCsvLine([sql`value`])} as line
      from (select ${value}::text as value) as cell
    `.execute(store().db)
    const line = rows[0]?.line ?? ''
    assert.match(line, /^"(?:[^"]|"")*"$/)
    return line.slice(1, -1).replaceAll('""', '"')
  }

  for (const character of CHARACTERS) {
    const name = JSON.stringify(character)
    test(`toCsvLine › neutralizes ${name} at the start of a cell`, async () => {
      for (const before of ['', ' ', '  ', '"', "'", '" ']) {
        const text = `${before}${character}cmd|' /C calc'!A0`
        const cell = await write(text)
        assert.ok(cell.startsWith("'"), JSON.stringify(cell))
        assert.equal(cell.slice(1), text)
      }
    })

    test(`toCsvLine › neutralizes ${name} after every line break and separator`, async () => {
      for (const separator of SEPARATORS) {
        for (const quotes of ['', '"', ' "', "'"]) {
          const text = `a${quotes}${separator}${quotes}${character}1+1${separator}b`
          const cell = await write(text)
          for (const part of splitCells(cell)) {
            assert.doesNotMatch(part, /^[ "]*[=+@\t\r\n＝＋－＠-]/u, JSON.stringify(cell))
          }
          assert.ok(cell.length <= text.length + 3, JSON.stringify(cell))
          assert.equal(cell.replaceAll("'", ''), text.replaceAll("'", ''), 'only adds apostrophes')
        }
      }
    })
  }

  test('toCsvLine › keeps what cannot begin a formula', async () => {
    const texts = ['', 'a', 'a=b', 'x-y@z.example', '1 - 2', 'a\r\nb', 'a, b', 'Größe: 5 °C', '"']
    for (const text of texts) assert.equal(await write(text), text)
    assert.equal(await write(null), '')
  })

  test('toCsvLine › separates cells with commas', async () => {
    const { rows } = await sql<{ line: string }>`
      select ${toCsvLine([sql`'a'`, sql`null::text`, sql`'b"c'`])} as line
    `.execute(store().db)
    assert.equal(rows[0]?.line, '"a","","b""c"')
    assert.equal(toCsvHeader(['a', 'b']), 'a,b')
  })
})
