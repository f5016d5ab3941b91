import { z } from '@hono/zod-openapi'
import { change } from '../ledger/history/plan.ts'
import { LEVELS } from '../ledger/history/revision.ts'
import { DOCUMENT_MEDIA_TYPES } from '../requests/http/document.ts'
import type { Body } from '../requests/http/body.ts'
import {
  chooseDraft,
  createDraftAnswer,
  describeDraft,
  draftParameter,
} from '../requests/http/draft-form.ts'
import {
  jsonAnswer,
  type Answer,
  type Call,
  type DescribedAnswer,
  type Endpoint,
} from '../requests/http/endpoint.ts'
import { describeError } from '../requests/http/openapi.ts'
import { type Diff, diffDocuments, writeDifference } from './diff-service.ts'
import { KINDS } from '../platform/kinds.ts'
import type { DocumentType } from './document-type.ts'
import { deprecationHeaders } from './sunset.ts'

const diff = z
  .object({
    from: z.int(),
    to: z.union([z.int(), z.literal('draft')]),
    level: z.enum(LEVELS).openapi({ description: 'That of the biggest change' }),
    changes: z.array(change),
  })
  .openapi('Diff')

const diffHead = diff.omit({ changes: true })

function diffAnswer({ changesJson, ...head }: Diff, headers: Record<string, string> = {}): Answer {
  return jsonAnswer(200, diffHead, head, headers, { changes: changesJson })
}

const versionNumber = (description: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a version')
    .optional()
    .openapi({ type: 'integer', minimum: 1, description })

const draftForm = {
  format: draftParameter('omds'),
  rules: z.enum(['rfc0039'], 'must be rfc0039').optional().openapi({
    description: "With `format=omds`: the levels of the RFC's tables instead of Portbook's",
  }),
}

const range = z.object({
  from: versionNumber('The older version; absent = the one before'),
  to: versionNumber('The newer version; absent = the last one'),
})
const rangeQuery = range.extend(draftForm)

const ANSWER = { description: 'What changed, by meaning', schema: diff }

const metadataDifference = z
  .looseObject({
    apiVersion: z.literal('v1.0.0'),
    kind: z.literal('MetadataDifference'),
    sourceKind: z.enum(['DataContract', 'DataProduct']),
    impact: z.object({ major: z.int(), minor: z.int(), patch: z.int() }),
    suggestedVersion: z.string().optional(),
    diffs: z.array(z.looseObject({ type: z.enum(['ADD', 'REMOVE', 'CHANGE']), path: z.string() })),
  })
  .openapi('MetadataDifference')

// A kind without a standard has no form for its differences.
function describeAnswer({ tasks }: DocumentType): DescribedAnswer {
  if (tasks.writeDifference === undefined) return ANSWER
  return describeDraft('omds', ANSWER, metadataDifference)
}

interface Asked {
  from?: string | undefined
  to?: string | undefined
  draft?: Body
}

type DiffQuery = z.infer<typeof rangeQuery> | z.infer<typeof draftQuery>

// Answers with the changes, or with a metadata difference if the client asks for it.
async function answerDiff(
  { services, caller, params: { id }, headers, path }: Call<'id', DiffQuery>,
  type: DocumentType,
  { format, rules }: Pick<DiffQuery, 'format' | 'rules'>,
  asked: Asked,
): Promise<Answer> {
  const name = { organizationId: caller.organizationId, id }
  const syntax =
    type.tasks.writeDifference === undefined ? undefined : chooseDraft('omds', format, headers)
  const getNotices = (draftFormat: string) =>
    asked.draft === undefined ? {} : deprecationHeaders(draftFormat, services)
  if (syntax === undefined) {
    const found = await diffDocuments(services, type, name, asked)
    return diffAnswer(found.diff, getNotices(found.format))
  }
  const written = await writeDifference(services, type, name, asked, {
    syntax,
    byRfc: rules === 'rfc0039',
    versionsAddress: `${services.baseUrl}${path.replace(/\/diff$/, '/versions')}`,
  })
  const all = { ...written.headers, ...getNotices(written.format) }
  return createDraftAnswer('omds', syntax, written.text, all)
}

/** `GET …/{id}/diff`: what changed from one version to another. */
export function createDiffRoute(
  type: DocumentType,
  operation: string,
): Endpoint<'id', z.infer<typeof rangeQuery>> {
  return {
    operation,
    summary: `Compare two versions of a ${KINDS[type.kind].called} by meaning`,
    permission: 'any key',
    query: type.tasks.writeDifference === undefined ? range : rangeQuery,
    answers: {
      200: describeAnswer(type),
      422: describeError('Reading the document takes too much time or memory'),
    },
    async handle(call) {
      const { from, to } = call.query
      return await answerDiff(call, type, call.query, { from, to })
    },
  }
}

const draftRange = z.object({
  from: versionNumber('The version to compare with; absent = the last one'),
  to: z
    .enum(['draft'], 'must be draft')
    .default('draft')
    .openapi({ description: 'The document in the body' }),
})
const draftQuery = draftRange.extend(draftForm)

/** `POST …/{id}/diff`: compares a draft with the stored document; writes nothing. */
export function createDraftDiffRoute(
  type: DocumentType,
  operation: string,
): Endpoint<'id', z.infer<typeof draftQuery>> {
  return {
    operation,
    summary: `Compare a ${KINDS[type.kind].called} with a draft of it by meaning`,
    description: 'Nothing is written, and the owner need not exist.',
    permission: 'any key',
    limitedKey: 'none',
    query: type.tasks.writeDifference === undefined ? draftRange : draftQuery,
    body: {
      content: 'document',
      mediaTypes: DOCUMENT_MEDIA_TYPES,
      bytesMax: type.bytesMax,
      schema: type.schema,
      description: 'The draft, whole',
    },
    answers: { 200: describeAnswer(type) },
    async handle(call) {
      return await answerDiff(call, type, call.query, { from: call.query.from, draft: call.body })
    },
  }
}
