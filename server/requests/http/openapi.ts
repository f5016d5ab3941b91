import { STATUS_CODES } from 'node:http'
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { PERMISSIONS } from '../access/permission.ts'
import { ERROR_CODES } from '../../platform/error-codes.ts'
import type { Described, DescribedAnswer, Route } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './path.ts'
import { isScimPath, SCIM_MEDIA_TYPE, scimError } from './scim-problem.ts'

const violation = z.object({
  field: z.string().openapi({ description: 'Dotted: `outputPorts[2].name`' }),
  message: z.string(),
  line: z.int().min(1).optional(),
  column: z.int().min(1).optional(),
})

const namedTeam = z.object({ id: z.string(), name: z.string() })

const unknownTeam = z
  .object({
    id: z.string(),
    field: z.string().openapi({ description: 'The field that names it, as in `violations`' }),
    suggestions: signedInOnly(z.array(namedTeam).max(3)),
  })
  .openapi({ description: 'A team that the request names and that does not exist' })

const namedUse = z
  .object({
    kind: z.string().openapi({ description: 'A kind of document, `access` or `integration`' }),
    id: z.string(),
    name: z.string().openapi({ description: 'Of an access agreement, that of the other party' }),
    port: z.string().optional().openapi({ description: 'The output port that is concerned' }),
    relation: z.string().openapi({
      description: 'A clause after the name: `has access to output port orders`',
    }),
  })
  .openapi('NamedUse')

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z
      .enum(ERROR_CODES)
      .openapi({ description: 'The code of the error, for programs; see docs/errors.md' }),
    violations: z.array(violation).optional(),
    permission: z
      .enum(PERMISSIONS)
      .optional()
      .openapi({ description: 'With `permission_missing`: the permission that the caller lacks' }),
    team: z
      .object({ id: z.string(), name: signedInOnly(z.string()) })
      .nullable()
      .optional()
      .openapi({
        description:
          'With `permission_missing`: the team on which it is missing; null = only owners of the organization have it',
      }),
    roles: signedInOnly(z.array(z.string()).max(3)),
    people: signedInOnly(z.array(z.object({ name: z.string() })).max(3)),
    precondition: z.enum(['exists', 'changed', 'missing']).optional().openapi({
      description: 'With `precondition_failed`: the state of the resource that made it fail',
    }),
    unknownTeam: unknownTeam.optional(),
    uses: z.array(namedUse).max(50).optional().openapi({
      description: 'With `in_use`: the first uses that are visible to the caller',
    }),
    useCount: z.int().optional().openapi({ description: 'With `in_use`: the number of all uses' }),
    hiddenUseCount: z.int().optional().openapi({
      description: 'With `in_use`: the number of those that are not visible to the caller',
    }),
    advice: z.string().optional().openapi({ description: 'With `in_use`: what to do first' }),
    readers: z.array(namedUse).max(50).optional().openapi({
      description: 'With `in_use` of a dry run: the data products, teams and people that read it',
    }),
  })
  .openapi('Problem', { description: 'An error in the form of RFC 9457.' })

/** Marks a member of an error that names people or teams. Answers to API keys do not have it. */
function signedInOnly<T extends z.ZodType>(schema: T) {
  return schema.optional().openapi({ description: 'Only for members who are signed in' })
}

const PROBLEM_MEDIA_TYPE = 'application/problem+json'

/** The descriptions of the errors that most endpoints share. */
const ERROR_DESCRIPTIONS = {
  400: 'The path, the query or the text of the body is malformed',
  401: 'The key is missing, unknown or expired',
  403: 'The caller lacks the permission',
  404: 'Not found, or not visible to the caller',
  408: 'The body took too long to arrive',
  412: 'If-Match or If-None-Match does not hold',
  413: 'The body is too large',
  415: 'The media type of the body is not supported',
  422: 'The body is well-formed but invalid',
  429: 'The key has used up its requests of this minute, or has too many at once',
  503: 'The database or this process is overloaded or unavailable',
} as const

// OpenAPI 3.1 has an identifier, and some generators require it.
const LICENSE = { name: 'Apache License 2.0', identifier: 'Apache-2.0' }

/** Creates the OpenAPI 3.1 document of the routes that serve the requests. */
export function openApiDocument(routes: readonly Route[], version: string): object {
  const registry = new OpenAPIHono()
  registry.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
  })
  registry.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
  })
  registry.openAPIRegistry.register('Problem', problem)
  for (const [status, description] of Object.entries(ERROR_DESCRIPTIONS)) {
    registry.openAPIRegistry.registerComponent('responses', getResponseName(status), {
      description,
      content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
    })
  }
  for (const route of routes) registerRoute(registry, route)
  const described = registry.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Portbook',
      version,
      description: 'Data product catalog for data meshes.',
      license: LICENSE,
    },
    security: [{ key: [] }, { bearer: [] }],
  })
  const document: object = JSON.parse(JSON.stringify(described), withIntegerFormat)
  return document
}

/**
 * Gives an integer 64 bits. Without a format, generated clients of some languages read 32 bits, and fail on the size of
 * a large table.
 */
function withIntegerFormat(_name: string, part: unknown): unknown {
  const isSchema = typeof part === 'object' && part !== null && 'type' in part
  if (!isSchema || ![part.type].flat().includes('integer')) return part
  return { ...part, format: 'int64' }
}

