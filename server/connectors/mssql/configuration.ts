import { z } from 'zod'
import type { Setup } from '../connector.ts'
import {
  createCaField,
  createChoiceField,
  createConfiguration,
  createFlagField,
  createPortField,
  createTlsField,
  createUserField,
  host,
  includeViews,
  statementTimeoutMs,
  TLS_TITLES,
  USER_TEXTS,
  type FieldTexts,
} from '../fields.ts'
import { httpAddress } from '../http/address.ts'

/** The levels of a native path. */
export const LEVELS = ['database', 'schema', 'table'] as const

const SYSTEM_DATABASES = /^(?:master|tempdb|model|msdb|SSISDB|distribution|ReportServer.*)$/i
// The schemas of the fixed roles exist for compatibility and are empty.
const SYSTEM_SCHEMAS =
  /^(?:sys|INFORMATION_SCHEMA|guest|cdc|queryinsights|db_(?:owner|accessadmin|securityadmin|ddladmin|backupoperator|datareader|datawriter|denydatareader|denydatawriter))$/i

/** Names that belong to the platform. */
export const systemNames = {
  database: (name: string): boolean => SYSTEM_DATABASES.test(name),
  schema: (name: string): boolean => SYSTEM_SCHEMAS.test(name),
  // The table in which design tools store diagrams.
  table: (name: string): boolean => name === 'sysdiagrams',
}

/** The authentication with a user of the server. */
export const WITH_LOGIN = { name: 'authentication', values: ['sql'] }
/** The authentication with an application of Microsoft Entra ID. */
export const WITH_ENTRA = { name: 'authentication', values: ['entra'] }
/** The mode that verifies the certificate of the server. */
const VERIFIED = { name: 'encryption', values: ['verify'] }

const PORT = 1433
const databaseName = z.string().min(1).max(128)
const shortText = z.string().min(1).max(200)
// It becomes a part of the path of the token endpoint.
const tenantId = z.string().regex(/^[A-Za-z0-9.-]{1,200}$/, 'must be a tenant id or a domain name')
const tokenEndpoint = httpAddress
  .refine((url) => url.startsWith('https:'), 'must use https')
  .optional()

const ENTRA_TEXTS = {
  tenantId: {
    title: 'Tenant id',
    description: 'The directory of the application in Microsoft Entra ID.',
    examples: ['01234567-89ab-cdef-0123-456789abcdef'],
  },
  clientId: { title: 'Client id', description: 'The application that reads.' },
  tokenEndpoint: {
    isRare: true,
    title: 'Token endpoint',
    description: 'Leave empty to use the one of the tenant in Microsoft Entra ID.',
  },
} satisfies Record<string, FieldTexts>

/** The settings of a SQL Server, without secrets and filters. */
export const mssqlConfiguration = createConfiguration({
  host,
  port: createPortField(PORT, {
    description: 'Enter the port of a named instance; its name is not resolved.',
  }),
  database: databaseName.optional().meta({
    title: 'First database',
    description:
      'Needed if the user may open only one database, as on Azure SQL. Other databases are read too; exclude them with filters.',
    examples: ['sales'],
  } satisfies FieldTexts),
  authentication: createChoiceField(
    'sql',
    { sql: 'SQL login', entra: 'Service principal of Microsoft Entra ID' },
    { title: 'Authentication' },
  ),
  user: createUserField(128)
    .optional()
    .meta({ ...USER_TEXTS, isNeeded: true, onlyWith: WITH_LOGIN }),
  tenantId: tenantId
    .optional()
    .meta({ ...ENTRA_TEXTS.tenantId, isNeeded: true, onlyWith: WITH_ENTRA }),
  clientId: shortText
    .optional()
    .meta({ ...ENTRA_TEXTS.clientId, isNeeded: true, onlyWith: WITH_ENTRA }),
  tokenEndpoint: tokenEndpoint.meta({ ...ENTRA_TEXTS.tokenEndpoint, onlyWith: WITH_ENTRA }),
  /** `require` encrypts without a check of the certificate. */
  encryption: createTlsField('verify', {
    off: TLS_TITLES.off,
    require: TLS_TITLES.require,
    verify: TLS_TITLES.verifyFull,
  }),
  ca: createCaField(VERIFIED),
  includeViews,
  readsReplica: createFlagField(false, {
    isRare: true,
    title: 'Read from a secondary replica',
    description: 'Connects with the application intent ReadOnly.',
  }),
  statementTimeoutMs,
}).superRefine(({ authentication, encryption }, context) => {
  if (authentication !== 'entra' || encryption !== 'off') return
  const message = 'must not be off for entra: the token would be sent in clear text'
  context.addIssue({ code: 'custom', path: ['encryption'], message })
})

