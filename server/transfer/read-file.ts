import { createHash, type Hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import {
  FORMAT,
  footerLine,
  headerLine,
  isFooter,
  LINE_BYTES_MAX,
  splitRow,
} from './file-format.ts'
import type { Footer, Header } from './file-format.ts'
import { TransferError, toTransferError } from './transfer-error.ts'

/** Receives the contents of a file, in their order. */
interface ExportVisitor {
  header(header: Header): Promise<void>
  /** The row is JSON in UTF-8, without line breaks. */
  row(table: string, row: Buffer): Promise<void>
}

const NOTHING: ExportVisitor = { header: async () => undefined, row: async () => undefined }

/** The first and last line of a complete file. */
interface ExportSummary {
  header: Header
  footer: Footer
}

/** Reads a whole file and checks that it is complete and unchanged. Errors: TransferError. */
export async function checkExport(path: string): Promise<ExportSummary> {
  return await readExport(path, NOTHING)
}

/**
 * Reads a file as a stream. The data that the visitor receives are valid only after this function has returned,
 * because the number of rows and the checksum are at the end of the file.
 *
 * Errors: TransferError if the file is truncated, changed or not an export; those of the visitor.
 */
export async function readExport(path: string, visitor: ExportVisitor): Promise<ExportSummary> {
  const reading = new Reading(path, visitor)
  const file = await openFile(path)
  try {
    const input = await openStream(file)
    for await (const line of splitLines(input, path)) await reading.add(line)
    return reading.end()
  } catch (error) {
    throw toReadError(error, path)
  } finally {
    await file.close()
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (error) {
    throw toTransferError(error, 'read', path)
  }
}

async function openStream(file: FileHandle): Promise<Readable> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
  const isCompressed = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  const input = file.createReadStream({ start: 0, autoClose: false })
  // The reader of the stream receives its errors.
  return isCompressed ? pipeline(input, createGunzip(), () => undefined) : input
}

function toReadError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return cut(path, error)
  if (code.startsWith('Z_')) {
    return new TransferError(`${path} is damaged: it cannot be decompressed.`, { cause: error })
  }
  return toTransferError(error, 'read', path)
}

function cut(path: string, cause?: unknown): TransferError {
  return new TransferError(`${path} is truncated: its end is missing.`, { cause })
}

async function* splitLines(input: Readable, path: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let bytes = 0
  const add = (part: Buffer): void => {
    parts.push(part)
    bytes += part.length
    if (bytes <= LINE_BYTES_MAX) return
    throw new TransferError(`${path} is not a Portbook export: a line is too long.`)
  }
  for await (const chunk of input) {
    const data: Buffer = chunk
    let start = 0
    for (let end = data.indexOf(0x0a); end !== -1; end = data.indexOf(0x0a, start)) {
      add(data.subarray(start, end))
      yield Buffer.concat(parts, bytes)
      parts = []
      bytes = 0
      start = end + 1
    }
    if (start < data.length) add(data.subarray(start))
  }
  if (bytes > 0) throw cut(path)
}

/** Reads the lines of a file. */
class Reading {
  readonly #path: string
  readonly #visitor: ExportVisitor
  readonly #hash: Hash = createHash('sha256')
  readonly #counts = new Map<string, number>()
  #header: Header | undefined
  #footer: Footer | undefined

  constructor(path: string, visitor: ExportVisitor) {
    this.#path = path
    this.#visitor = visitor
  }

  async add(line: Buffer): Promise<void> {
    if (this.#footer !== undefined) throw this.#refuse('lines follow its last line')
    if (this.#header === undefined) await this.#readHeader(line)
    else if (isFooter(line)) {
      this.#footer = this.#readFooter(line)
      return
    } else await this.#readRow(line)
    this.#hash.update(line).update('\n')
  }

  /** Checks the complete file. */
  end(): ExportSummary {
    const header = this.#header
    const footer = this.#footer
    if (header === undefined || footer === undefined) throw cut(this.#path)
    for (const table of new Set([...Object.keys(footer.rows), ...this.#counts.keys()])) {
      const count = this.#counts.get(table) ?? 0
      const expected = footer.rows[table] ?? 0
      if (count !== expected) {
        throw this.#refuse(`it has ${count} rows of ${table} instead of ${expected}`)
      }
    }
    if (header.format > 1 && this.#hash.digest('hex') !== footer.sha256) {
      throw this.#refuse('its contents do not match its checksum')
    }
    return { header, footer }
  }

  async #readHeader(line: Buffer): Promise<void> {
    const header = this.#parseHeader(line)
    if (header.format > FORMAT) {
      throw new TransferError(
        `${this.#path} was written by a newer Portbook (${header.portbook}). Use that version to read it.`,
      )
    }
    this.#header = header
    await this.#visitor.header(header)
  }

  #readFooter(line: Buffer): Footer {
    try {
      return footerLine.parse(JSON.parse(line.toString('utf8')))
    } catch (error) {
      throw this.#refuse('its last line cannot be read', error)
    }
  }

  async #readRow(line: Buffer): Promise<void> {
    const row = splitRow(line)
    if (row === undefined) throw this.#refuse('a line is not a row')
    this.#counts.set(row.table, (this.#counts.get(row.table) ?? 0) + 1)
    await this.#visitor.row(row.table, row.row)
  }

  #parseHeader(line: Buffer): Header {
    try {
      return headerLine.parse(JSON.parse(line.toString('utf8')))
    } catch (error) {
      throw new TransferError(`${this.#path} is not a Portbook export.`, { cause: error })
    }
  }

  #refuse(reason: string, cause?: unknown): TransferError {
    return new TransferError(`${this.#path} was changed or damaged: ${reason}.`, { cause })
  }
}
