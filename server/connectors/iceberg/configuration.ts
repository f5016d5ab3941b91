import { z } from 'zod'
import {
  createChoiceField,
  createConfiguration,
  createFlagField,
  type FieldTexts,
} from '../fields.ts'
import { checkTokenEndpoint, httpAddress } from '../http/address.ts'

/** The authentication that needs the fields of OAuth 2. */
export const WITH_OAUTH2 = { name: 'authentication', values: ['oauth2'] }

const shortText = z.string().min(1).max(1000)

/** The address of an Iceberg REST catalog and its authentication, without secrets. */
export const icebergConfiguration = createConfiguration({
  /** The catalog's address, to which `/v1/config` is added. */
  uri: httpAddress.meta({
    title: 'Catalog URL',
    description: 'Without /v1, which is added.',
    examples: ['https://catalog.example.com/iceberg'],
  } satisfies FieldTexts),
  /** The warehouse in the catalog; catalogs with one warehouse need none. */
  warehouse: shortText.optional().meta({
    title: 'Warehouse',
    description: 'Required if the catalog has several.',
  } satisfies FieldTexts),
  authentication: createChoiceField(
    'none',
    { none: 'None', token: 'Token', oauth2: 'Client id and secret (OAuth 2)' },
    { title: 'Authentication' },
  ),
  /** OAuth2 client credentials. */
  clientId: shortText
    .optional()
    .meta({ title: 'Client id', isNeeded: true, onlyWith: WITH_OAUTH2 } satisfies FieldTexts),
  scope: shortText
    .optional()
    .meta({ title: 'Scope', isRare: true, onlyWith: WITH_OAUTH2 } satisfies FieldTexts),
  tokenEndpoint: httpAddress.optional().meta({
    isRare: true,
    title: 'Token endpoint',
    description: 'Leave empty to use the one of the catalog.',
    onlyWith: WITH_OAUTH2,
  } satisfies FieldTexts),
  includeViews: createFlagField(true, { title: 'Include views' }),
}).superRefine(checkTokenEndpoint('uri', ({ uri }) => uri))

/** A configuration, parsed. */
export type IcebergConfiguration = z.infer<typeof icebergConfiguration>
