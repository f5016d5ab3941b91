/**
 * Documents as GitOps pipelines of the vendor's customers keep them: folders by the name of the kind, and
 * shapes of older versions of the API. The contents are our own.
 */

/** A document of any kind. */
export type GitopsDocument = { readonly id: string } & Readonly<Record<string, unknown>>

const NOTHING = { tags: [], links: {}, custom: {} }

/** The documents by folder, in the order in which a pipeline sends the folders. */
export const GITOPS_DOCUMENTS: Readonly<Record<string, readonly GitopsDocument[]>> = {
  teams: [
    ['freight', 'Freight', 'Domain Team'],
    ['rails', 'Rail Platform', 'Platform Team'],
    ['coaches', 'Coaches', 'Enabling Team'],
    ['rules', 'Federated Governance', 'Governance Group'],
  ].map(([id = '', name, type]) => ({
    id,
    name,
    type,
    // People who have no account, with roles of their own words.
    members: [
      { emailAddress: `ada@${id}.example.test`, role: 'Team Member' },
      { emailAddress: `bob@${id}.example.test`, role: 'SME Data Privacy' },
    ],
    ...NOTHING,
  })),
  sourcesystems: [
    { id: 'wagon-service', name: 'Wagons', owner: 'freight', description: '', ...NOTHING },
    {
      id: 'yard-search',
      name: 'Yard Search',
      owner: 'rails',
      tags: [],
      links: { 'Search Dashboards': 'https://example.test/search' },
      custom: {},
    },
  ],
  definitions: [
    {
      id: 'freight/wagon_id',
      owner: 'freight',
      domain: 'freight',
      name: 'wagon_id',
      title: 'Wagon number',
      description: 'The number that is painted on a wagon.',
      type: 'string',
      format: 'uuid',
      minLength: 12,
      maxLength: 12,
      pattern: '^[0-9]{12}$',
      example: '338045671234',
      pii: false,
      classification: 'internal',
      tags: [],
    },
  ],
  datacontracts: [
    {
      dataContractSpecification: '0.9.2',
      id: 'urn:datacontract:freight:wagons_v1',
      info: { title: 'Wagons', version: '1.0.0', description: 'All wagons', owner: 'freight' },
      servers: {},
      terms: { usage: 'Any', limitations: 'None', billing: '5000 USD', noticePeriod: 'P3M' },
      models: {
        wagons: {
          type: 'table',
          fields: {
            wagon_id: {
              type: 'string',
              required: true,
              tags: [],
              $ref: 'http://localhost:8080/demo/definitions/freight/wagon_id',
            },
            seen_at: { type: 'timestamp', description: 'Last seen', tags: [] },
          },
        },
      },
      definitions: {},
      examples: [{ type: 'csv', model: '', description: '', data: 'wagon_id\n338045671234\n' }],
      tags: ['demo'],
      links: { schema: 'https://example.test/schema' },
    },
  ],
  dataproducts: [
    {
      dataProductSpecification: '0.0.1',
      id: 'urn:dataproduct:freight:wagons',
      info: {
        title: 'Wagons',
        description: 'All wagons since 2020',
        owner: 'freight',
        status: 'active',
        archetype: 'source-aligned',
        maturity: 'managed',
      },
      inputPorts: [
        {
          id: 'wagon-events',
          name: 'Wagon events',
          sourceSystemId: 'wagon-service',
          type: 'kafka',
          location: 'wagons.events',
          ...NOTHING,
        },
      ],
      outputPorts: [
        {
          id: 'wagons_v1',
          name: 'wagons_v1',
          type: 'snowflake',
          server: { account: 'https://example.test', database: 'FREIGHT', schema: 'WAGONS' },
          status: 'active',
          location: 'FREIGHT.WAGONS',
          autoApprove: false,
          containsPii: false,
          dataContractId: 'urn:datacontract:freight:wagons_v1',
          ...NOTHING,
        },
      ],
      ...NOTHING,
    },
  ],
  access: [
    {
      dataUsageAgreementSpecification: '0.0.1',
      id: 'urn:access:coaches:wagons',
      info: { purpose: 'Loads of the week', startDate: '2026-01-01' },
      provider: {
        teamId: 'freight',
        dataProductId: 'urn:dataproduct:freight:wagons',
        outputPortId: 'wagons_v1',
      },
      consumer: { teamId: 'coaches' },
      ...NOTHING,
    },
  ],
}
