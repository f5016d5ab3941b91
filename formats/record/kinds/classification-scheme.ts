import { integer, list, object, text } from '../../shape/shape.ts'
import type { RecordKind } from '../record-kind.ts'

/** A classification scheme orders data by how much it must be protected: its tiers are the values of fields. */
export const CLASSIFICATION_SCHEME = {
  kind: 'classification-scheme',
  collection: '/api/classification-schemes',
  called: 'classification scheme',
  label: 'Classifications',
  event: 'ClassificationScheme',
  resourceType: 'CLASSIFICATION_SCHEME',
  pages: 'classification-schemes',
  rank: 9,
  icon: 'shield',
  group: 'governance',
  purpose: 'Classification schemes order data by how much it must be protected.',
  list: { order: 'rank', isWhole: true },
  shape: object({
    fields: {
      externalId: text(),
      name: text(),
      description: text(),
      customProperty: text({ customary: ['classification'] }),
      rank: integer(),
      classifications: list(
        object({
          fields: {
            externalId: text(),
            name: text(),
            level: integer(),
            description: text(),
            criteria: text(),
            colorScheme: text(),
            icon: text(),
          },
          required: ['externalId', 'name'],
        }),
        { key: 'externalId' },
      ),
    },
    required: ['name'],
  }),
  paths: { id: ['externalId'], name: ['name'], description: ['description'], rank: ['rank'] },
  uses: {
    kinds: ['data-contract', 'asset'],
    // A field names a tier by its name or its id.
    by: {
      values: 'classifications',
      paths: ['$.classifications[*].name', '$.classifications[*].externalId'],
    },
    noun: 'document',
    verbs: ['has fields of its classifications', 'have fields of its classifications'],
    effect: 'The fields keep their classifications, without the colours and levels of the scheme.',
    none: 'No field has a classification of this scheme.',
  },
} as const satisfies RecordKind
