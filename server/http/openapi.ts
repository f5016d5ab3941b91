import { OpenAPIHono, z } from '@hono/zod-openapi'
import { PERMISSIONS } from '../access/permission.ts'
import { REFUSAL_CODES } from '../errors.ts'
import type { DescribedAnswer, PermissionRule, Route } from './endpoint.ts'

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

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z
      .enum(REFUSAL_CODES)
      .openapi({ description: 'Names the error for programs: `event_unknown`' }),
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
    people: signedInOnly(z.array(z.object({ name: z.string() })).max(3)),
    precondition: z.enum(['exists', 'changed', 'missing']).optional().openapi({
      description: 'With `precondition_failed`: the state of the resource that made it fail',
    }),
    unknownTeam: unknownTeam.optional(),
  })
  .openapi('Problem', { description: 'A refusal in the form of RFC 9457.' })

/** Marks a member of an error that names people or teams: no answer to an API key has it. */
function signedInOnly<T extends z.ZodType>(schema: T) {
  return schema.optional().openapi({ description: 'Only for members who are signed in' })
}

const PROBLEM_MEDIA_TYPES = ['application/problem+json']

const REFUSALS: Record<number, string> = {
  400: 'The path, the query or the text of the body cannot be read',
  401: 'The key is missing, unknown or expired',
  403: 'The key may not do this',
  404: 'Not found, or not visible',
  409: 'The state of the resource forbids it',
  412: 'If-Match or If-None-Match does not hold',
  408: 'The body took too long to arrive',
  413: 'The body is too large',
  415: 'The body is of another media type',
  422: 'The request is understood and wrong',
  429: 'The key has used up its requests of this minute, or has too many at once',
  503: 'The store or this process is overloaded or away',
}

/** Makes the OpenAPI 3.1 document of a table of routes: the same records that serve the requests. */
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
  for (const route of routes) registerRoute(registry, route)
  return registry.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Portbook',
      version,
      description: 'Data product catalog for data meshes.',
      license: { name: 'Apache-2.0' },
    },
    security: [{ key: [] }, { bearer: [] }],
  })
}

function registerRoute(registry: OpenAPIHono, { method, path, described }: Route): void {
  const { body, params, query } = described
  const parameters = z.object(
    Object.fromEntries(params.map((name) => [name, z.string().min(1).max(256)])),
  )
  const content = body?.mediaTypes.map((mediaType) => [mediaType, { schema: body.schema }])
  registry.openAPIRegistry.registerPath({
    method: lowerCase(method),
    path,
    operationId: described.operation,
    summary: described.summary,
    description: [described.description, `Permission: ${permissionText(described.permission)}.`]
      .filter(Boolean)
      .join('\n\n'),
    tags: [path.split('/')[2] ?? 'api'],
    request: {
      ...(params.length > 0 ? { params: parameters } : {}),
      ...(query instanceof z.ZodObject ? { query } : {}),
      ...(body && content
        ? {
            body: {
              required: true,
              description: body.description,
              content: Object.fromEntries(content),
            },
          }
        : {}),
    },
    responses: Object.fromEntries(
      [...refusalsOf(described), ...Object.entries(described.answers)].map(([status, answer]) => [
        status,
        responseOf(answer),
      ]),
    ),
  })
}

function lowerCase(method: Route['method']): 'get' | 'put' | 'post' | 'delete' {
  switch (method) {
    case 'GET':
      return 'get'
    case 'PUT':
      return 'put'
    case 'POST':
      return 'post'
    case 'DELETE':
      return 'delete'
  }
}

/** The refusals that every endpoint of its kind can answer, besides those that it names itself. */
function refusalsOf({ body, params, answers }: Route['described']): [string, DescribedAnswer][] {
  const statuses = [400, 401, 403, 429, 503]
  if (params.length > 0) statuses.push(404)
  if (body !== undefined) statuses.push(408, 413, 415, 422)
  return statuses
    .filter((status) => answers[status] === undefined)
    .map((status) => [String(status), refusalAnswer(status)])
}

/** A refusal as the documentation tells it. */
export function refusalAnswer(status: number, description = REFUSALS[status]): DescribedAnswer {
  return { description: description ?? 'Refused', mediaTypes: PROBLEM_MEDIA_TYPES, schema: problem }
}

function responseOf({ description, mediaTypes, schema, headers }: DescribedAnswer) {
  const content = (mediaTypes ?? ['application/json']).map((type) => [type, { schema }])
  const described = Object.entries(headers ?? {}).map(([name, says]) => [
    name,
    { description: says, schema: { type: 'string' } },
  ])
  return {
    description,
    ...(schema === undefined ? {} : { content: Object.fromEntries(content) }),
    ...(described.length > 0 ? { headers: Object.fromEntries(described) } : {}),
  }
}

function permissionText(rule: PermissionRule): string {
  return typeof rule === 'string' ? rule : `${rule.needs.join(' or ')} on ${rule.on}`
}
