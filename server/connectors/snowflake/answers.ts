/** The shapes of the answers of the SQL API: https://docs.snowflake.com/en/developer-guide/sql-api/reference */

import { z } from 'zod'

const rows = z.array(z.array(z.string().nullable()))

const metadata = z.object({
  numRows: z.number().int().nonnegative(),
  rowType: z.array(z.object({ name: z.string() })).max(1000),
  // Absent or empty if there are no rows.
  partitionInfo: z
    .array(z.object({ rowCount: z.number().int().nonnegative() }))
    .max(100_000)
    .nullish()
    .transform((partitions) => partitions ?? []),
})

/** The state of a statement; with a description of its result and its first rows if it has ended. */
export const statementAnswer = z.object({
  statementHandle: z.string().regex(/^[\w-]{1,100}$/),
  resultSetMetaData: metadata.nullish(),
  data: rows.nullish(),
})

/** A further partition of a result. */
export const partitionAnswer = z.object({ data: rows })

/** A rejected request, or a failed statement. */
export const errorAnswer = z.object({
  code: z.string().nullish(),
  sqlState: z.string().nullish(),
  message: z.string().nullish(),
})

/** The description of a result. */
export type ResultMetadata = z.infer<typeof metadata>
