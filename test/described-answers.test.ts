/**
 * Every member of real responses is in the OpenAPI document, with its type. What is any JSON on purpose has a reason.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { api } from '../server/api.ts'
import { openApiDocument } from '../server/requests/http/openapi.ts'
import { addGaps, type AnswerSchema, type Gaps } from './described-answers.ts'
import { describeApi, type OpenApi } from './fuzz-oracle.ts'
import { JSON_LINES, recordActions, recordReads, type RecordedAnswer } from './recorded-answers.ts'
import { onStore } from './stores.ts'

interface DescribedResponse {
  $ref?: string
  content?: Record<string, { schema: AnswerSchema }>
}

const OPEN_API = JSON.parse(JSON.stringify(openApiDocument(api, '0'))) as OpenApi & {
  paths: Record<string, Record<string, { responses: Record<string, DescribedResponse> }>>
  components: {
    schemas: Record<string, AnswerSchema>
    responses: Record<string, DescribedResponse>
  }
}

/** Members that the document leaves out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'DataProduct.outputPorts[].server.additionalProperties': 'generators use this name otherwise',
  ...Object.fromEntries(
    [
      'Access.info.size',
      'Certification.marks',
      'ClassificationScheme.marks',
      'Connector.x',
      'DataContract.terms.policies[].more',
      'ExampleData.x',
      'LineageEvent.job.size',
      'NotificationChannel.custom',
      'NotificationChannel.x',
      'Policy.marks',
      'Tag.marks',
    ].map((member) => [member, 'of the documents of the tests']),
  ),
}

/** Values that may be any JSON. */
const ANY_JSON: Readonly<Record<string, string>> = {
  'Change.after': 'a part of a document of any kind',
  'Change.before': 'a part of a document of any kind',
  'DataContract.schema': 'an object or a list, by the standard',
  'DataContract.servers': 'an object or a list, by the standard',
  'DataContract.team': 'an object or a list, by the version of the standard',
  'DataContract.context': 'a text or an object',
  'DataContract.examples[].data': 'a text, or any JSON',
  'DataContract.models.*.quality[]': 'by the type of the check',
  'DataContract.quality.specification': 'by the tool that reads it',
  'Event.data.after': 'a document of any kind',
  'Event.data.before': 'a document of any kind',
  'ExampleData.data': 'rows, or a table of columns',
  'QualityCheck.rule': 'a rule as the document has it',
}

/** Operations whose responses have values of the tests that a real installation does not have. */
const ODD_VALUES: Readonly<Record<string, string>> = {
  'GET /api/integrations/ingest 200': 'the scripted source',
  'GET /api/integrations/ingest/{externalId} 200': 'the scripted source',
  'GET /api/v1/lineage 200': 'events that break their standard, as they were sent',
}

/** Operations whose answer is compared by another test, because it needs a source. */
const COMPARED_ELSEWHERE: Readonly<Record<string, string>> = {
  'POST /api/datacontracts/{id}/test':
    'equal to that of `GET /api/test-results/{id}`: server/ingestion/contract-tests/test-api.test.ts',
}

/** Places where a document of another standard begins, which has more members than are listed. */
const OTHER_STANDARDS: readonly RegExp[] = [
  /^JsonSchema\./,
  // Nodes of RDF, whose members are names of vocabularies.
  /^Graph\.@graph\[\]\./,
  // Schemas of Avro and BigQuery.
  /^ExportedSchema\./,
  // The values of properties that people add.
  /\.customProperties\[\]\.value$/,
  // Below the fourth level.
  /^Data(?:Product|Contract)(?:\.[^.]+){4}/,
]

describe('responses and the OpenAPI document', () => {
  const gaps: Gaps = { members: new Set(), untyped: new Set() }
  const flaws = new Map<string, string>()
  const answered = new Set<string>()
  const described = describeApi(OPEN_API)

  const compare = ({ method, route, status, mediaType, text }: RecordedAnswer): void => {
    const name = `${method} ${route}`
    const operation = described.operations.find(
      (one) => one.method === method && one.template === route,
    )
    const response = OPEN_API.paths[route]?.[method.toLowerCase()]?.responses[String(status)]
    const shared = OPEN_API.components.responses[response?.$ref?.split('/').at(-1) ?? '']
    const schema = (shared ?? response)?.content?.[mediaType]?.schema
    if (schema === undefined || operation === undefined) {
      flaws.set(`${name} ${status} ${mediaType}`, 'is not described')
      return
    }
    if (status < 300) answered.add(name)
    const plain = text.replace(/^\uFEFF/, '')
    const values = mediaType === JSON_LINES ? plain.split('\n').filter(Boolean) : [plain]
    for (const value of values.map((one): unknown => JSON.parse(one))) {
      addGaps(gaps, OPEN_API.components.schemas, `${name} ${status}`, schema, value)
      const flaw = described.flawsIn(operation, status, mediaType, value)
      if (flaw !== undefined) flaws.set(`${name} ${status}`, flaw)
    }
  }

  onStore((store) => {
    test('every action of the API is compared', async () => recordActions(store(), compare))
  })
  onStore((store) => {
    test('every address of the API is compared', async () => recordReads(store(), compare))
  })

  describe('the document', () => {
    test('has every member', () => {
      // Lists of SCIM have their member `Resources` twice: generated clients have one name for both.
      const missing = [...gaps.members]
        .filter((name) => !isOfAnotherStandard(name))
        .filter((name) => !name.endsWith('.resources'))
      assert.deepEqual(missing.toSorted(), Object.keys(LEFT_OUT).toSorted())
    })

    test('has a type for every object', () => {
      const untyped = [...gaps.untyped].filter((name) => !isOfAnotherStandard(name))
      assert.deepEqual(untyped.toSorted(), Object.keys(ANY_JSON).toSorted())
    })

    test('has the type of every value', () => {
      const wrong = [...flaws].filter(([name]) => ODD_VALUES[name] === undefined)
      assert.deepEqual(Object.fromEntries(wrong), {})
    })

    test('describes no operation that was not compared', () => {
      const operations = described.operations.filter(({ answers }) =>
        [...answers].some(
          ([status, types]) => status < 300 && types.some((type) => /json/.test(type)),
        ),
      )
      const names = operations.map(({ method, template }) => `${method} ${template}`)
      assert.deepEqual(
        names.filter((name) => !answered.has(name)),
        Object.keys(COMPARED_ELSEWHERE),
      )
    })
  })
})

function isOfAnotherStandard(name: string): boolean {
  return OTHER_STANDARDS.some((pattern) => pattern.test(name))
}
