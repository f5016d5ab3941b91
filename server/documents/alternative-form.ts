import { z } from '@hono/zod-openapi'
import type { Answer, DescribedAnswer, Services } from '../requests/http/endpoint.ts'
import type { RegisteredDocument } from './document.ts'

/** A form of a document that is neither JSON nor YAML as it was sent. */
export interface AlternativeForm {
  mediaType: string
  /** Absent = that of the document. */
  schema?: z.ZodType
  /** Headers of the answer. */
  headers?: Readonly<Record<string, string>>
  /** `draft`: it follows a standard that is not final. Absent = it is stable. */
  stability?: 'draft'
  write(
    services: Services,
    organizationId: string,
    stored: Pick<RegisteredDocument, 'document' | 'mediaType'>,
    id: string,
  ): Promise<string>
}

/** Adds further forms of a document to the description of its answer. */
export function describeForms(
  answer: DescribedAnswer,
  forms: readonly AlternativeForm[],
): DescribedAnswer {
  const schemas = forms.map(({ mediaType, schema = answer.schema ?? z.unknown() }) => [
    mediaType,
    schema,
  ])
  const drafts = forms.filter(({ stability }) => stability === 'draft')
  return {
    ...answer,
    otherSchemas: Object.fromEntries(schemas),
    draftMediaTypes: drafts.map(({ mediaType }) => mediaType),
  }
}

/** Creates the answer with a further form of a document, which has the header of its page. */
export function createFormAnswer(
  { mediaType, headers }: AlternativeForm,
  body: string,
  page: Record<string, string>,
): Answer {
  return { status: 200, headers: { vary: 'accept', ...page, ...headers }, mediaType, body }
}
