import { SourceFailure } from '../connector.ts'
import { newTable } from '../../../formats/name/table.ts'

/**
 * PostgreSQL's COPY in text format: rows end with a line feed, fields are separated by tabs, `\N`
 * is null, and a backslash begins an escape (https://www.postgresql.org/docs/18/sql-copy.html,
 * "Text Format").
 */

/** The fields of a row, in their order. */
export type CopyRow = readonly (string | null)[]

const ROW_BYTES_MAX = 16 * 1024 * 1024
const LINE_FEED = 10

const escapes = newTable<string>({
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
})

/**
 * Parses chunks of any size into lists of rows, one list for every chunk that completes a row.
 * Errors: SourceFailure too_large for a row above 16 MiB, protocol if the last row is incomplete.
 */
export async function* parseCopy(chunks: AsyncIterable<Buffer>): AsyncGenerator<CopyRow[]> {
  let pieces: Buffer[] = []
  let pieceBytes = 0
  for await (const chunk of chunks) {
    // In UTF-8 no multi-byte character contains the byte of a line feed.
    const end = chunk.lastIndexOf(LINE_FEED)
    if (end === -1) {
      pieces.push(chunk)
      pieceBytes += chunk.length
      if (pieceBytes > ROW_BYTES_MAX) {
        throw new SourceFailure('too_large', 'The source describes one table in more than 16 MiB.')
      }
      continue
    }
    const head = chunk.subarray(0, end)
    const whole = pieces.length === 0 ? head : Buffer.concat([...pieces, head])
    // Copied, because a view would keep the whole chunk alive.
    pieces = end + 1 === chunk.length ? [] : [Buffer.from(chunk.subarray(end + 1))]
    pieceBytes = chunk.length - end - 1
    yield whole.toString('utf8').split('\n').map(parseRow)
  }
  if (pieceBytes > 0)
    throw new SourceFailure('protocol', 'The source stopped in the middle of a row.')
}

function parseRow(line: string): CopyRow {
  const fields = line.split('\t')
  return line.includes('\\') ? fields.map(parseField) : fields
}

function parseField(field: string): string | null {
  if (field === String.raw`\N`) return null
  if (!field.includes('\\')) return field
  return field.replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)
}
