/**
 * The shapes of Unity Catalog's answers, as far as they are used:
 * https://docs.databricks.com/api/workspace/tables, and https://docs.unitycatalog.io for the open-source server.
 */

import { z } from 'zod'

const name = z.string().min(1)
const text = z.string().nullish()
const pageToken = z.object({ next_page_token: text })

const container = { name, comment: text, owner: text }

/** One page of catalogs. An empty page may omit the list. */
export const catalogsAnswer = pageToken.extend({
  catalogs: z.array(z.object({ ...container, id: text, catalog_type: text })).nullish(),
})

/** One page of schemas. */
export const schemasAnswer = pageToken.extend({
  schemas: z.array(z.object({ ...container, schema_id: text })).nullish(),
})

/** One page of tables. Each is parsed by itself, so that one cannot hide the others. */
export const tablesAnswer = pageToken.extend({ tables: z.array(z.unknown()).nullish() })

/** The name of a table that cannot be parsed further. */
export const namedTable = z.object({ name })

const column = z.object({
  name: z.string(),
  type_text: text,
  type_json: text,
  type_name: text,
  position: z.number().int().nullish(),
  comment: text,
  nullable: z.boolean().nullish(),
  partition_index: z.number().int().nullish(),
})

/** A table or view. */
export const tableAnswer = z.object({
  ...container,
  table_type: text,
  data_source_format: text,
  columns: z.array(column).nullish(),
  storage_location: text,
  view_definition: text,
  table_id: text,
  updated_at: z.number().nullish(),
})

/** A rejected request. */
export const errorAnswer = z.object({ error_code: text, message: text })

const chunk = z.object({
  data_array: z.array(z.array(z.string().nullable())).nullish(),
  next_chunk_index: z.number().int().nullish(),
})

/** The state of a statement, with its first chunk if it has succeeded. */
export const statementAnswer = z.object({
  statement_id: z.string().regex(/^[\w-]+$/),
  status: z.object({
    state: z.enum(['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED', 'CLOSED']),
    error: errorAnswer.nullish(),
  }),
  manifest: z.object({ truncated: z.boolean().nullish() }).nullish(),
  result: chunk.nullish(),
})

/** A further chunk of a result. */
export const chunkAnswer = chunk

/** A table, parsed. */
export type TableAnswer = z.infer<typeof tableAnswer>
/** A column, parsed. */
export type ColumnAnswer = z.infer<typeof column>
