import { any, flag, integer, list, number, object, set, text } from '../../shape/shape.ts'
import type { RecordKind } from '../record-kind.ts'

/** A definition is a term of the business with its data type and its rules: a customer number, a net weight. */
export const DEFINITION = {
  kind: 'definition',
  collection: '/api/definitions',
  called: 'definition',
  label: 'Definitions',
  event: 'Definition',
  resourceType: 'DEFINITION',
  pages: 'definitions',
  rank: 6,
  icon: 'book',
  permissions: 'DEFINITION',
  group: 'glossary',
  purpose: 'Definitions are the terms of your business, each with its data type and rules.',
  hasSlashIds: true,
  alternative: {
    mediaType: 'application/vnd.entropydata.odcs+json',
    form: 'schema-property',
  },
  shape: object({
    fields: {
      id: text(),
      title: text(),
      owner: text(),
      description: text(),
      type: text({
        customary: ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'array'],
      }),
      enum: list(any),
      minLength: integer({ minimum: 0 }),
      maxLength: integer({ minimum: 0 }),
      minimum: number(),
      maximum: number(),
      exclusiveMinimum: number(),
      exclusiveMaximum: number(),
      format: text(),
      pattern: text(),
      example: any,
      pii: flag,
      classification: text(),
      tags: set(text()),
    },
    required: ['owner'],
  }),
  paths: {
    id: ['id'],
    name: ['title'],
    owner: ['owner'],
    description: ['description'],
    tags: ['tags'],
  },
  uses: {
    kinds: ['data-contract'],
    by: { reference: 'definition' },
    noun: 'data contract',
    verbs: ['names it', 'name it'],
    effect: 'Their links to it will break.',
    none: 'No data contract names this definition.',
  },
} as const satisfies RecordKind
