/** The list of kinds of records with one more kind, which only tests have. It replaces `formats/record/kinds.ts`. */

import { CERTIFICATION } from '../formats/record/kinds/certification.ts'
import { CLASSIFICATION_SCHEME } from '../formats/record/kinds/classification-scheme.ts'
import { DEFINITION } from '../formats/record/kinds/definition.ts'
import { POLICY } from '../formats/record/kinds/policy.ts'
import { SOURCE_SYSTEM } from '../formats/record/kinds/source-system.ts'
import { TAG } from '../formats/record/kinds/tag.ts'
import type { RecordKind } from '../formats/record/record-kind.ts'
import { any, map, object, set, text } from '../formats/shape/shape.ts'

const GLOSSARY_TERM = {
  kind: 'glossary-term',
  collection: '/api/glossaryterms',
  called: 'glossary term',
  label: 'Glossary terms',
  event: 'GlossaryTerm',
  resourceType: 'GLOSSARY_TERM',
  pages: 'glossary-terms',
  rank: 99,
  icon: 'book',
  group: 'glossary',
  purpose: 'Glossary terms are words that the organization has agreed on.',
  // Some fields are inside of others, unlike those of source systems.
  shape: object({
    fields: {
      key: text(),
      term: text(),
      about: object({ fields: { steward: text(), meaning: text() }, required: ['steward'] }),
      labels: set(text()),
      links: map(text()),
      level: text({ allowed: ['draft', 'agreed'] }),
      custom: map(any),
    },
    required: ['term', 'about'],
  }),
  paths: {
    id: ['key'],
    name: ['term'],
    owner: ['about', 'steward'],
    description: ['about', 'meaning'],
    tags: ['labels'],
    links: ['links'],
  },
  uses: {
    kinds: ['data-product'],
    by: { values: 'tags', paths: ['$.term', '$.labels[*]'] },
    noun: 'data product',
    verbs: ['carries it', 'carry it'],
    effect: 'They keep the tag.',
    none: 'No data product carries this term.',
  },
} as const satisfies RecordKind

export const RECORD_KINDS = {
  [SOURCE_SYSTEM.kind]: SOURCE_SYSTEM,
  [DEFINITION.kind]: DEFINITION,
  [POLICY.kind]: POLICY,
  [TAG.kind]: TAG,
  [CERTIFICATION.kind]: CERTIFICATION,
  [CLASSIFICATION_SCHEME.kind]: CLASSIFICATION_SCHEME,
  [GLOSSARY_TERM.kind]: GLOSSARY_TERM,
} as const satisfies Readonly<Record<string, RecordKind>>

export const RECORDS: readonly RecordKind[] = Object.values(RECORD_KINDS)
