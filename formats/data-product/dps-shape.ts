// The shape of a DPS document. Source: Data Product Specification 0.0.1, dataproduct-specification.com, JSON Schema.
// It allows other fields everywhere; other common fields are in the tables as `seen`.

import { any, flag, list, map, object, set, text } from '../shape/shape.ts'

/** The statuses of DPS. */
export const DPS_STATUSES = ['proposed', 'in development', 'active', 'deprecated', 'retired']

/** The position of a product in a mesh: close to its source, in between, or close to its consumers. */
export const ARCHETYPES = ['source-aligned', 'aggregate', 'consumer-aligned']

/** The maturity of a product. */
export const MATURITIES = ['raw', 'defined', 'managed']

const OWN_WORDS = { links: map(text()), custom: map(text()), tags: set(text()) }

// The official schema has a field `additionalProperties` here by mistake, which documents need not repeat.
const SERVER_FIELDS = [
  'project',
  'dataset',
  'account',
  'database',
  'schema',
  'host',
  'topic',
  'location',
  'delimiter',
  'format',
  'table',
  'view',
  'share',
  'additionalProperties',
]

const server = object({
  fields: Object.fromEntries(SERVER_FIELDS.map((name) => [name, text()])),
})

const info = object({
  fields: {
    title: text(),
    owner: text(),
    description: text({ hint: 'description is one text in DPS' }),
    status: text({ customary: DPS_STATUSES }),
    archetype: text({ customary: ARCHETYPES }),
    maturity: text({ customary: MATURITIES }),
  },
  // The first two are an alternative notation of id and title in the specification.
  seen: { id: text(), name: text(), domain: text(), icon: text() },
  required: ['title', 'owner'],
  recommended: ['status'],
})

/** An input port of a DPS document. */
export const dpsInputPort = object({
  fields: {
    id: text(),
    name: text(),
    description: text(),
    sourceSystemId: text(),
    type: text(),
    location: text(),
    ...OWN_WORDS,
  },
  seen: { dataContractId: text(), contractId: text() },
  required: ['id', 'name', 'sourceSystemId'],
})

/** An output port of a DPS document. */
export const dpsOutputPort = object({
  fields: {
    id: text(),
    name: text(),
    description: text(),
    type: text(),
    status: text({ customary: DPS_STATUSES }),
    location: text(),
    server,
    containsPii: flag,
    autoApprove: flag,
    dataContractId: text(),
    ...OWN_WORDS,
  },
  seen: { contractId: text(), contractServer: text(), environment: text(), assets: list(any) },
  required: ['id', 'name'],
})

/** A DPS document. */
export const DPS = object({
  fields: {
    dataProductSpecification: text({ allowed: ['0.0.1'] }),
    id: text(),
    info,
    inputPorts: set(dpsInputPort),
    outputPorts: set(dpsOutputPort),
    ...OWN_WORDS,
  },
  // Very old documents have the owner in `teamId`.
  seen: { assets: list(any), teamId: text() },
  required: ['id', 'info'],
})