/** The settings of a workspace of Microsoft Fabric, without secrets and filters. */
export const fabricConfiguration = z.strictObject({
  host: host.meta({
    title: 'SQL connection string',
    description: 'The host name in the settings of a warehouse or SQL analytics endpoint.',
    examples: ['abc123.datawarehouse.fabric.microsoft.com'],
  } satisfies FieldTexts),
  port: createPortField(PORT, { isRare: true }),
  database: databaseName.meta({
    title: 'First warehouse or lakehouse',
    description:
      'The others of the workspace are read too if the application may open them; exclude them with filters.',
    examples: ['SalesWarehouse'],
  } satisfies FieldTexts),
  tenantId: tenantId.meta(ENTRA_TEXTS.tenantId),
  clientId: shortText.meta(ENTRA_TEXTS.clientId),
  tokenEndpoint: tokenEndpoint.meta(ENTRA_TEXTS.tokenEndpoint),
  includeViews,
  statementTimeoutMs,
})

/** The application that requests tokens from Microsoft Entra ID. */
export interface EntraApplication {
  tenantId: string
  clientId: string
  tokenEndpoint?: string | undefined
}

/** The parsed settings of both platforms. */
interface TdsConfiguration {
  host: string
  port: number
  /** The database of the first connection; undefined = the default one of the user. */
  database: string | undefined
  /** The user of the server; undefined with an application. */
  user: string | undefined
  entra: EntraApplication | undefined
  encryption: 'off' | 'require' | 'verify'
  ca: string | undefined
  includeViews: boolean
  readsReplica: boolean
  statementTimeoutMs: number
}

/** A connector's set-up with the parsed configuration. */
export interface TdsSetup {
  setup: Setup
  configuration: TdsConfiguration
  /** `db.example:1433`, for messages. */
  address: string
  /** The name of the user or application, for messages. */
  account: string
  platform: 'SQL Server' | 'Microsoft Fabric'
}

/** Parses the configuration of a SQL Server. Errors: ZodError if it was never validated. */
export function readMssqlSetup(setup: Setup): TdsSetup {
  const parsed = mssqlConfiguration.parse(setup.configuration)
  const { authentication, user, tenantId = '', clientId = '', tokenEndpoint: endpoint } = parsed
  const isEntra = authentication === 'entra'
  return {
    setup,
    configuration: {
      ...parsed,
      database: parsed.database,
      user: isEntra ? undefined : user,
      entra: isEntra ? { tenantId, clientId, tokenEndpoint: endpoint } : undefined,
      ca: parsed.encryption === 'verify' ? parsed.ca : undefined,
    },
    address: `${parsed.host}:${parsed.port}`,
    account: isEntra ? clientId : (user ?? ''),
    platform: 'SQL Server',
  }
}

/** Parses the configuration of a Fabric workspace. Errors: ZodError if it was never validated. */
export function readFabricSetup(setup: Setup): TdsSetup {
  const parsed = fabricConfiguration.parse(setup.configuration)
  const { tenantId, clientId, tokenEndpoint: endpoint, ...more } = parsed
  return {
    setup,
    configuration: {
      ...more,
      user: undefined,
      entra: { tenantId, clientId, tokenEndpoint: endpoint },
      encryption: 'verify',
      ca: undefined,
      readsReplica: false,
    },
    address: `${parsed.host}:${parsed.port}`,
    account: clientId,
    platform: 'Microsoft Fabric',
  }
}