const METHODS = {
  GET: 'get',
  PUT: 'put',
  POST: 'post',
  PATCH: 'patch',
  DELETE: 'delete',
} as const

function registerRoute(registry: OpenAPIHono, route: Route): void {
  const { method, path, described } = route
  const { body, query } = described
  const params = listPathParameters(path)
  const parameters = z.object(
    Object.fromEntries(params.map((name) => [name, describeParameter(route, name)])),
  )
  const content = [...(body?.otherJsonTypes ?? []), ...(body?.mediaTypes ?? [])].map(
    (mediaType) => [mediaType, { schema: body?.schema }],
  )
  registry.openAPIRegistry.registerPath({
    method: METHODS[method],
    path,
    operationId: described.operation,
    summary: described.summary,
    description: [described.description, `Permission: ${permissionText(described)}.`]
      .filter(Boolean)
      .join('\n\n'),
    tags: [getTag(path)],
    ...withStability(described.stability),
    request: {
      ...(params.length > 0 ? { params: parameters } : {}),
      ...(query instanceof z.ZodObject ? { query } : {}),
      ...(body
        ? {
            body: {
              required: true,
              description: body.acceptsGzip
                ? `${body.description} It may be compressed with \`Content-Encoding: gzip\`.`
                : body.description,
              content: Object.fromEntries(content),
            },
          }
        : {}),
    },
    responses: Object.fromEntries(
      [...listCommonErrors(route), ...Object.entries(described.answers)].map(([status, answer]) => [
        status,
        toResponse(status, isScimPath(path) ? asScim(answer) : answer),
      ]),
    ),
  })
}

// The segment after `/api`, without the version that some clients require.
function getTag(path: string): string {
  const [, , first = 'api', second = first] = path.split('/')
  return first === 'v1' ? second : first
}

function describeParameter({ slashParameter, nameParameters }: Route, name: string): z.ZodType {
  if (nameParameters?.includes(name) === true) {
    const description = 'A name in the document, of any characters; a slash is written as %2F.'
    return z.string().min(1).max(NAME_CHARACTERS_MAX).openapi({ description })
  }
  const parameter = z.string().min(1).max(256)
  if (name !== slashParameter) return parameter
  const description =
    'May have slashes, raw or as %2F. If the last part is also the end of another address, such as versions, write the slash before it as %2F.'
  return parameter.openapi({ description })
}

function listPathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Lists the errors that every endpoint of its kind can return and that it does not describe itself. */
function listCommonErrors({
  path,
  described: { body, answers },
}: Route): [string, DescribedAnswer][] {
  const statuses: (keyof typeof ERROR_DESCRIPTIONS)[] = [400, 401, 403, 429, 503]
  if (listPathParameters(path).length > 0) statuses.push(404)
  if (body !== undefined) statuses.push(408, 413, 415, 422)
  return statuses
    .filter((status) => answers[status] === undefined)
    .map((status) => [String(status), commonError(status)])
}

/** Describes an error that many endpoints share. */
export function commonError(status: keyof typeof ERROR_DESCRIPTIONS): DescribedAnswer {
  return describeError(ERROR_DESCRIPTIONS[status])
}

/** Describes an error of one endpoint. */
export function describeError(description: string): DescribedAnswer {
  return { description, mediaTypes: [PROBLEM_MEDIA_TYPE], schema: problem }
}

// Every error below the path of directories has the form of SCIM.
function asScim(answer: DescribedAnswer): DescribedAnswer {
  if (answer.schema !== problem) return answer
  return { ...answer, mediaTypes: [SCIM_MEDIA_TYPE], schema: scimError }
}

function toResponse(
  status: string,
  {
    description,
    mediaTypes,
    schema,
    otherSchemas = {},
    draftMediaTypes = [],
    headers,
  }: DescribedAnswer,
) {
  if (schema === problem && Object.values<string>(ERROR_DESCRIPTIONS).includes(description)) {
    return { $ref: `#/components/responses/${getResponseName(status)}` }
  }
  const types = schema === undefined ? [] : (mediaTypes ?? ['application/json'])
  const content = [
    ...types.map((type) => [type, schema] as const),
    ...Object.entries(otherSchemas),
  ].map(([type, one]) => {
    const stability = draftMediaTypes.includes(type) ? 'draft' : undefined
    return [type, { schema: one, ...withStability(stability) }]
  })
  const described = Object.entries(headers ?? {}).map(([name, meaning]) => [
    name,
    { description: meaning, schema: { type: 'string' } },
  ])
  return {
    description,
    ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
    ...(described.length > 0 ? { headers: Object.fromEntries(described) } : {}),
  }
}

// Marks what follows a standard that is not final; it changes when the standard does.
function withStability(stability: 'draft' | undefined): { 'x-stability'?: 'draft' } {
  return stability === undefined ? {} : { 'x-stability': stability }
}

/** Returns the name of a shared response: `NotFound`. */
function getResponseName(status: string): string {
  return (STATUS_CODES[status] ?? status).replaceAll(/[^A-Za-z]/g, '')
}

function permissionText({ permission: rule, limitedKey }: Described<unknown>): string {
  if (typeof rule !== 'string') return `${rule.needs.join(' or ')} on ${rule.on}`
  if (limitedKey === undefined || limitedKey === 'none') return rule
  return `${rule}; one that is limited needs ${limitedKey.join(' or ')}`
}
