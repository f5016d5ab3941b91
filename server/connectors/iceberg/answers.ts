/**
 * The shapes of a catalog's answers, as far as they are used: Apache Iceberg's REST catalog,
 * https://github.com/apache/iceberg/blob/main/open-api/rest-catalog-open-api.yaml
 */

import { z } from 'zod'

const name = z.string().min(1)

const properties = z.record(z.string(), z.unknown()).nullish()

/**
 * Configuration of the catalog: overrides take precedence over the client's settings, defaults do
 * not.
 */
export const configAnswer = z.object({
  defaults: properties,
  overrides: properties,
  endpoints: z.array(z.string()).nullish(),
})

/**
 * One page of namespaces, each as its parts. A part may be empty, although no request can name it
 * then.
 */
export const namespacesAnswer = z.object({
  namespaces: z.array(z.array(z.string()).min(1)),
  'next-page-token': z.string().nullish(),
})

/** One page of tables or views. */
export const identifiersAnswer = z.object({
  identifiers: z.array(z.object({ namespace: z.array(z.string()), name: z.string() })),
  'next-page-token': z.string().nullish(),
})

/** A namespace. */
export const namespaceAnswer = z.object({ properties })

const fieldId = z.number().int()

// Types are parsed by `schema.ts`: a catalog can nest them without limit.
const schema = z.object({
  'schema-id': fieldId.nullish(),
  fields: z.array(z.unknown()),
  'identifier-field-ids': z.array(fieldId).nullish(),
})

const partitionFields = z.array(
  z.object({ 'source-id': fieldId.nullish(), name: z.string(), transform: z.string() }),
)

// Snapshot ids have 64 bits. Both sides of the comparison are rounded in the same way.
const snapshot = z.object({
  'snapshot-id': z.number(),
  'timestamp-ms': z.number().nullish(),
  summary: z.record(z.string(), z.unknown()).nullish(),
})

/** A table: https://iceberg.apache.org/spec/#table-metadata-fields, of any version. */
export const tableAnswer = z.object({
  metadata: z.object({
    'format-version': z.number().int().nullish(),
    'table-uuid': name.nullish(),
    location: z.string().nullish(),
    'last-updated-ms': z.number().nullish(),
    properties,
    schema: schema.nullish(),
    schemas: z.array(schema).nullish(),
    'current-schema-id': fieldId.nullish(),
    'partition-spec': partitionFields.nullish(),
    'partition-specs': z.array(z.object({ 'spec-id': fieldId, fields: partitionFields })).nullish(),
    'default-spec-id': fieldId.nullish(),
    'current-snapshot-id': z.number().nullish(),
    snapshots: z.array(snapshot).nullish(),
  }),
})

/** A view: https://iceberg.apache.org/view-spec/#view-metadata */
export const viewAnswer = z.object({
  metadata: z.object({
    'view-uuid': name.nullish(),
    location: z.string().nullish(),
    properties,
    'current-version-id': fieldId,
    versions: z.array(
      z.object({
        'version-id': fieldId,
        'schema-id': fieldId.nullish(),
        'timestamp-ms': z.number().nullish(),
        representations: z.array(
          z.object({ type: z.string(), sql: z.string().nullish(), dialect: z.string().nullish() }),
        ),
      }),
    ),
    schemas: z.array(schema),
  }),
})

/** A schema with unparsed fields. */
export type SchemaAnswer = z.infer<typeof schema>
/** The metadata of a table, parsed. */
export type TableMetadata = z.infer<typeof tableAnswer>['metadata']
/** The metadata of a view, parsed. */
export type ViewMetadata = z.infer<typeof viewAnswer>['metadata']
