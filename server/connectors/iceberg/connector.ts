import type { Connector } from '../connector.ts'
import { checkSource } from './checking.ts'
import { icebergConfiguration } from './configuration.ts'
import { isBelow } from './listing.ts'
import { namespaceParts } from './namespace-name.ts'
import { openSession } from './session.ts'

/** Connector for any catalog with the REST protocol of Apache Iceberg. */
export const iceberg: Connector = {
  source: 'iceberg',
  description: {
    title: 'Iceberg REST catalog',
    configuration: icebergConfiguration,
    secrets: [
      { name: 'token', title: 'Token', required: false, multiline: false },
      { name: 'clientSecret', title: 'Client secret', required: false, multiline: false },
    ],
    connectionFields: ['uri', 'warehouse', 'authentication', 'clientId', 'tokenEndpoint'],
    levels: ['namespace', 'table'],
    scopeLevel: 'namespace',
    systemNames: {},
    assetKinds: ['namespace', 'table', 'view'],
    kindsLeftOut: ({ includeViews }) => (includeViews === false ? ['view'] : []),
    isWithin: ([name = ''], [hiddenName = '']) =>
      isBelow(namespaceParts(name) ?? [], namespaceParts(hiddenName) ?? []),
    // The standard has servers for the engines that read such tables, but not for the catalog.
    serverType: undefined,
  },
  check: checkSource,
  open: openSession,
}
