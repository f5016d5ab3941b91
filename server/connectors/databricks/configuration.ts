import { z } from 'zod'
import { includeViews, type FieldTexts } from '../fields.ts'
import { httpAddress, isSafeTokenEndpoint } from '../http/address.ts'

/** The authentications that need a client id. */
export const WITH_CLIENT = { name: 'authentication', values: ['oauth', 'entra'] }

const shortText = z.string().min(1).max(1000)

/** The workspace or server to read and its authentication, without secrets. */
export const databricksConfiguration = z
  .strictObject({
    url: httpAddress.meta({
      title: 'Workspace URL',
      description: 'Or the address of an open-source Unity Catalog server.',
      examples: ['https://dbc-a1b2345c-d6e7.cloud.databricks.com'],
    } satisfies FieldTexts),
    authentication: z
      .enum(['oauth', 'token', 'entra', 'none'])
      .default('oauth')
      .meta({
        title: 'Authentication',
        choices: {
          oauth: 'Service principal (OAuth)',
          token: 'Personal access token',
          entra: 'Service principal of Microsoft Entra ID',
          none: 'None (open-source server)',
        },
      } satisfies FieldTexts),
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
    includeForeign: z
      .boolean()
      .default(false)
      .meta({
        isRare: true,
        title: 'Include foreign catalogs',
        description: 'Catalogs of other databases, connected by Lakehouse Federation.',
      } satisfies FieldTexts),
  })
  .superRefine(({ authentication, clientId, tenantId, tokenEndpoint, url }, context) => {
    const require = (field: string, value: string | undefined) => {
      if (value !== undefined) return
      context.addIssue({
        code: 'custom',
        path: [field],
        message: `is needed for ${authentication}`,
      })
    }
    if (WITH_CLIENT.values.includes(authentication)) require('clientId', clientId)
    if (authentication === 'entra') require('tenantId', tenantId)
    if (tokenEndpoint !== undefined && !isSafeTokenEndpoint(tokenEndpoint, url)) {
      const message = 'must use https, or the same host and port as url'
      context.addIssue({ code: 'custom', path: ['tokenEndpoint'], message })
    }
  })

/** A configuration, parsed. */
export type DatabricksConfiguration = z.infer<typeof databricksConfiguration>

/** Catalogs and schemas that belong to the platform. */
export const systemNames = {
  catalog: (name: string) => /^(system|samples|hive_metastore|__databricks_internal)$/.test(name),
  schema: (name: string) => name === 'information_schema',
}
