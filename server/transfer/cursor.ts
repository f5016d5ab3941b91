/** Runs one statement in a transaction and returns its rows. */
export type RunQuery = <Row extends object>(
  statement: string,
  parameters?: readonly unknown[],
) => Promise<Row[]>

/** The query of a cursor. */
export interface CursorQuery {
  /** A name that is unique among the open cursors of the transaction. */
  name: string
  /** The expressions to return. */
  select: string
  /** A table or joined tables, with conditions. */
  from: string
  /** By default the rows have no particular order, which spares a sort of wide rows. */
  order?: string
  /** A cheap expression for the size of a row in bytes: `octet_length(document)`. */
  bytes: string
}

const ROWS_MAX = 500
const BYTES_MAX = 4 * 1024 * 1024
const SIZES_AT_ONCE = 2000

/**
 * Reads a result of any size in batches of at most 500 rows and about 4 MB, or one larger row. The database reads the
 * next batch while the caller uses one, so two batches are in memory. It needs a repeatable-read transaction, because a
 * second cursor reads the sizes of the same rows in advance; without an order, both read the tables from their beginning.
 */
export async function* readInBatches<Row extends object>(
  run: RunQuery,
  { name, select, from, order, bytes }: CursorQuery,
): AsyncGenerator<Row[]> {
  const rows = order === undefined ? from : `${from} order by ${order}`
  await run(
    `declare ${name}_sizes no scroll cursor for select (${bytes})::float8 as bytes from ${rows}`,
  )
  await run(`declare ${name} no scroll cursor for select ${select} from ${rows}`)
  let current: Promise<Row[]> | undefined
  for await (const count of countRows(run, name)) {
    const next = run<Row>(`fetch ${count} from ${name}`)
    // A caller that ends early does not wait for it.
    next.catch(() => undefined)
    if (current !== undefined) yield await current
    current = next
  }
  if (current !== undefined) yield await current
  await run(`close ${name}_sizes`)
  await run(`close ${name}`)
}

async function* countRows(run: RunQuery, name: string): AsyncGenerator<number> {
  for (;;) {
    const sizes = await run<{ bytes: number }>(`fetch ${SIZES_AT_ONCE} from ${name}_sizes`)
    if (sizes.length === 0) return
    yield* groupBySize(sizes.map((size) => size.bytes))
  }
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
