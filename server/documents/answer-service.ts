import { plan } from '../ledger/history/plan.ts'
import { readConditions } from '../requests/http/conditional.ts'
import { documentAnswer } from '../requests/http/document.ts'
import {
  inThreads,
  jsonAnswer,
  createPageHeader,
  type Answer,
  type Call,
} from '../requests/http/endpoint.ts'
import { withMembers } from '../requests/http/json.ts'
import { KINDS } from '../platform/kinds.ts'
import { deleteDocument, planDeletion } from './deletion-service.ts'
import type { DocumentPlan, DocumentPut, Resource, ResourceTypes } from './resource.ts'
import { writeDocument, type DocumentPutDone } from './write-service.ts'

const planHead = plan.omit({ changes: true })

/** Builds the PUT of a request. */
export function toPut<Query extends Pick<DocumentPut, 'strict' | 'dryRun'>>({
  params: { id },
  query,
  headers,
  body,
  requestId,
}: Call<'id', Query>): DocumentPut & Query {
  return { id, body, conditions: readConditions(headers), ...query, requestId }
}

/** Answers a PUT with the stored document, or with the plan of a dry run. */
export async function answerPut<T extends ResourceTypes>(
  { services, caller, headers }: Call<'id', unknown>,
  resource: Resource<T>,
  put: T['put'],
  headersFor: (done: DocumentPutDone) => Record<string, string> = () => ({}),
): Promise<Answer> {
  const done = await writeDocument(services, caller, resource, put)
  const more = headersFor(done)
  if (done.stored === undefined) return planAnswer(done.plan, more)
  const page = createPageHeader(services, KINDS[resource.kind].pages, put.id)
  return await documentAnswer(
    inThreads(services, caller),
    done.stored,
    { headers },
    { ...page, ...more },
  )
}

/** Answers a DELETE, or the plan of a dry run. */
export async function answerDelete<T extends ResourceTypes>(
  { services, caller, params, headers, requestId }: Call<'id', unknown>,
  resource: Resource<T>,
  dryRun = false,
): Promise<Answer> {
  const removal = { ...params, conditions: readConditions(headers), requestId }
  if (dryRun) return planAnswer(await planDeletion(services, caller, resource, removal))
  await deleteDocument(services, caller, resource, removal)
  return { status: 200 }
}

/** Writes a plan as JSON, for a member of another answer. */
export function writePlan({ changesJson, ...head }: DocumentPlan): string {
  return withMembers(JSON.stringify(planHead.parse(head)), { changes: changesJson })
}

function planAnswer(
  { changesJson, ...head }: DocumentPlan,
  headers: Record<string, string> = {},
): Answer {
  return jsonAnswer(200, planHead, head, headers, { changes: changesJson })
}
