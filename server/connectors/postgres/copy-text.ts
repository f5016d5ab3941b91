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
/** The number of bytes that are kept of a longer row. */
const CUT_BYTES = 64 * 1024
const LINE_FEED = 10

/** The reason why a longer row cannot be read. */
export const TOO_LONG = 'The source describes it in more than 16 MiB.'

const escapes = newTable<string>({
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
})

/**
 * Parses chunks of any size into lists of rows, one list for every chunk that completes a row. A row above 16 MiB only
 * has the first of its fields. Errors: SourceFailure protocol if the last row is incomplete.
 */
export async function* parseCopy(chunks: AsyncIterable<Buffer>): AsyncGenerator<CopyRow[]> {
  const open = new OpenRow()
  for await (const chunk of chunks) {
    // In UTF-8 no multi-byte character contains the byte of a line feed.
    const end = chunk.lastIndexOf(LINE_FEED)
    if (end === -1) {
      open.add(chunk)
      continue
    }
    const firstEnd = open.isCut ? chunk.indexOf(LINE_FEED) : -1
    const cut = open.isCut ? [parseCutRow(open.take())] : []
    // The chunk may only end the row that was cut.
    const lines = firstEnd === end ? [] : parseRows(open.take(chunk.subarray(firstEnd + 1, end)))
    // Copied, because a view would keep the whole chunk alive.
    if (end + 1 < chunk.length) open.add(Buffer.from(chunk.subarray(end + 1)))
    yield [...cut, ...lines]
  }
  if (open.bytes > 0)
    throw new SourceFailure('protocol', 'The source stopped in the middle of a row.')
}

/** The pieces of a row whose end has not arrived. */
class OpenRow {
  bytes = 0
  isCut = false
  #pieces: Buffer[] = []

  add(piece: Buffer): void {
    this.bytes += piece.length
    if (this.isCut) return
    this.#pieces.push(piece)
    if (this.bytes <= ROW_BYTES_MAX) return
    this.#pieces = [Buffer.concat(this.#pieces, CUT_BYTES)]
    this.isCut = true
  }

  /** Takes the bytes with a last piece. */
  take(last: Buffer = EMPTY): Buffer {
    const whole = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last])
    this.#pieces = []
    this.bytes = 0
    this.isCut = false
    return whole
  }
}

const EMPTY = Buffer.alloc(0)

function parseRows(lines: Buffer): CopyRow[] {
  return lines.toString('utf8').split('\n').map(parseRow)
}

// The last field is not complete.
function parseCutRow(start: Buffer): CopyRow {
  return start.toString('utf8').split('\t').slice(0, -1).map(parseField)
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
