import { z } from 'zod'
import {
  createChoiceField,
  createConfiguration,
  createFlagField,
  includeViews,
  type FieldTexts,
} from '../fields.ts'
import { httpAddress, toUrl } from '../http/address.ts'

/** The authentication that assumes a role. */
const WITH_ROLE = { name: 'authentication', values: ['role'] }

/** The services of AWS that are called, by the names in their host names and signatures. */
export type AwsServiceName = 'glue' | 'lakeformation' | 'sts'

function getEndpointTexts(title: string, service: AwsServiceName): FieldTexts {
  return {
    isRare: true,
    title,
    description: 'Leave empty to use the public endpoint of the region.',
    examples: [`https://vpce-0123.${service}.eu-central-1.vpce.amazonaws.com`],
  }
}

/** The account, the region and the authentication, without secrets. */
export const glueConfiguration = createConfiguration({
  region: z
    .string()
    // The region is a part of host names.
    .regex(/^[a-z]{2}(?:-[a-z]{1,20}){1,3}-\d{1,2}$/, 'must be a region such as eu-central-1')
    .meta({ title: 'Region', examples: ['eu-central-1'] } satisfies FieldTexts),
  catalogId: z
    .string()
    .regex(/^\d{12}$/, 'must be an account id of 12 digits')
    .meta({
      title: 'Account id',
      description: 'The account whose Data Catalog is read. It may differ from that of the key.',
      examples: ['123456789012'],
    } satisfies FieldTexts),
  authentication: createChoiceField(
    'key',
    { key: 'Access key', role: 'Access key that assumes a role' },
    { title: 'Authentication' },
  ),
  accessKeyId: z
    .string()
    .regex(/^\w{1,128}$/, 'must be an access key id')
    .meta({
      title: 'Access key id',
      description: 'Use a separate user or role with read-only access to the Data Catalog.',
      examples: ['AKIAIOSFODNN7EXAMPLE'],
    } satisfies FieldTexts),
  roleArn: z
    .string()
    .regex(
      /^arn:aws[a-z-]{0,20}:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
      'must be the ARN of a role',
    )
    .optional()
    .meta({
      title: 'Role',
      description: 'Its ARN. The access key must be allowed to assume it.',
      examples: ['arn:aws:iam::123456789012:role/portbook'],
      isNeeded: true,
      onlyWith: WITH_ROLE,
    } satisfies FieldTexts),
  externalId: z
    .string()
    .regex(/^[\w+=,.@:/-]{2,1224}$/, 'must be an external id')
    .optional()
    .meta({
      title: 'External id',
      description: 'If the trust policy of the role requires one.',
      onlyWith: WITH_ROLE,
    } satisfies FieldTexts),
  includeViews,
  includeTags: createFlagField(false, {
    title: 'Include tags of Lake Formation',
    description: 'Requires one request per table, so that runs take longer.',
  }),
  resourceLinks: createChoiceField(
    'skip',
    { skip: 'Leave out', follow: 'Read the linked tables' },
    { title: 'Resource links', description: 'Links to databases and tables of other accounts.' },
  ),
  endpoint: httpAddress.optional().meta({ ...getEndpointTexts('Endpoint of AWS Glue', 'glue') }),
  lakeFormationEndpoint: httpAddress
    .optional()
    .meta({ ...getEndpointTexts('Endpoint of Lake Formation', 'lakeformation') }),
  stsEndpoint: httpAddress
    .optional()
    .meta({ ...getEndpointTexts('Endpoint of AWS STS', 'sts'), onlyWith: WITH_ROLE }),
})

/** A configuration, parsed. */
export type GlueConfiguration = z.infer<typeof glueConfiguration>

/**
 * Returns the address of a service: the configured one, or the public endpoint of the region. Lake Formation has one for each
 * operation.
 */
export function getEndpoint(
  configuration: GlueConfiguration,
  service: AwsServiceName,
  operation = '',
): URL {
  const { region } = configuration
  const configured = {
    glue: configuration.endpoint,
    lakeformation: configuration.lakeFormationEndpoint,
    sts: configuration.stsEndpoint,
  }[service]
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return toUrl(configured ?? `https://${service}.${region}.${domain}`, operation)
}

/**
 * Returns the statement of a policy that allows the requests of a run, as JSON; with tags, the list of
 * two statements.
 */
export function writePolicyStatement({
  region,
  catalogId,
  includeTags,
}: GlueConfiguration): string {
  const arn = `${getPartition(region)}:glue:${region}:${catalogId}`
  const statement = {
    Effect: 'Allow',
    Action: ['glue:GetDatabases', 'glue:GetTables', 'glue:GetTable'],
    Resource: [`${arn}:catalog`, `${arn}:database/*`, `${arn}:table/*/*`],
  }
  if (!includeTags) return JSON.stringify(statement)
  // Lake Formation has no resources in policies.
  const tags = { Effect: 'Allow', Action: 'lakeformation:GetResourceLFTags', Resource: '*' }
  return JSON.stringify([statement, tags])
}

function getPartition(region: string): string {
  if (region.startsWith('cn-')) return 'arn:aws-cn'
  return region.startsWith('us-gov-') ? 'arn:aws-us-gov' : 'arn:aws'
}
