import { flag, integer, object, text } from '../../shape/shape.ts'
import type { RecordKind } from '../record-kind.ts'

/** A certification is a level of trust, such as gold. A data product has it if it carries the tag of the certification. */
export const CERTIFICATION = {
  kind: 'certification',
  collection: '/api/certifications',
  called: 'certification',
  label: 'Certifications',
  event: 'Certification',
  resourceType: 'CERTIFICATION',
  pages: 'certifications',
  rank: 8,
  icon: 'award',
  group: 'governance',
  purpose:
    'Certifications are levels of trust that data products reach. A tag gives them to a product.',
  hasUuidIds: true,
  ignoresIdCase: true,
  list: { order: 'rank', isWhole: true },
  shape: object({
    fields: {
      id: text(),
      name: text(),
      rank: integer(),
      description: text(),
      criteria: text(),
      tag: text(),
      icon: text(),
      restricted: flag,
    },
    required: ['name', 'tag'],
  }),
  // Every person who may change a data product may give it the tag.
  fieldsWithoutEffect: ['restricted'],
  paths: { id: ['id'], name: ['name'], description: ['description'], rank: ['rank'] },
  uses: {
    kinds: ['data-product'],
    by: { values: 'tags', paths: ['$.tag'] },
    noun: 'data product',
    verbs: ['has it', 'have it'],
    effect: 'They keep its tag, but are no longer shown as certified.',
    none: 'No data product has this certification.',
  },
} as const satisfies RecordKind
