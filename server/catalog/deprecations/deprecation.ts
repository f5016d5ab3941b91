import { z } from '@hono/zod-openapi'
import { announcement } from '../../ledger/history/plan.ts'

/**
 * The deprecated parts of documents as pages show them: since when, with which advice, and what to use instead.
 */

/** The maximum number of documents of one answer. */
export const DOCUMENTS_MAX = 100

const replacement = z
  .object({
    kind: z.enum(['data-product', 'output-port', 'data-contract']),
    id: z.string().openapi({ description: 'The data product or data contract' }),
    portId: z.string().nullable().openapi({ description: 'Of an output port: its id' }),
    name: z.string().openapi({ description: 'Show it as "Use <name> instead"' }),
    url: z.string().openapi({ description: 'The address of its page' }),
  })
  .openapi('Replacement')

/** The replacement of a deprecated part. */
export type Replacement = z.infer<typeof replacement>

const part = z.object({
  kind: z.enum(['document', 'model', 'field', 'input port', 'output port', 'management port']),
  name: z.string().openapi({ description: 'Of a field: `orders.total`' }),
  portId: z.string().nullable().openapi({
    description: 'Of an output port: the id by which agreements name it; null = another part',
  }),
  contractId: z.string().nullable().openapi({
    description: 'Of an output port: its data contract, which distinguishes versions of a port',
  }),
  pointer: z.string().openapi({
    description: 'JSON pointer into the document; empty = the document itself',
  }),
  advice: z.string().nullable().openapi({ description: 'Its description, at most 300 characters' }),
  since: announcement.nullable().openapi({ description: 'null = not known' }),
  replacement: replacement.nullable().openapi({
    description: 'What its custom property `replacedBy` names; null = nothing, or nothing known',
  }),
})

/** The deprecated parts of documents. */
export const deprecations = z
  .object({
    documents: z.array(
      z.object({
        kind: z.enum(['data-product', 'data-contract']),
        id: z.string(),
        parts: z.array(part).openapi({ description: 'At most 500, the document itself first' }),
      }),
    ),
  })
  .openapi('Deprecations')

/** The deprecated parts of documents, parsed. */
export type Deprecations = z.infer<typeof deprecations>

/** A document whose deprecated parts are listed. */
export interface DocumentRef {
  kind: 'data-product' | 'data-contract'
  id: string
}
