/**
 * The OpenAPI document has every member of the models of the public Python SDK, which are generated from the OpenAPI
 * document of another catalog of this API family. What is left out has a reason.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { api } from '../../server/api.ts'
import { openApiDocument } from '../../server/requests/http/openapi.ts'
import { onClient } from './client.ts'
import { startSdk, type MemberTree, type SdkProcess } from './sdk/sdk-row.ts'

/** The parts of a JSON Schema that the test reads. */
interface JsonSchema {
  $ref?: string
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
}

/** The operations whose answer, or with `body` whose request body, a model describes. */
const OPERATIONS: Readonly<Record<string, string>> = {
  Team: 'get /api/teams/{id}',
  Asset: 'get /api/assets/{id}',
  Definition: 'get /api/definitions/{id}',
  Tag: 'get /api/tags/{id}',
  SourceSystem: 'get /api/sourcesystems/{id}',
  Policy: 'get /api/policies/{id}',
  Certification: 'get /api/certifications/{id}',
  ClassificationScheme: 'get /api/classification-schemes/{id}',
  Cost: 'get /api/costs',
  ExampleData: 'get /api/example-data/{id}',
  Connector: 'get /api/connectors/{id}',
  NotificationChannel: 'get /api/teams/{id}/notification-channels/{channelId}',
  Access: 'get /api/access/{id}',
  AccessProvisioning: 'get /api/access/{id}/provisioning',
  AccessProvisioningReport: 'put /api/access/{id}/provisioning body',
  TestResults: 'get /api/test-results/{id}',
  Integration: 'get /api/integrations/ingest/{externalId}',
  IngestionRun: 'get /api/integrations/ingest/{externalId}/runs/latest',
  TriggerRunResponse: 'post /api/integrations/ingest/{externalId}/run 202',
  OrganizationSettings: 'get /api/organization/settings',
  OrganizationMember: 'get /api/organization/members/{email}',
  OrganizationFeatures: 'get /api/organization/features',
  TeamRolesSettings: 'get /api/settings/team-roles',
  Customization: 'get /api/settings/customization',
  ScimMappingConfiguration: 'get /api/settings/scim-mapping',
  OpenLineageRunEvent: 'get /api/v1/lineage',
  OtelTracesRequest: 'get /api/v1/traces',
  GenerateRequest: 'post /api/datacontracts/{id}/generate body',
  GenerateResponse: 'post /api/datacontracts/{id}/generate',
  ApiKeyCreated: 'post /api/api-keys 201',
}

/** Members that Portbook does not have, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'Access.consumer.agentId': 'agents are no principals yet',
  'GenerateResponse.files.metadata': 'generated files have none',
  'OrganizationSettings.brand': 'no such setting',
  'OrganizationSettings.plan': 'no such setting',
  'OrganizationSettings.sso.tenant': 'the issuer names it',
  'OrganizationSettings.supportEmailAddress': 'no such setting',
}

onClient('entropy-data-sdk', (installation) => {
  let sdk: SdkProcess
  let models: Record<string, MemberTree>
  before(async () => {
    sdk = startSdk(installation().url)
    models = await sdk.listMembers(Object.keys(OPERATIONS))
  })
  after(() => sdk.close())

  const document = JSON.parse(JSON.stringify(openApiDocument(api, '0'))) as {
    paths: Record<string, Record<string, { requestBody?: Body; responses: Record<string, Body> }>>
    components: { schemas: Record<string, JsonSchema> }
  }

  const resolve = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined
      ? schema
      : resolve(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})

  /** Lists the members of a model that a schema lacks, by their paths. */
  const listMissing = (
    schemas: readonly JsonSchema[],
    members: MemberTree,
    path: string,
  ): string[] => {
    const alternatives = schemas.flatMap(expand)
    return Object.entries(members).flatMap(([name, nested]) => {
      const found = alternatives.flatMap(({ properties, additionalProperties }) => {
        const values = typeof additionalProperties === 'object' ? [additionalProperties] : []
        return properties?.[name] ?? (properties === undefined ? values : [])
      })
      const place = `${path}.${name}`
      return found.length === 0 ? [place] : listMissing(found, nested, place)
    })
  }
  const expand = (schema: JsonSchema): JsonSchema[] => {
    const { anyOf = [], allOf = [], items, ...own } = resolve(schema)
    return [own, ...[...anyOf, ...allOf, ...(items === undefined ? [] : [items])].flatMap(expand)]
  }

  const left = new Set<string>()
  for (const [model, address] of Object.entries(OPERATIONS)) {
    test(`${model} › ${address} has its members`, () => {
      const [method = '', path = '', part = '200'] = address.split(' ')
      const operation = document.paths[path]?.[method]
      const body = part === 'body' ? operation?.requestBody : operation?.responses[part]
      const schema = body?.content['application/json']?.schema
      assert.ok(schema !== undefined, address)
      const missing = listMissing([schema], models[model] ?? {}, model)
      for (const one of missing) left.add(one)
      assert.deepEqual(
        missing.filter((one) => LEFT_OUT[one] === undefined),
        [],
      )
    })
  }

  test('every reason is still needed', () => {
    assert.deepEqual(
      Object.keys(LEFT_OUT).filter((one) => !left.has(one)),
      [],
    )
  })
})

/** A body as the OpenAPI document describes it. */
interface Body {
  content: Record<string, { schema: JsonSchema }>
}
