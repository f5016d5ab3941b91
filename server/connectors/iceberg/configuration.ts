import { z } from 'zod'
import type { FieldTexts } from '../fields.ts'
import { httpAddress, isSafeTokenEndpoint } from '../http/address.ts'

/** The authentication that needs the fields of OAuth 2. */
export const WITH_OAUTH2 = { name: 'authentication', values: ['oauth2'] }

/** The address of an Iceberg REST catalog and its authentication, without secrets. */
export const icebergConfiguration = z
  .strictObject({
    /** The catalog's address, to which `/v1/config` is added. */
    uri: httpAddress.meta({
      title: 'Catalog URL',
      description: 'Without /v1, which is added.',
      examples: ['https://catalog.example.com/iceberg'],
    } satisfies FieldTexts),
    /** The warehouse in the catalog; catalogs with one warehouse need none. */
    warehouse: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .meta({
        title: 'Warehouse',
        description: 'Required if the catalog has several.',
      } satisfies FieldTexts),
    authentication: z
      .enum(['none', 'token', 'oauth2'])
      .default('none')
      .meta({
        title: 'Authentication',
        choices: { none: 'None', token: 'Token', oauth2: 'Client id and secret (OAuth 2)' },
      } satisfies FieldTexts),
    /** OAuth2 client credentials. */
    clientId: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .meta({ title: 'Client id', isNeeded: true, onlyWith: WITH_OAUTH2 } satisfies FieldTexts),
    scope: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .meta({ title: 'Scope', isRare: true, onlyWith: WITH_OAUTH2 } satisfies FieldTexts),
    tokenEndpoint: httpAddress.optional().meta({
      isRare: true,
      title: 'Token endpoint',
      description: 'Leave empty to use the one of the catalog.',
      onlyWith: WITH_OAUTH2,
    } satisfies FieldTexts),
    includeViews: z.boolean().default(true).meta({ title: 'Include views' }),
  })
  .superRefine((given, context) => {
    if (given.authentication === 'oauth2' && given.clientId === undefined) {
      context.addIssue({ code: 'custom', path: ['clientId'], message: 'is needed for oauth2' })
    }
    if (given.tokenEndpoint !== undefined && !isSafeTokenEndpoint(given.tokenEndpoint, given.uri)) {
      const message = 'must use https, or the same host and port as uri'
      context.addIssue({ code: 'custom', path: ['tokenEndpoint'], message })
    }
  })

/** A configuration, parsed. */
export type IcebergConfiguration = z.infer<typeof icebergConfiguration>
