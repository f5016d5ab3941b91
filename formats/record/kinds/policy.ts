import { object, text } from '../../shape/shape.ts'
import type { RecordKind } from '../record-kind.ts'

/** A policy is a rule of the organization for all teams, in Markdown: how data is named, kept or shared. */
export const POLICY = {
  kind: 'policy',
  collection: '/api/policies',
  called: 'policy',
  label: 'Policies',
  event: 'Policy',
  resourceType: 'POLICY',
  pages: 'policies',
  rank: 5,
  icon: 'scale',
  isMarkdown: true,
  list: { order: 'id', isWhole: true },
  group: 'governance',
  purpose:
    'Policies are the rules of your organization for all teams, such as how data is named or kept.',
  shape: object({
    fields: {
      id: text(),
      name: text(),
      status: text({ allowed: ['Draft', 'Accepted', 'Rejected', 'Deprecated'] }),
      content: text(),
    },
    required: ['name'],
  }),
  paths: { id: ['id'], name: ['name'], status: ['status'], description: ['content'] },
} as const satisfies RecordKind
