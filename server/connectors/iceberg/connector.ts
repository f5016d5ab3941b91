import type { Connector } from '../connector.ts'
import { leaveOutViews, newSecret } from '../description.ts'
import { icebergConfiguration, WITH_OAUTH2 } from './configuration.ts'
import { isBelow } from './listing.ts'
import { namespaceParts } from './namespace-name.ts'

/** Connector for any catalog with the REST protocol of Apache Iceberg. */
export const iceberg: Connector = {
  source: 'iceberg',
  description: {
    title: 'Iceberg REST catalog',
    summary:
      'Any catalog with the Iceberg REST API. Reads namespaces, tables and views with their schemas.',
    configuration: icebergConfiguration,
    secrets: [
      newSecret('token', 'Token', {
        isNeeded: true,
        onlyWith: { name: 'authentication', values: ['token'] },
      }),
      newSecret('clientSecret', 'Client secret', { isNeeded: true, onlyWith: WITH_OAUTH2 }),
    ],
    connectionFields: ['uri', 'warehouse', 'authentication', 'clientId', 'tokenEndpoint'],
    nameFields: ['warehouse', 'uri'],
    levels: ['namespace', 'table'],
    scopeLevel: 'namespace',
    systemNames: {},
    assetKinds: ['namespace', 'table', 'view'],
    hidesTables: true,
    kindsLeftOut: leaveOutViews,
    isWithin: ([name = ''], [hiddenName = '']) =>
      isBelow(namespaceParts(name) ?? [], namespaceParts(hiddenName) ?? []),
    guide: 'iceberg',
    // The standard has servers for the engines that read such tables, but not for the catalog.
    serverType: undefined,
    readingVersion: 1,
  },
  check: async (setup) => await (await import('./checking.ts')).checkSource(setup),
  open: async (setup) => await (await import('./session.ts')).openSession(setup),
}
