import type { ObjectValue } from '../formats/text/value.ts'

const authoritativeDefinitions = [{ url: 'https://example.com/a', type: 'tutorial' }]

/** A document of ODCS 2.2 with every field. */
export const FULL_ODCS_2: ObjectValue = {
  version: '1.0.0',
  kind: 'DataContract',
  apiVersion: 'v2.2.2',
  uuid: 'full',
  type: 'tables',
  status: 'current',
  datasetName: 'n',
  quantumName: 'Full',
  tags: ['t'],
  description: { usage: 'u', purpose: 'p', limitations: 'l' },
  dataset: [
    {
      table: 'orders',
      physicalName: 'ORDERS',
      description: 'd',
      authoritativeDefinitions,
      columns: [
        {
          column: 'id',
          logicalType: 'integer',
          physicalType: 'bigint',
          isPrimaryKey: true,
          primaryKeyPosition: 1,
          isNullable: false,
          isUnique: true,
          clusterStatus: true,
          clusterKeyPosition: 1,
          transformSourceTables: ['a'],
          sampleValues: ['1'],
          criticalDataElementStatus: true,
          authoritativeDefinitions,
          tags: ['t'],
        },
      ],
      quality: [
        {
          templateName: 't',
          toolName: 'n',
          customProperties: [{ property: 'a', value: { b: 1 } }],
        },
      ],
    },
  ],
  price: { priceAmount: 1, priceCurrency: 'EUR', priceUnit: 'u' },
  stakeholders: [{ username: 'u', role: 'r', dateIn: 'd', dateOut: 'd' }],
  roles: [{ role: 'r', access: 'a', firstLevelApprovers: 'f' }],
  slaProperties: [{ property: 'p', value: 'v', valueExt: 1, unit: 'u', column: 'c', driver: 'd' }],
}
