import { z } from 'zod'
import {
  createChoiceField,
  createConfiguration,
  createFlagField,
  includeViews,
  statementTimeoutMs,
  type FieldTexts,
} from '../fields.ts'
import { checkTokenEndpoint, httpAddress } from '../http/address.ts'
import { getAddress } from './account.ts'

/** The authentication with a key pair, which needs the user. */
export const WITH_KEY = { name: 'authentication', values: ['keyPair'] }
/** The authentication with a programmatic access token. */
export const WITH_TOKEN = { name: 'authentication', values: ['token'] }
/** The authentication with client credentials of an identity provider. */
export const WITH_CLIENT = { name: 'authentication', values: ['oauth'] }

const shortText = z.string().min(1).max(1000)
const identifier = z.string().min(1).max(260)

/** The account, the session and the authentication, without secrets. */
export const snowflakeConfiguration = createConfiguration({
  account: z
    .string()
    .max(255)
    // The account is a part of the host name.
    .regex(
      /^[A-Za-z0-9_-]{1,100}(\.[A-Za-z0-9_-]{1,63}){0,3}$/,
      'must be an account identifier such as myorg-account1, without https:// and the domain',
    )
    .meta({
      title: 'Account identifier',
      description: 'Organization and account, or the account locator with its region.',
      examples: ['myorg-account1', 'xy12345.eu-central-1'],
    } satisfies FieldTexts),
  authentication: createChoiceField(
    'keyPair',
    {
      keyPair: 'Key pair',
      token: 'Programmatic access token',
      oauth: 'Client credentials (External OAuth)',
    },
    { title: 'Authentication' },
  ),
  user: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      title: 'User',
      description: 'The login name of a user of type SERVICE with read-only access.',
      examples: ['PORTBOOK'],
      isNeeded: true,
      onlyWith: WITH_KEY,
    } satisfies FieldTexts),
  clientId: shortText
    .optional()
    .meta({ title: 'Client id', isNeeded: true, onlyWith: WITH_CLIENT } satisfies FieldTexts),
  tokenEndpoint: httpAddress.optional().meta({
    title: 'Token endpoint',
    description: 'The endpoint of the identity provider that issues the token.',
    isNeeded: true,
    onlyWith: WITH_CLIENT,
  } satisfies FieldTexts),
  scope: shortText.optional().meta({
    title: 'Scope',
    description: 'If the identity provider requires one.',
    examples: ['session:role:PORTBOOK'],
    onlyWith: WITH_CLIENT,
  } satisfies FieldTexts),
  accountLocator: z
    .string()
    .regex(/^\w{1,100}$/, 'must be an account locator such as XY12345')
    .optional()
    .meta({
      title: 'Account locator',
      description:
        'Needed if the account identifier names an organization: SELECT CURRENT_ACCOUNT() shows it.',
      examples: ['XY12345'],
      onlyWith: WITH_CLIENT,
    } satisfies FieldTexts),
  warehouse: identifier.optional().meta({
    title: 'Warehouse',
    description: 'An X-Small warehouse is enough. Leave empty to use the default of the user.',
    examples: ['PORTBOOK_WH'],
  } satisfies FieldTexts),
  role: identifier.optional().meta({
    title: 'Role',
    description: 'Leave empty to use the default role of the user.',
    examples: ['PORTBOOK'],
  } satisfies FieldTexts),
  includeViews,
  includeKeys: createFlagField(true, {
    isRare: true,
    title: 'Include keys',
    description: 'Primary, unique and foreign keys: three statements per database.',
  }),
  includeTags: createFlagField(false, {
    isRare: true,
    title: 'Include tags',
    description: 'Read from SNOWFLAKE.ACCOUNT_USAGE, where changes appear up to two hours later.',
  }),
  includeShared: createFlagField(false, {
    isRare: true,
    title: 'Include shared databases',
    description: 'Databases that other accounts share with this one.',
  }),
  readsFrom: createChoiceField(
    'information_schema',
    {
      information_schema: 'INFORMATION_SCHEMA of each database',
      account_usage: 'SNOWFLAKE.ACCOUNT_USAGE',
    },
    {
      isRare: true,
      title: 'Tables and columns are read from',
      description:
        'ACCOUNT_USAGE needs one statement per database and suits very large accounts. Changes appear there up to three hours later.',
    },
  ),
  queryTag: z
    .string()
    .min(1)
    .max(200)
    .default('portbook')
    .meta({
      isRare: true,
      title: 'Query tag',
      description: 'Identifies the statements in the query history.',
    } satisfies FieldTexts),
  statementTimeoutMs,
  url: httpAddress.optional().meta({
    isRare: true,
    title: 'Account URL',
    description: 'Leave empty to use the public address. Needed for PrivateLink.',
    examples: ['https://myorg-account1.privatelink.snowflakecomputing.com'],
  } satisfies FieldTexts),
}).superRefine(checkTokenEndpoint('url', getAddress))

/** A configuration, parsed. */
export type SnowflakeConfiguration = z.infer<typeof snowflakeConfiguration>

/** Databases and schemas that belong to the platform. */
export const systemNames = {
  database: (name: string) => /^(SNOWFLAKE|SNOWFLAKE_SAMPLE_DATA|USER\$.*)$/s.test(name),
  schema: (name: string) => name === 'INFORMATION_SCHEMA',
}
