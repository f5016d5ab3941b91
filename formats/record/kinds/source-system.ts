import { any, map, object, set, text } from '../../shape/shape.ts'
import type { RecordKind } from '../record-kind.ts'

/** A source system is an operational system from which data products get their data: an ERP, a ticket shop. */
export const SOURCE_SYSTEM = {
  kind: 'source-system',
  collection: '/api/sourcesystems',
  called: 'source system',
  label: 'Source systems',
  event: 'SourceSystem',
  resourceType: 'SOURCE_SYSTEM',
  pages: 'source-systems',
  rank: 4,
  icon: 'server',
  permissions: 'SOURCE_SYSTEM',
  group: 'platform',
  purpose: 'Source systems are the operational systems from which data products get their data.',
  shape: object({
    fields: {
      id: text(),
      name: text(),
      owner: text(),
      description: text(),
      tags: set(text()),
      links: map(text()),
      custom: map(any),
    },
    required: ['name', 'owner'],
  }),
  paths: {
    id: ['id'],
    name: ['name'],
    owner: ['owner'],
    description: ['description'],
    tags: ['tags'],
    links: ['links'],
  },
  uses: {
    kinds: ['data-product'],
    by: { reference: 'system' },
    noun: 'data product',
    verbs: ['reads from it', 'read from it'],
    effect: 'Their input ports keep its id, and lineage shows it without a name.',
    none: 'No data product reads from this source system.',
  },
} as const satisfies RecordKind
