import { any, map, object, text } from '../../shape/shape.ts'
import type { RecordKind } from '../record-kind.ts'

/** A tag is a word that the organization has agreed on, for what carries it. Its id is its name. */
export const TAG = {
  kind: 'tag',
  collection: '/api/tags',
  called: 'tag',
  label: 'Tags',
  event: 'Tag',
  resourceType: 'TAG',
  pages: 'tags',
  rank: 7,
  icon: 'tag',
  permissions: 'MANAGED_TAG',
  group: 'governance',
  purpose: 'Tags are the words that your organization has agreed on to mark data.',
  mayBeUnowned: true,
  hasSlashIds: true,
  ignoresIdCase: true,
  shape: object({
    fields: {
      id: text(),
      info: object({ fields: { owner: text(), description: text() } }),
      links: map(text()),
      properties: map(any),
    },
  }),
  paths: {
    id: ['id'],
    owner: ['info', 'owner'],
    description: ['info', 'description'],
    links: ['links'],
  },
} as const satisfies RecordKind
