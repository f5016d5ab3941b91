// Data products that contain every field of their standard once, so that tests reach all of them.

import { type Value, valueAt } from '../formats/text/value.ts'

/** An ODPS v1.0.0 document with every field. */
export const FULL_ODPS: Value = {
  apiVersion: 'v1.0.0',
  kind: 'DataProduct',
  id: 'full',
  name: 'Full',
  version: '1.0.0',
  status: 'active',
  domain: 'sales',
  tenant: 'acme',
  authoritativeDefinitions: [{ type: 'tutorial', url: 'https://example.com/a', description: 'd' }],
  description: {
    purpose: 'p',
    limitations: 'l',
    usage: 'u',
    authoritativeDefinitions: [{ type: 'implementation', url: 'https://example.com/b' }],
    customProperties: [{ property: 'a', value: null, description: 'b' }],
  },
  customProperties: [{ property: 'x', value: { y: 1 } }],
  tags: ['a'],
  inputPorts: [{ name: 'in', version: '1', contractId: 'c' }],
  outputPorts: [
    {
      name: 'out',
      description: 'd',
      type: 'tables',
      version: '1',
      contractId: 'c',
      sbom: [{ type: 'external', url: 'https://example.com/sbom' }],
      inputContracts: [{ id: 'c', version: '1' }],
    },
  ],
  managementPorts: [
    {
      name: 'm',
      content: 'control',
      type: 'rest',
      url: 'https://example.com/m',
      channel: 'c',
      description: 'd',
      tags: ['t'],
      customProperties: [],
      authoritativeDefinitions: [],
    },
  ],
  support: [
    {
      channel: 'c',
      url: 'mailto:a@example.com',
      description: 'd',
      tool: 'slack',
      scope: 'issues',
      invitationUrl: 'https://example.com/i',
      tags: [],
      customProperties: [],
      authoritativeDefinitions: [],
    },
  ],
  team: {
    name: 'team',
    description: 'd',
    members: [
      {
        username: 'u',
        name: 'n',
        description: 'd',
        role: 'owner',
        dateIn: '2024-02-29',
        dateOut: '2025-01-31',
        replacedByUsername: 'v',
        tags: [],
        customProperties: [],
        authoritativeDefinitions: [],
      },
    ],
    tags: [],
    customProperties: [],
    authoritativeDefinitions: [],
  },
  productCreatedTs: '2024-01-01T00:00:00Z',
}

/** An ODPS v0.9.0 document with every field. */
export const FULL_ODPS_0_9: Value = {
  ...FULL_ODPS,
  apiVersion: 'v0.9.0',
  team: valueAt(FULL_ODPS, ['team', 'members']) ?? null,
}

// The additions of v1.1.0.
const parts11 = {
  id: 'e',
  tags: ['t'],
  customProperties: [{ id: 'e', property: 'p', value: 1, description: 'd' }],
  authoritativeDefinitions: [{ id: 'e', type: 'glossary', url: 'https://a.b', description: 'd' }],
}
const synonyms11 = [
  {
    id: 'e',
    synonym: 's',
    description: 'd',
    locale: 'en',
    source: 's',
    status: 'active',
    customProperties: parts11.customProperties,
  },
]
const context11 = {
  instructions: 'i',
  verifiedStatements: [{ ...parts11, question: 'q', answer: 'a' }],
  constraints: [{ ...parts11, constraint: 'c' }],
}
const { id: _, ...parts11WithoutId } = parts11
/** An ODPS v1.1.0 document with every addition of that version. */
export const FULL_ODPS_1_1: Value = {
  ...parts11,
  apiVersion: 'v1.1.0',
  kind: 'DataProduct',
  id: 'full',
  deprecated: false,
  synonyms: synonyms11,
  type: 'sourceAligned',
  context: context11,
  inputPorts: [{ ...parts11, name: 'in', deprecated: true }],
  outputPorts: [
    {
      ...parts11,
      name: 'out',
      deprecated: true,
      sbom: [{ id: 'e', type: 'external' }],
      inputContracts: [{ id: 'c', version: '1' }],
      synonyms: synonyms11,
      context: context11,
    },
  ],
  managementPorts: [{ ...parts11, name: 'm', content: 'control', deprecated: false }],
  support: [{ ...parts11, channel: 'c', url: 'https://a.b' }],
  team: { ...parts11WithoutId, name: 't', members: [{ ...parts11, username: 'u' }] },
}

/** A DPS document with every field. */
export const FULL_DPS: Value = {
  dataProductSpecification: '0.0.1',
  id: 'full',
  info: {
    title: 'Full',
    owner: 'team',
    description: 'd',
    status: 'active',
    archetype: 'aggregate',
    maturity: 'raw',
  },
  inputPorts: [
    {
      id: 'i',
      name: 'n',
      sourceSystemId: 's',
      description: 'd',
      type: 't',
      location: 'l',
      links: { a: 'b' },
      custom: { c: 'd' },
      tags: ['t'],
    },
  ],
  outputPorts: [
    {
      id: 'o',
      name: 'n',
      description: 'd',
      type: 't',
      status: 'active',
      location: 'l',
      server: { project: 'p', dataset: 'd', other: 5, additionalProperties: 'x' },
      links: { a: 'b' },
      custom: { c: 'd' },
      containsPii: true,
      autoApprove: false,
      dataContractId: 'c',
      tags: ['t'],
    },
  ],
  links: { a: 'b' },
  custom: { c: 'd' },
  tags: ['t'],
}
