import { z } from '@hono/zod-openapi'
import { change } from '../ledger/history/plan.ts'
import { LEVELS } from '../ledger/history/revision.ts'
import { DOCUMENT_MEDIA_TYPES } from '../requests/http/document.ts'
import { jsonAnswer, type Answer, type Endpoint } from '../requests/http/endpoint.ts'
import { describeError } from '../requests/http/openapi.ts'
import { type Diff, diffDraft, diffVersions } from './diff-service.ts'
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

const rangeQuery = z.object({
  from: versionNumber('The older version; absent = the one before'),
  to: versionNumber('The newer version; absent = the last one'),
})

const ANSWER = { description: 'What changed, by meaning', schema: diff }

/** `GET …/{id}/diff`: what changed from one version to another. */
export function createDiffRoute(
  type: DocumentType,
  operation: string,
): Endpoint<'id', z.infer<typeof rangeQuery>> {
  return {
    operation,
    summary: `Compare two versions of a ${KINDS[type.kind].called} by meaning`,
    permission: 'any key',
    query: rangeQuery,
    answers: {
      200: ANSWER,
      422: describeError('Reading the document takes too much time or memory'),
    },
    async handle({ services, caller, params: { id }, query }) {
      const name = { organizationId: caller.organizationId, id }
      const { from, to } = query
      return diffAnswer(await diffVersions(services, type, name, { from, to }))
    },
  }
}

const draftQuery = z.object({
  from: versionNumber('The version to compare with; absent = the last one'),
  to: z
    .enum(['draft'], 'must be draft')
    .default('draft')
    .openapi({ description: 'The document in the body' }),
})

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
    query: draftQuery,
    body: {
      content: 'document',
      mediaTypes: DOCUMENT_MEDIA_TYPES,
      bytesMax: type.bytesMax,
      schema: type.schema,
      description: 'The draft, whole',
    },
    answers: { 200: ANSWER },
    async handle({ services, caller, params: { id }, query, body }) {
      const name = { organizationId: caller.organizationId, id }
      const draft = await diffDraft(services, type, name, query.from, body)
      return diffAnswer(draft.diff, deprecationHeaders(draft.format, services))
    },
  }
}
