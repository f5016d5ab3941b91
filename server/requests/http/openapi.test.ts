import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { api } from '../../api.ts'
import { putTeam } from '../../catalog/teams/api.ts'
import { route } from './route.ts'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'

interface Operation {
  operationId: string
  summary: string
  description: string
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  responses: Record<string, ApiResponse | { $ref: string }>
  'x-stability'?: string
}

interface ApiResponse {
  description: string
  content?: Record<string, { schema: object; 'x-stability'?: string }>
}

interface OpenApi {
  openapi: string
  info: { title: string; version: string; license: object }
  security: object[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, object>
    responses: Record<string, ApiResponse>
    securitySchemes: Record<string, object>
  }
}

/** The parts of a schema that generators misread. */
interface Described {
  type?: unknown
  format?: string
  default?: unknown
  properties?: object
}

/** The parts of a JSON Schema that the tests read. */
interface JsonSchema {
  $ref?: string
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  type?: string | string[]
  properties?: Record<string, JsonSchema>
}

onStore((store) => {
  let world: World
  let document: OpenApi
  before(async () => {
    world = await newWorld(newProduct(store()))
    document = await readJson<OpenApi>(world.as('none', 'GET', '/openapi.json'))
  })

  const getOperation = ({ path, method }: { path: string; method: string }): Operation => {
    const operation = document.paths[path]?.[method.toLowerCase()]
    assert.ok(operation, `${method} ${path} is not described`)
    return operation
  }

  const resolve = (answer: ApiResponse | { $ref: string }): ApiResponse => {
    if (!('$ref' in answer)) return answer
    const response = document.components.responses[answer.$ref.split('/').at(-1) ?? '']
    assert.ok(response, answer.$ref)
    return response
  }

  test('GET /openapi.json › 200 without a key: OpenAPI 3.1 of every route, and of nothing else', () => {
    assert.match(document.openapi, /^3\.1\.\d+$/)
    assert.ok(document.info.title && document.info.version)
    assert.deepEqual(Object.keys(document.components.securitySchemes).toSorted(), ['bearer', 'key'])
    assert.deepEqual(document.security, [{ key: [] }, { bearer: [] }])
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    assert.deepEqual(
      described.toSorted(),
      api.map(({ method, path }) => `${method} ${path}`).toSorted(),
    )
  })

  test('GET /openapi.json › operation ids are unique names, every operation describes its permission', () => {
    const ids = api.map((row) => getOperation(row).operationId)
    assert.equal(new Set(ids).size, ids.length)
    for (const row of api) {
      const { operationId, summary, description } = getOperation(row)
      assert.match(operationId, /^[a-z][A-Za-z]+$/)
      assert.ok(summary.length > 0)
      assert.match(description, /Permission: .+\.$/)
    }
  })

  test('GET /openapi.json › parameters are those of the path and of the query', () => {
    for (const row of api) {
      const parameters = getOperation(row).parameters ?? []
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      assert.deepEqual(
        inPath.map(({ name }) => `{${name}}`),
        [...row.path.matchAll(/\{\w+\}/g)].map(([name]) => name),
      )
      for (const parameter of inPath) assert.equal(parameter.required, true)
      for (const parameter of parameters) assert.ok(parameter.schema)
    }
  })

  test('GET /openapi.json › no body of a PUT requires the id that its address has', () => {
    for (const { path, method } of api) {
      if (method !== 'PUT') continue
      const { content = {} } = getOperation({ path, method }).requestBody ?? {}
      for (const { schema } of Object.values(content)) {
        const { $ref = '', ...own } = schema as { $ref?: string; required?: string[] }
        const named: { required?: string[] } | undefined =
          document.components.schemas[$ref.split('/').at(-1) ?? '']
        const { required = [] } = named ?? own
        assert.ok(!required.some((name) => path.endsWith(`{${name}}`)), `${path} requires its id`)
      }
    }
  })

  test('GET /openapi.json › every answer is described: success, and errors as problems', () => {
    for (const row of api) {
      const { responses, requestBody } = getOperation(row)
      const statuses = Object.keys(responses)
      const isMissingPart = statuses.includes('501')
      assert.ok(isMissingPart || statuses.some((status) => status.startsWith('2')))
      for (const status of ['400', '401', '403', '429', '503']) {
        assert.ok(statuses.includes(status), `${row.method} ${row.path} ${status}`)
      }
      if (requestBody !== undefined) {
        assert.ok(Object.keys(requestBody.content).length > 0)
        for (const status of ['413', '415', ...(isScim(row) ? [] : ['422'])]) {
          assert.ok(statuses.includes(status))
        }
      }
      for (const [status, answer] of Object.entries(responses)) {
        const { description, content } = resolve(answer)
        assert.ok(description.length > 0)
        if (Number(status) < 400 || status === '409') continue
        const mediaType = isScim(row) ? 'application/scim+json' : 'application/problem+json'
        assert.deepEqual(Object.keys(content ?? {}), [mediaType])
      }
    }
  })

  test('GET /openapi.json › every body in JSON or YAML lists its members', () => {
    const bare = api.flatMap((row) => {
      // Directories read the members of their bodies from the address /Schemas.
      if (isScim(row)) return []
      const { requestBody, responses } = getOperation(row)
      const contents = [requestBody?.content, ...Object.values(responses).map(findContent)]
      return contents
        .flatMap((content) => Object.entries(content ?? {}))
        .filter(([, { schema }]) => isBare(schema as JsonSchema))
        .map(([mediaType]) => `${row.method} ${row.path} ${mediaType}`)
    })
    assert.deepEqual(bare, [])
  })

  function findContent(answer: object) {
    return resolve(answer as Parameters<typeof resolve>[0]).content
  }

  /** Returns whether a schema, or one of its alternatives, is an object or a list of objects without known members. */
  function isBare(schema: JsonSchema): boolean {
    const { $ref, anyOf, allOf, items, type, properties = {} } = schema
    if ($ref !== undefined) {
      return isBare(document.components.schemas[$ref.split('/').at(-1) ?? ''] as JsonSchema)
    }
    if (anyOf !== undefined) return anyOf.some(isBare)
    if (allOf !== undefined) return allOf.every(isBare)
    if (items !== undefined) return isBare(items)
    const isObject = type === undefined || [type].flat().includes('object')
    return isObject && Object.keys(properties).length === 0
  }

  test('GET /openapi.json › has no schema that generators cannot read', () => {
    assert.deepEqual(document.info.license, {
      name: 'Apache License 2.0',
      identifier: 'Apache-2.0',
    })
    const problems: string[] = []
    const search = (part: unknown, path: string): void => {
      if (typeof part !== 'object' || part === null) return
      const { type, format, default: usual, properties } = part as Described
      const isChoice = /\/anyOf\/\d+$/.test(path)
      if (type === 'null' && !isChoice) problems.push(`${path} is only null`)
      if ([type].flat().includes('integer') && format !== 'int64') problems.push(`${path}: 32 bits`)
      if (typeof usual === 'object' && usual !== null && properties !== undefined) {
        problems.push(`${path} has an object as its default`)
      }
      // Under `properties` are the members, one of which may have this name.
      const isSchema = !path.endsWith('/properties')
      if (isSchema && properties !== undefined && 'additionalProperties' in properties) {
        problems.push(`${path} has a member with the name of all further members`)
      }
      for (const [name, nested] of Object.entries(part)) search(nested, `${path}/${name}`)
    }
    search(document, '')
    assert.deepEqual(problems, [])
  })

  test('GET /openapi.json › marks what follows a draft: an operation, or a form of its answer', () => {
    assert.equal(document.paths['/api/catalog.ttl']?.['get']?.['x-stability'], 'draft')
    const product = document.paths['/api/dataproducts/{id}']?.['get']
    assert.equal(product?.['x-stability'], undefined)
    const response = product?.responses['200']
    assert.ok(response !== undefined && 'content' in response)
    const { content = {} } = response
    const drafts = Object.keys(content).filter((type) => content[type]?.['x-stability'] === 'draft')
    assert.deepEqual(drafts, ['application/ld+json', 'text/turtle'])
    assert.ok('application/json' in content)
  })

  test('GET /openapi.json › every reference is resolved', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)
    let count = 0
    for (const [, reference = ''] of references) {
      const [, kind, name = ''] =
        /^#\/components\/(schemas|responses)\/(\w+)$/.exec(reference) ?? []
      assert.ok(kind === 'schemas' || kind === 'responses', reference)
      assert.ok(name in document.components[kind], reference)
      count += 1
    }
    assert.ok(count > 0)
  })

  test('GET /openapi.json › every component is used', () => {
    const text = JSON.stringify(document)
    for (const kind of ['schemas', 'responses'] as const) {
      for (const name of Object.keys(document.components[kind])) {
        assert.ok(text.includes(`"#/components/${kind}/${name}"`), name)
      }
    }
  })
})

test('route › rejects an endpoint without a permission, or with other parameters than its path', () => {
  const withoutPermission = { ...putTeam, permission: undefined as never }
  assert.throws(() => route('PUT', '/api/teams/{id}', withoutPermission), /declares no permission/)
  // @ts-expect-error The endpoint reads `id`.
  route('PUT', '/api/teams/{name}', putTeam)
  // @ts-expect-error The endpoint reads `id`.
  route('PUT', '/api/teams', putTeam)
})

/** Returns whether an address follows the rules of SCIM, which has media types and errors of its own (RFC 7644). */
function isScim({ path }: { path: string }): boolean {
  return path.startsWith('/api/scim/')
}
