/** Runs one statement in a transaction and returns its rows. */
export type RunQuery = <Row extends object>(statement: string) => Promise<Row[]>

/** What a cursor reads. */
export interface CursorQuery {
  /** Unique among the cursors that are open in the transaction. */
  name: string
  /** The expressions to return. */
  select: string
  /** A table, or tables joined, with conditions. */
  from: string
  order: string
  /** An expression with the bytes of a row, cheap to compute: `octet_length(document)`. */
  bytes: string
}

const ROWS_MAX = 500
const BYTES_MAX = 4 * 1024 * 1024
const SIZES_AT_ONCE = 2000

/**
 * Reads a result of any size in batches of at most 500 rows and about 4 MB, or one larger row. It needs
 * a repeatable-read transaction: a second cursor looks ahead at the sizes of the same rows.
 */
export async function* readInBatches<Row extends object>(
  run: RunQuery,
  { name, select, from, order, bytes }: CursorQuery,
): AsyncGenerator<Row[]> {
  await run(
    `declare ${name}_sizes no scroll cursor for
     select (${bytes})::float8 as bytes from ${from} order by ${order}`,
  )
  await run(`declare ${name} no scroll cursor for select ${select} from ${from} order by ${order}`)
  for (;;) {
    const sizes = await run<{ bytes: number }>(`fetch ${SIZES_AT_ONCE} from ${name}_sizes`)
    if (sizes.length === 0) break
    for (const count of groupBySize(sizes.map((size) => size.bytes))) {
      yield await run<Row>(`fetch ${count} from ${name}`)
    }
  }
  await run(`close ${name}_sizes`)
  await run(`close ${name}`)
}

function* groupBySize(sizes: readonly number[]): Generator<number> {
  let count = 0
  let bytes = 0
  for (const size of sizes) {
    if (count > 0 && (count === ROWS_MAX || bytes + size > BYTES_MAX)) {
      yield count
      count = 0
      bytes = 0
    }
    count += 1
    bytes += size
  }
  yield count
}
