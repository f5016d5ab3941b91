import { z } from 'zod'
import {
  createChoiceField,
  createConfiguration,
  createFlagField,
  includeViews,
  type FieldTexts,
} from '../fields.ts'
import { checkTokenEndpoint, httpAddress } from '../http/address.ts'

/** The authentications that need a client id. */
export const WITH_CLIENT = { name: 'authentication', values: ['oauth', 'entra'] }

const shortText = z.string().min(1).max(1000)

/** The workspace or server to read and its authentication, without secrets. */
export const databricksConfiguration = createConfiguration({
  url: httpAddress.meta({
    title: 'Workspace URL',
    description: 'Or the address of an open-source Unity Catalog server.',
    examples: ['https://dbc-a1b2345c-d6e7.cloud.databricks.com'],
  } satisfies FieldTexts),
  authentication: createChoiceField(
    'oauth',
    {
      oauth: 'Service principal (OAuth)',
      token: 'Personal access token',
      entra: 'Service principal of Microsoft Entra ID',
      none: 'None (open-source server)',
    },
    { title: 'Authentication' },
  ),
  clientId: shortText
    .optional()
    .meta({ title: 'Client id', isNeeded: true, onlyWith: WITH_CLIENT } satisfies FieldTexts),
  tenantId: shortText.optional().meta({
    title: 'Tenant id',
    isNeeded: true,
    onlyWith: { name: 'authentication', values: ['entra'] },
  } satisfies FieldTexts),
  tokenEndpoint: httpAddress.optional().meta({
    isRare: true,
    title: 'Token endpoint',
    description: 'Leave empty to use the one of the workspace, or of Microsoft Entra ID.',
    onlyWith: WITH_CLIENT,
  } satisfies FieldTexts),
  warehouseId: z
    .string()
    .regex(/^[A-Za-z0-9]{1,64}$/, 'must be the id of a warehouse, not its name or path')
    .optional()
    .meta({
      title: 'SQL warehouse id',
      description: 'Keys and tags are only available through a SQL warehouse. Runs start it.',
      examples: ['1234567890abcdef'],
    } satisfies FieldTexts),
  includeViews,
  includeForeign: createFlagField(false, {
    isRare: true,
    title: 'Include foreign catalogs',
    description: 'Catalogs of other databases, connected by Lakehouse Federation.',
  }),
}).superRefine(checkTokenEndpoint('url', ({ url }) => url))

/** A configuration, parsed. */
export type DatabricksConfiguration = z.infer<typeof databricksConfiguration>

/** Catalogs and schemas that belong to the platform. */
export const systemNames = {
  catalog: (name: string) => /^(system|samples|hive_metastore|__databricks_internal)$/.test(name),
  schema: (name: string) => name === 'information_schema',
}
