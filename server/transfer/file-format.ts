import { z } from 'zod'

/**
 * An export is a text file of JSON lines, optionally compressed with gzip: a header, one line for each
 * row, and a footer with the number of rows and the SHA-256 of every byte before it.
 */

/** The format version that this program writes. Files of version 1 have no checksum. */
export const FORMAT = 2

/** The maximum size of a line. A row can contain a document of 5 MB twice, as YAML and as JSON. */
export const LINE_BYTES_MAX = 128 * 1024 * 1024

/** The first line. */
export const headerLine = z.object({
  /** The version of Portbook that wrote the file. */
  portbook: z.string(),
  format: z.int().min(1).default(1),
  /** The migrations of the exported store, by name. */
  migrations: z.array(z.string()),
  /** The exported columns of each table. */
  columns: z.record(z.string(), z.array(z.string())).optional(),
  /** The IDs of the encryption keys of the exported store, the current one first. */
  encryptionKeys: z.array(z.string()).optional(),
  /** The number of credentials sealed with those keys. */
  sealedCredentials: z.int().min(0).optional(),
})

/** The first line. */
export type Header = z.infer<typeof headerLine>

/** The last line. */
export const footerLine = z.object({
  /** The number of rows of each table. */
  rows: z.record(z.string(), z.int().min(0)),
  /** The SHA-256 of all bytes before this line, in hexadecimal; absent in files of version 1. */
  sha256: z.string().optional(),
})

/** The last line. */
export type Footer = z.infer<typeof footerLine>

/** Returns the line of a row. */
export function formatRow(table: string, row: string): string {
  return `{"table":${JSON.stringify(table)},"row":${row}}\n`
}

const ROW = /^\{"table":"([a-z_]{1,63})","row":/
const PREFIX_BYTES_MAX = 100

/** Splits the line of a row into its table and the row as JSON; undefined if it is not a row. */
export function splitRow(line: Buffer): { table: string; row: Buffer } | undefined {
  const [prefix, table] = ROW.exec(line.toString('latin1', 0, PREFIX_BYTES_MAX)) ?? []
  if (prefix === undefined || table === undefined || line.at(-1) !== 0x7d) return undefined
  return { table, row: line.subarray(prefix.length, -1) }
}

/** Returns whether a line is the footer. */
export function isFooter(line: Buffer): boolean {
  return line.toString('latin1', 0, 7) === '{"rows"'
}
