import { z } from '@hono/zod-openapi'
import { testResult } from '../../reports/test-results/test-result.ts'
import { requireTester } from '../../reports/test-results/service.ts'
import { createPageHeader, type Endpoint } from '../../requests/http/endpoint.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { testContract as test } from './test-service.ts'

const testQuery = z.object({
  server: z.string().optional().openapi({
    description:
      'The server whose data is tested. Absent = the first one of production, else the first one',
  }),
})

/** `POST /api/datacontracts/{id}/test`: tests the rules of a contract that counts can answer. */
export const testContract: Endpoint<'id', z.infer<typeof testQuery>> = {
  operation: 'testDataContract',
  summary: 'Test the data of a data contract',
  description:
    'Counts in the tables that the models are linked with, and stores the result: rowCount, nullValues, missingValues, invalidValues with valid values, duplicateValues, and freshness with an element. Rules with SQL, patterns and custom programs are never run; they are in the result as skipped. The integration needs an account for tests. A test takes up to ten minutes: a proxy that waits less ends only the answer. Run everything else next to the data, with `datacontract test --publish`.',
  permission: {
    needs: ['DATACONTRACT_TEST_RUN'],
    on: 'the team of the data contract, or of a data product that provides it',
  },
  requires: ({ services, caller, params }) => requireTester(services.db, caller, params.id),
  query: testQuery,
  answers: {
    200: {
      description: 'The stored result with its checks',
      schema: testResult,
      headers: { 'location-html': "The address of the result's page" },
    },
    409: describeError('Another test reads the same source'),
    422: describeError('No model is linked with a table, or nothing can be tested'),
  },
  async handle({ services, caller, params: { id: contractId }, query: { server }, requestId }) {
    const result = await test(services, caller, { contractId, server, requestId })
    const headers = createPageHeader(services, 'test-results', result.id)
    return { status: 200, headers, mediaType: 'application/json', body: result.body }
  },
}
