import { z } from '@hono/zod-openapi'
import { readConditions } from '../../requests/http/conditional.ts'
import { documentAnswer, documentAnswered } from '../../requests/http/document.ts'
import {
  inThreads,
  jsonAnswer,
  type Endpoint,
  type Services,
} from '../../requests/http/endpoint.ts'
import { nextPageLink, PAGE_ELEMENTS_MAX, pageParameter } from '../../requests/http/paging.ts'
import { versionSummary, type DocumentKind } from './revision.ts'
import { getDocumentVersion, listDocumentVersions } from './service.ts'

const versionsQuery = z.object({ p: pageParameter })

/** `GET …/{id}/versions`: every version of one document, newest first. */
export function listVersions(
  kind: DocumentKind,
  operation: string,
): Endpoint<'id', z.infer<typeof versionsQuery>> {
  return {
    operation,
    summary: 'List the versions, newest first',
    description: 'A deleted resource keeps its versions.',
    permission: 'any key',
    query: versionsQuery,
    answers: {
      200: {
        description: 'The versions',
        schema: z.array(versionSummary),
        headers: { link: 'The next page, when there is one' },
      },
    },
    async handle({ services, caller, params, query, path, search }) {
      const name = { organizationId: caller.organizationId, kind, externalId: params.id }
      const page = await listDocumentVersions(services.db, name, query.p, PAGE_ELEMENTS_MAX)
      const headers = page.more ? { link: nextPageLink(path, search, query.p) } : {}
      return jsonAnswer(200, z.array(versionSummary), page.versions, headers)
    },
  }
}

/**
 * `GET …/{id}/versions/{version}`: one version as it was sent. `headersFor` returns the headers of a format.
 */
export function getVersion(
  kind: DocumentKind,
  operation: string,
  schema: z.ZodType,
  headersFor: (format: string, services: Services) => Record<string, string> = () => ({}),
): Endpoint<'id' | 'version'> {
  return {
    operation,
    summary: 'Read one version as it was sent',
    permission: 'any key',
    answers: {
      200: { ...documentAnswered('The document of that version'), schema },
      304: { description: 'The client has it already' },
    },
    async handle({ services, caller, params, headers }) {
      const name = { organizationId: caller.organizationId, kind, externalId: params.id }
      const revision = await getDocumentVersion(services.db, name, params.version)
      const request = { headers, conditions: readConditions(headers) }
      const more = headersFor(revision.format, services)
      return await documentAnswer(inThreads(services, caller), revision, request, more)
    },
  }
}
