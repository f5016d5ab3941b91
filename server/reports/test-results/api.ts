import { z } from '@hono/zod-openapi'
import {
  createPageHeader,
  jsonAnswer,
  type Answer,
  type Call,
  type Endpoint,
  type Route,
} from '../../requests/http/endpoint.ts'
import {
  chooseDraft,
  createDraftAnswer,
  describeDraft,
  draftParameter,
} from '../../requests/http/draft-form.ts'
import { writeSentences } from '../../requests/http/losses.ts'
import { streamTexts } from '../../requests/http/pieces.ts'
import { createSizeParameter, nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import { route } from '../../requests/http/route.ts'
import { createPeriodParameters } from '../../requests/http/period.ts'
import { getTestResultChecks } from './detail-api.ts'
import {
  getObservability,
  getResult,
  listLatestOfContract,
  listLatestOfProduct,
  listResults,
  writeObservabilities,
} from './read-service.ts'
import { deleteResult, publishResult } from './service.ts'
import {
  RESULT_BYTES_MAX,
  testResult,
  testResultInput,
  testResultSummary,
  type BranchPath,
} from './test-result.ts'

const PAGES = 'test-results'
// As many as existing clients expect.
const RESULTS_ON_PAGE = 100
const PAGE_HEADER = { 'location-html': "The address of the result's page" }

const publishing = {
  description:
    'The result of a test against a data contract, as the Data Contract CLI and similar programs send it. It is stored as it was sent. One with the same id (`id` or `runId`) is replaced; without an id, the server chooses one. Other outcomes than passed, warning, failed and error are answered as unknown. Observability results of Bitol (`kind: ObservabilityResults`, OORS) are read, too: experimental.',
  permission: {
    needs: ['DATACONTRACT_TEST_RESULTS_EDIT', 'DATAPRODUCT_TEST_RESULTS_EDIT'],
    on: 'the team of the data contract, or the second on the team of a data product that provides it; on any team if there is no such contract yet',
  },
  body: {
    content: 'document',
    mediaTypes: ['application/json'],
    bytesMax: RESULT_BYTES_MAX,
    schema: testResultInput,
    description: 'The result; `dataContractId` is required.',
  },
  answers: {
    200: {
      description: 'The result without its checks and logs',
      schema: testResultSummary,
      headers: {
        ...PAGE_HEADER,
        'portbook-warnings': 'Remarks about observability results, as a JSON array of sentences',
      },
    },
  },
} as const

async function publish(
  {
    services,
    caller,
    body,
    requestId,
  }: Pick<Call<never, object>, 'services' | 'caller' | 'body' | 'requestId'>,
  place: { path?: BranchPath; contractId?: string | undefined },
): Promise<Answer> {
  const at = { ...place, requestId }
  const { summary, warnings } = await publishResult(services, caller, body.text, at)
  const header = {
    ...createPageHeader(services, PAGES, summary.id),
    ...(warnings.length === 0 ? {} : { 'portbook-warnings': writeSentences(warnings) }),
  }
  return jsonAnswer(200, testResultSummary, summary, header)
}

const publishQuery = z.object({
  dataContractId: z.string().optional().openapi({
    description: 'The data contract of observability results (OORS) that name none',
  }),
})

/** `POST /api/test-results`: stores the result of a test. */
const postTestResult: Endpoint<never, z.infer<typeof publishQuery>> = {
  ...publishing,
  operation: 'postTestResult',
  summary: 'Publish a test result of a data contract',
  query: publishQuery,
  handle: async (call) => await publish(call, { contractId: call.query.dataContractId }),
}

/** `POST /api/datacontracts/{id}/branches/{branch}/test-results`: stores the result of a test on a branch. */
export const postBranchTestResult: Endpoint<'id' | 'branch'> = {
  ...publishing,
  operation: 'postBranchTestResult',
  summary: 'Publish a test result of a branch of a data contract',
  handle: async (call) =>
    await publish(call, { path: { contractId: call.params.id, branch: call.params.branch } }),
}

const listQuery = z.object({
  dataContractId: z.string().optional(),
  server: z.string().optional(),
  branch: z.string().optional(),
  ...createPeriodParameters('Only results with `testedAt`'),
  p: pageParameter,
  size: createSizeParameter(RESULTS_ON_PAGE),
  format: draftParameter('oors'),
})

const observability = z
  .looseObject({
    apiVersion: z.string(),
    kind: z.literal('ObservabilityResults'),
    id: z.string(),
    results: z.array(z.looseObject({ id: z.string(), status: z.string() })),
  })
  .openapi('ObservabilityResults')

const listAnswers = {
  200: describeDraft(
    'oors',
    {
      description: 'At most `size` results, without their checks and logs',
      schema: z.array(testResultSummary),
      headers: { link: 'The next page, when there is one' },
    },
    z.array(observability),
  ),
}

async function answerList({
  services,
  caller,
  query,
  path,
  search,
  headers: asked,
}: Omit<Call<never, z.infer<typeof listQuery>>, 'params'>): Promise<Answer> {
  const { p: page, size, dataContractId: contractId, format, ...filter } = query
  const { organizationId } = caller
  const all = { contractId, ...filter }
  const { results, hasNext } = await listResults(services.db, organizationId, all, { page, size })
  const headers = hasNext ? { link: nextPageLink(path, search, page) } : {}
  const syntax = chooseDraft('oors', format, asked)
  if (syntax !== undefined) {
    const ids = results.map(({ id }) => id)
    const texts = writeObservabilities(services, caller, ids, syntax)
    return createDraftAnswer('oors', syntax, streamTexts(texts), headers)
  }
  return jsonAnswer(200, z.array(testResultSummary), results, headers)
}

const branchListQuery = listQuery.omit({ dataContractId: true, branch: true })

/** `GET /api/datacontracts/{id}/branches/{branch}/test-results`: the test results of a branch. */
export const listBranchTestResults: Endpoint<'id' | 'branch', z.infer<typeof branchListQuery>> = {
  operation: 'listBranchTestResults',
  summary: 'List the test results of a branch of a data contract, newest first',
  permission: 'any key',
  query: branchListQuery,
  answers: listAnswers,
  async handle({ params: { id: dataContractId, branch }, ...call }) {
    return await answerList({ ...call, query: { ...call.query, dataContractId, branch } })
  },
}

/** `GET /api/test-results`: test results without their checks and logs. */
const listTestResults: Endpoint<never, z.infer<typeof listQuery>> = {
  operation: 'listTestResults',
  summary: 'List test results, newest first',
  permission: 'any key',
  query: listQuery,
  answers: listAnswers,
  handle: answerList,
}

const formQuery = z.object({ format: draftParameter('oors') })

/** `GET /api/test-results/{id}`: a test result with its checks and logs. */
const getTestResult: Endpoint<'id', z.infer<typeof formQuery>> = {
  operation: 'getTestResult',
  summary: 'Read a test result with its checks and logs',
  permission: 'any key',
  query: formQuery,
  answers: {
    200: describeDraft(
      'oors',
      {
        description: 'The result as it was sent, with the members of the list',
        schema: testResult,
        headers: PAGE_HEADER,
      },
      observability,
    ),
  },
  async handle({ services, caller, params: { id }, query, headers: asked }) {
    const syntax = chooseDraft('oors', query.format, asked)
    if (syntax !== undefined) {
      const written = await getObservability(services, caller, id, syntax)
      return createDraftAnswer('oors', syntax, written.text, written.headers)
    }
    const body = await getResult(services, caller, id)
    const headers = createPageHeader(services, PAGES, id)
    return { status: 200, headers, mediaType: 'application/json', body }
  },
}

/** `DELETE /api/test-results/{id}`: deletes a test result. */
const deleteTestResult: Endpoint<'id'> = {
  operation: 'deleteTestResult',
  summary: 'Delete a test result',
  permission: {
    needs: ['DATACONTRACT_DELETE'],
    on: 'the team of the data contract; its publisher needs it, or DATAPRODUCT_DELETE, on any team',
  },
  limitedKey: ['DATAPRODUCT_DELETE'],
  answers: { 200: { description: 'The result is deleted' } },
  async handle({ services, caller, params: { id }, requestId }) {
    await deleteResult(services, caller, { id, requestId })
    return { status: 200 }
  },
}

const latest = z.array(testResultSummary)

/** `GET /ui/datacontracts/{id}/test-results`: the newest result for each server of a contract. */
export const getContractTests: Endpoint<'id'> = {
  operation: 'getContractTests',
  summary: 'List the newest test result for each server of a data contract',
  permission: 'a session',
  answers: {
    200: {
      description: 'The results, newest first; none of branches and dry runs',
      schema: latest,
    },
  },
  async handle({ services, caller, params: { id } }) {
    const results = await listLatestOfContract(services.db, caller.organizationId, id)
    return jsonAnswer(200, latest, results)
  },
}

/** `GET /ui/dataproducts/{id}/test-results`: the newest results for the output ports of a product. */
export const getProductTests: Endpoint<'id'> = {
  operation: 'getProductTests',
  summary: 'List the newest test results for the output ports of a data product',
  description:
    'For each contract: the newest result that names no data product, and the newest one for each output port of this product.',
  permission: 'a session',
  answers: {
    200: {
      description: 'The results, newest first; none of branches and dry runs',
      schema: latest,
    },
  },
  async handle({ services, caller, params: { id } }) {
    const results = await listLatestOfProduct(services.db, caller.organizationId, id)
    return jsonAnswer(200, latest, results)
  },
}

/** The addresses of test results, without those of branches. */
export const RESULT_ROUTES: readonly Route[] = [
  route('GET', '/api/test-results', listTestResults),
  route('POST', '/api/test-results', postTestResult),
  route('GET', '/api/test-results/{id}', getTestResult),
  route('GET', '/api/test-results/{id}/checks', getTestResultChecks),
  route('DELETE', '/api/test-results/{id}', deleteTestResult),
]
