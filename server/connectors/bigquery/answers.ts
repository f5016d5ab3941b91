/**
 * The shapes of answers, as far as they are used:
 * https://cloud.google.com/bigquery/docs/reference/rest/v2/tables, and `datasets` next to it.
 */

import { z } from 'zod'

const name = z.string().min(1)
const text = z.string().nullish()
const names = z.array(z.string()).nullish()
const labels = z.record(z.string(), z.string()).nullish()

// Numbers of 64 bits are texts.
const bigNumber = z.union([z.string(), z.number()]).nullish()

/** One page of datasets. An empty page omits the list. */
export const datasetsAnswer = z.object({
  datasets: z
    .array(z.object({ datasetReference: z.object({ datasetId: name }), location: text }))
    .nullish(),
  nextPageToken: text,
})

/** A dataset. */
export const datasetAnswer = z.object({
  friendlyName: text,
  description: text,
  labels,
  location: text,
})

/** One page of tables. Each is parsed by itself, so that one cannot hide the others. */
export const tablesAnswer = z.object({
  tables: z.array(z.unknown()).nullish(),
  nextPageToken: text,
})

/** A table, as it is listed. */
export const listedTable = z.object({
  tableReference: z.object({ tableId: name }),
  type: text.catch(undefined),
})

/** A field of a schema. The fields inside are parsed level by level, up to a maximum depth. */
export const fieldAnswer = z.object({
  name: z.string(),
  type: z.string().min(1),
  mode: text,
  description: text,
  fields: z.array(z.unknown()).nullish(),
  policyTags: z.object({ names }).nullish(),
  maxLength: bigNumber,
  precision: bigNumber,
  scale: bigNumber,
  rangeElementType: z.object({ type: z.string().min(1) }).nullish(),
  defaultValueExpression: text,
})

const tableReference = z.object({ projectId: name, datasetId: name, tableId: name })

const constraints = z.object({
  primaryKey: z.object({ columns: z.array(z.string()).nullish() }).nullish(),
  foreignKeys: z
    .array(
      z.object({
        referencedTable: tableReference,
        columnReferences: z.array(
          z.object({ referencingColumn: z.string(), referencedColumn: z.string() }),
        ),
      }),
    )
    .nullish(),
})

const partitioning = z.object({ field: text, type: text }).nullish()

/** A table or view. */
export const tableAnswer = z.object({
  type: text,
  friendlyName: text,
  description: text,
  labels,
  /** Tags of Resource Manager: values by `<organization or project>/<key>`. */
  resourceTags: labels,
  location: text,
  schema: z.object({ fields: z.array(z.unknown()).nullish() }).nullish(),
  numRows: bigNumber,
  numBytes: bigNumber,
  lastModifiedTime: bigNumber,
  timePartitioning: partitioning,
  rangePartitioning: partitioning,
  requirePartitionFilter: z.boolean().nullish(),
  clustering: z.object({ fields: names }).nullish(),
  view: z.object({ query: text }).nullish(),
  materializedView: z.object({ query: text }).nullish(),
  externalDataConfiguration: z.object({ sourceUris: names, sourceFormat: text }).nullish(),
  biglakeConfiguration: z.object({ storageUri: text, tableFormat: text }).nullish(),
  tableConstraints: constraints.nullish(),
})

/** The state of a query, with a page of rows if it is complete. Values of any type but lists are texts. */
export const queryAnswer = z.object({
  jobReference: z.object({ jobId: z.string().regex(/^[\w-]{1,1024}$/), location: text }).nullish(),
  jobComplete: z.boolean(),
  schema: z.object({ fields: z.array(z.unknown()).nullish() }).nullish(),
  rows: z.array(z.object({ f: z.array(z.object({ v: text })) })).nullish(),
  pageToken: text,
  errors: z.array(z.object({ reason: text, message: text })).nullish(),
})

/** A rejected request. */
export const errorAnswer = z.object({
  error: z.object({
    message: text,
    status: text,
    errors: z.array(z.object({ reason: text })).nullish(),
  }),
})

/** A dataset, parsed. */
export type BigQueryDataset = z.infer<typeof datasetAnswer>
/** A table, parsed. */
export type BigQueryTable = z.infer<typeof tableAnswer> & {
  /** The time in milliseconds at which its rows changed, from the view of the storage. */
  storageModifiedTime?: string | null | undefined
}
