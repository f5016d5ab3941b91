import type { Connector } from '../connector.ts'
import { leaveOutViews, newSecret } from '../description.ts'
import { glueConfiguration } from './configuration.ts'

/** Connector for the Data Catalog of AWS Glue, which Athena, EMR and Redshift Spectrum share. */
export const glue: Connector = {
  source: 'glue',
  description: {
    title: 'AWS Glue',
    summary:
      'The Data Catalog of one account and region. Reads databases, tables and views with nested columns and partitions; tags of Lake Formation on request.',
    configuration: glueConfiguration,
    secrets: [
      newSecret('secretAccessKey', 'Secret access key', { required: true }),
      newSecret('sessionToken', 'Session token', { isRare: true }),
    ],
    connectionFields: [
      'region',
      'catalogId',
      'authentication',
      'accessKeyId',
      'roleArn',
      'externalId',
      'endpoint',
      'lakeFormationEndpoint',
      'stsEndpoint',
    ],
    nameFields: ['catalogId'],
    levels: ['database', 'table'],
    scopeLevel: 'database',
    systemNames: {},
    assetKinds: ['database', 'table', 'external_table', 'view'],
    hidesTables: true,
    grants: {
      gates: [],
      delayHours: 0,
      right:
        'The account must be an administrator of the data lake, or a read-only one, and be allowed lakeformation:ListPermissions and lakeformation:GetDataLakeSettings.',
      limit: 'Access by policies of IAM and of the storage is not visible.',
    },
    kindsLeftOut: leaveOutViews,
    guide: 'aws-glue',
    serverType: 'glue',
  },
  check: async (setup) => await (await import('./checking.ts')).checkSource(setup),
  open: async (setup) => await (await import('./session.ts')).openSession(setup),
}
