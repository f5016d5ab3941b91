// Usage of data products: each query of an output port is a span that a client sends by OTLP. The attributes of the
// span name the consumer and the rows that the query returned; those of its resource name the data product.

import type { Period } from '../../requests/http/period.ts'

/** The limits of one request. */
export const TRACE_LIMITS = {
  // A collector sends batches of about 8,192 spans, each of 1 to 2 KB.
  bodyBytesMax: 16 * 1024 * 1024,
  spansMax: 10_000,
  attributesMax: 128,
  spanCharactersMax: 64 * 1024,
  resourceCharactersMax: 16 * 1024,
  nameCharactersMax: 1024,
  idCharactersMax: 256,
  rowsMax: 1e12,
} as const

/** For how long a span is stored after it was received. */
export const SPAN_DAYS = 30

/** For how many calendar months usage is counted: the current one and those before it. */
export const COUNTED_MONTHS = 13

/** The character after each value of a column. No id, name or JSON text contains it. */
export const TERMINATOR = '\u001F'

/** The spans of a request as columns of a table: each column is one text, in which each value is terminated. */
export interface SpanColumns {
  spanIds: string
  /** The position of the source of each span, from 1. */
  sources: string
  productIds: string
  ports: string
  users: string
  roles: string
  accessIds: string
  rowCounts: string
  /** Microseconds since 1970. */
  startTimes: string
  contractIds: string
  spans: string
  /** The distinct sources: resource and scope as JSON, and the name of the scope. */
  resources: string
  scopes: string
  scopeNames: string
}

/** The spans of a request that can be stored, and the reasons why others cannot. */
export interface SpanBatch {
  columns: SpanColumns
  /** The number of spans in the columns. */
  count: number
  /** The distinct data products of the spans. */
  productIds: readonly string[]
  rejectedCount: number
  /** The first reasons, each with its place in the request. */
  reasons: readonly string[]
}

/** A filter of spans; undefined members match every span. */
export interface SpanFilter extends Period {
  scopeName?: string | undefined
  dataProductId?: string | undefined
  dataContractId?: string | undefined
  spanId?: string | undefined
}

/** Returns the stored form of a span id: hexadecimal ids are equal in both cases. */
export function toSpanKey(spanId: string): string {
  return /^[0-9a-f]+$/i.test(spanId) ? spanId.toLowerCase() : spanId
}
