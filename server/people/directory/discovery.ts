import { BODY_BYTES_MAX, COUNT_MAX, GROUP_SCHEMA, USER_SCHEMA } from './scim.ts'
import type { ScimAttribute } from './discovery-schema.ts'
import { DIRECTORY_PATH } from '../../requests/access/directory-caller.ts'

// What SCIM clients read about a service: RFC 7643, sections 5 to 7.

const SERVICE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

/** A part of what the service describes, with its id. */
interface Description extends Record<string, unknown> {
  id?: string
}

/** Returns what the service supports. */
export function describeService(baseUrl: string): Description {
  return {
    schemas: [SERVICE_SCHEMA],
    documentationUri: `${baseUrl}/guides/provisioning`,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: BODY_BYTES_MAX },
    filter: { supported: true, maxResults: COUNT_MAX },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        name: 'Bearer token',
        description: 'A key of the directory, which owners create under Settings, Directory',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        type: 'oauthbearertoken',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: toAddress(baseUrl, 'ServiceProviderConfig'),
    },
  }
}

/** Returns the types of resources. */
export function listResourceTypes(baseUrl: string): Description[] {
  const type = (
    id: string,
    endpoint: string,
    schema: string,
    description: string,
  ): Description => ({
    schemas: [TYPE_SCHEMA],
    id,
    name: id,
    endpoint,
    description,
    schema,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: toAddress(baseUrl, `ResourceTypes/${id}`) },
  })
  return [
    type('User', '/Users', USER_SCHEMA, 'A member of the organization'),
    type('Group', '/Groups', GROUP_SCHEMA, 'A group of members, which can be mapped to roles'),
  ]
}

/** Returns the schemas of the resources. */
export function listSchemas(baseUrl: string): Description[] {
  const schema = (
    id: string,
    name: string,
    description: string,
    attributes: ScimAttribute[],
  ): Description => ({
    schemas: [SCHEMA_SCHEMA],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: toAddress(baseUrl, `Schemas/${id}`) },
  })
  return [
    schema(USER_SCHEMA, 'User', 'A member of the organization', USER_ATTRIBUTES),
    schema(GROUP_SCHEMA, 'Group', 'A group of members', GROUP_ATTRIBUTES),
  ]
}

function newAttribute(
  name: string,
  description: string,
  more: Partial<ScimAttribute> = {},
): ScimAttribute {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...more,
  }
}

const USER_ATTRIBUTES: ScimAttribute[] = [
  newAttribute('userName', 'The name of the person in the directory', {
    required: true,
    uniqueness: 'server',
  }),
  newAttribute('name', 'The parts of the name', {
    type: 'complex',
    subAttributes: [
      newAttribute('formatted', 'The full name, which is the display name'),
      newAttribute('givenName', 'The given name'),
      newAttribute('familyName', 'The family name'),
    ],
  }),
  newAttribute('displayName', 'The name that Portbook shows'),
  newAttribute('emails', 'The address of the account: the primary one, or the one for work', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      newAttribute('value', 'The address'),
      newAttribute('type', 'The kind of address', { canonicalValues: ['work'] }),
      newAttribute('primary', 'Whether it is the address of the account', { type: 'boolean' }),
    ],
  }),
  newAttribute('active', 'False = the member is suspended in this organization', {
    type: 'boolean',
  }),
]

const GROUP_ATTRIBUTES: ScimAttribute[] = [
  newAttribute('displayName', 'The name of the group', { required: true, uniqueness: 'server' }),
  newAttribute('members', 'The people in the group', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      newAttribute('value', 'The id of the user', { caseExact: true, mutability: 'immutable' }),
      newAttribute('display', 'The name of the person', { mutability: 'readOnly' }),
      newAttribute('type', 'The kind of member', {
        mutability: 'immutable',
        canonicalValues: ['User'],
      }),
      newAttribute('$ref', 'The address of the user', {
        type: 'reference',
        caseExact: true,
        mutability: 'immutable',
        referenceTypes: ['User'],
      }),
    ],
  }),
]

function toAddress(baseUrl: string, path: string): string {
  return `${baseUrl}${DIRECTORY_PATH}/${path}`
}
