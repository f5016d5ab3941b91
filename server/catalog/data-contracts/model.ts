import { z } from '@hono/zod-openapi'
import {
  LOGICAL_TYPES,
  MODEL_KINDS,
  SEMANTIC_TYPES,
  VECTOR_ELEMENTS,
} from '../../../formats/schema/model.ts'
import { warning } from '../../ledger/history/plan.ts'

/** The models of a contract in the API: one shape for every schema language. */

const qualityCheck = z
  .object({
    name: z.string().optional(),
    type: z.string(),
    description: z.string().optional(),
    rule: z.unknown().openapi({ description: 'The rule as it is written in the document' }),
    origin: z.string(),
  })
  .openapi('QualityCheck')

const deprecated = z.literal(true).optional().openapi({ description: 'Its end is announced' })

const replacedBy = z.string().optional().openapi({
  description: 'The id or address of its successor, from the custom property replacedBy',
})

const context = z
  .object({
    instructions: z.string().optional(),
    statements: z.array(z.object({ question: z.string(), answer: z.string().optional() })),
    constraints: z.array(z.string()),
  })
  .openapi('Context')

const vector = z
  .object({
    dimensions: z.number().optional(),
    elementType: z.enum(VECTOR_ELEMENTS).optional(),
    normalized: z.boolean(),
    model: z.string().optional(),
    modelVersion: z.string().optional(),
    distanceMetric: z.string().optional(),
  })
  .openapi('Vector')

const field = z
  .object({
    name: z.string(),
    physicalName: z.string().optional(),
    physicalType: z.string().optional().openapi({ description: "The platform's own text" }),
    logicalType: z.enum(LOGICAL_TYPES),
    required: z.boolean(),
    unique: z.boolean(),
    primaryKeyPosition: z.number().optional().openapi({ description: 'Counts from 1' }),
    description: z.string().optional(),
    synonyms: z.array(z.string()).optional(),
    deprecated,
    replacedBy,
    semanticType: z.enum(SEMANTIC_TYPES).optional(),
    expression: z.string().optional().openapi({ description: 'Of a measure or dimension' }),
    vector: vector.optional(),
    enum: z.array(z.unknown()).optional(),
    pattern: z.string().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    minimum: z.unknown().optional(),
    maximum: z.unknown().optional(),
    exclusiveMinimum: z.unknown().optional(),
    exclusiveMaximum: z.unknown().optional(),
    precision: z.number().optional(),
    scale: z.number().optional(),
    format: z.string().optional(),
    classification: z.string().optional(),
    tags: z.array(z.string()),
    get fields() {
      return z.array(field).optional().openapi({ description: 'Of an object' })
    },
    get items() {
      return field.optional().openapi({ description: 'Of an array' })
    },
    get keys() {
      return field.optional().openapi({ description: 'Of a map' })
    },
    get values() {
      return field.optional().openapi({ description: 'Of a map' })
    },
    references: z.array(z.string()),
    quality: z.array(qualityCheck),
    origin: z.string().openapi({ description: 'JSON pointer into the document' }),
  })
  .openapi('Field')

const model = z
  .object({
    name: z.string(),
    physicalName: z.string().optional(),
    kind: z.enum(MODEL_KINDS),
    description: z.string().optional(),
    synonyms: z.array(z.string()).optional(),
    context: context.optional(),
    deprecated,
    replacedBy,
    namespace: z.string().optional(),
    fields: z.array(field),
    primaryKey: z.array(z.string()),
    quality: z.array(qualityCheck),
    tags: z.array(z.string()),
    origin: z.string(),
  })
  .openapi('Model')

/** The models of a contract, and the parts of its schema that could not be read. */
export const contractModel = z
  .object({ models: z.array(model), warnings: z.array(warning) })
  .openapi('ContractModel')
