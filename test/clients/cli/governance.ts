/** Commands for tags, definitions, policies, source systems, certifications and classification schemes. */

import { crudRows } from './crud.ts'
import type { CommandRow } from '../command-rows.ts'

const CERTIFICATION_ID = '0b0f4a3e-7a1c-4f0e-9a52-0d9c6f7f2f11'

const TAGS = crudRows({
  group: 'tags',
  noun: 'Tag',
  id: 'Governance/Personal',
  document: {
    id: 'Governance/Personal',
    info: { owner: 'a', description: 'Data about people' },
    links: { policy: 'https://example.test/policy' },
    properties: { level: 'high' },
  },
  columns: [
    ['ID', 'Governance/Personal'],
    ['Owner', 'a'],
    ['Description', 'Data about people'],
  ],
  between: [
    { command: 'tags list', args: ['--owner', 'Team A'], prints: [/Governance\/Personal/] },
    { command: 'tags list', args: ['--owner', 'No team', '-o', 'json'], prints: [/^\[\] $/] },
    {
      command: 'tags put',
      args: ['governance/personal'],
      input: { id: 'governance/personal', info: {} },
      fails: [1, /HTTP 422/],
    },
  ],
})

const DEFINITIONS = crudRows({
  group: 'definitions',
  noun: 'Definition',
  id: 'checkout/customer_email',
  document: {
    id: 'checkout/customer_email',
    owner: 'a',
    title: 'Customer email',
    description: 'The address that a customer confirmed.',
    type: 'string',
    format: 'email',
    pattern: '^.*@.*$',
    example: 'mail@example.test',
    pii: true,
    classification: 'sensitive',
    tags: ['customer'],
  },
  columns: [
    ['ID', 'checkout/customer_email'],
    ['Name', 'Customer email'],
    ['Owner', 'a'],
  ],
})

const POLICIES = crudRows({
  group: 'policies',
  noun: 'Policy',
  id: 'GLOBAL-1',
  document: {
    id: 'GLOBAL-1',
    name: 'Naming',
    status: 'Accepted',
    content: '# Naming\n\nUse nouns.',
  },
  columns: [
    ['ID', 'GLOBAL-1'],
    ['Name', 'Naming'],
    ['Status', 'Accepted'],
  ],
})

const SOURCE_SYSTEMS = crudRows({
  group: 'sourcesystems',
  noun: 'Source system',
  id: 'erp',
  document: {
    id: 'erp',
    name: 'ERP',
    owner: 'a',
    description: 'Orders and invoices',
    tags: ['core'],
    links: { runbook: 'https://example.test/erp' },
    custom: { vendor: 'none' },
  },
  columns: [
    ['ID', 'erp'],
    ['Name', 'ERP'],
    ['Owner', 'a'],
  ],
  between: [
    {
      command: 'sourcesystems put',
      args: ['crm'],
      input: { id: 'crm', name: 'CRM', owner: 'no-team' },
      fails: [1, /HTTP 422/],
    },
  ],
})

const CERTIFICATIONS = crudRows({
  group: 'certifications',
  noun: 'Certification',
  id: CERTIFICATION_ID,
  document: {
    id: CERTIFICATION_ID,
    name: 'Gold',
    rank: 1,
    description: 'Tested every day',
    criteria: 'A contract with tests',
    tag: 'gold',
    restricted: false,
  },
  columns: [
    ['ID', CERTIFICATION_ID],
    ['Name', 'Gold'],
    ['Rank', '1'],
    ['Tag', 'gold'],
  ],
})

const CLASSIFICATIONS = crudRows({
  group: 'classifications',
  path: '/api/classification-schemes',
  noun: 'Classification scheme',
  id: 'classification',
  document: {
    externalId: 'classification',
    name: 'Confidentiality',
    description: 'Who may read the data',
    customProperty: 'classification',
    rank: 1,
    classifications: [
      { externalId: 'public', name: 'Public', level: 1, colorScheme: 'green' },
      { externalId: 'secret', name: 'Secret', level: 2, criteria: 'Damage', colorScheme: 'red' },
    ],
  },
  columns: [
    ['External ID', 'classification'],
    ['Name', 'Confidentiality'],
    ['Custom Property', 'classification'],
    ['Description', 'Who may read the data'],
  ],
})

/** The rows of these groups, in their order. */
export const GOVERNANCE_ROWS: readonly CommandRow[] = [
  ...TAGS,
  ...DEFINITIONS,
  ...POLICIES,
  ...SOURCE_SYSTEMS,
  ...CERTIFICATIONS,
  ...CLASSIFICATIONS,
]
