import { z } from '@hono/zod-openapi'
import {
  convertToJson,
  readAcceptedText,
  readText,
  withoutByteOrderMark,
} from '../../../formats/text/text.ts'
import { convertToYaml } from '../../../formats/text/text.ts'
import type { MediaType, Path, Position, SourceText } from '../../../formats/text/text.ts'
import { clip } from '../../../formats/text/value.ts'
import { ApiError, type ApiErrorMembers, type Violation } from '../../platform/errors.ts'
import { type ErrorCode } from '../../platform/error-codes.ts'
import { splitBySize } from '../../platform/kit/batches.ts'
import type { Body } from './body.ts'
import { entityTag, isNotModified, type Conditions } from './conditional.ts'
import type { Answer, DescribedAnswer } from './endpoint.ts'
import { negotiate } from './negotiation.ts'
import type { Offload, Task, TaskText, TextOutput } from './offload.ts'

/** A document as it is stored: the text that was sent. */
export interface StoredDocument {
  document: string
  mediaType: string
  /** The JSON form when it is known already; otherwise it is made from the text. */
  documentJson?: string | null
  digest: string
}

/** The media types of documents. */
export const DOCUMENT_MEDIA_TYPES = [
  'application/json',
  'application/yaml',
] as const satisfies readonly MediaType[]

/** The query parameters of every PUT of a document. */
export const putQuery = z.object({
  dryRun: flagParameter('Answers the plan of the change and writes nothing'),
  strict: flagParameter('Takes deviations from the official schema for errors'),
})

/** Any document, as the OpenAPI document describes it. */
export const anyDocument = z.record(z.string(), z.unknown()).openapi('Document', {
  description: 'A document as it was sent, byte for byte',
})

/** A query parameter that is `true` or `false`. */
export function flagParameter(description: string) {
  return z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true')
    .openapi({ type: 'boolean', default: false, description })
}

/** The answer that shows a document, for the documentation. */
export function documentAnswered(description: string): DescribedAnswer {
  return {
    description,
    mediaTypes: DOCUMENT_MEDIA_TYPES,
    schema: anyDocument,
    headers: {
      etag: "The digest of the document's meaning",
      'location-html': "The address of the resource's page",
      deprecation: 'Since when its format is deprecated (RFC 9745)',
      sunset: 'When its format ends (RFC 8594)',
      link: 'Where moving to another format is explained',
    },
  }
}

/**
 * Parses the text of a body into values with positions. Errors: body_malformed, body_unacceptable (also for
 * too many values).
 */
export function readDocument(body: Body, limits: { nodesMax?: number } = {}): SourceText {
  const source = readText(body.text, body.mediaType, limits)
  if (source.ok) return source
  const [first] = source.problems
  const place = first === undefined ? '' : ` (line ${first.line}, column ${first.column})`
  throw new ApiError(
    source.kind === 'malformed' ? 'body_malformed' : 'body_unacceptable',
    `${first?.message ?? 'The body cannot be read'}${place}`,
    { violations: source.problems },
  )
}

/** Reads a stored text again; it was readable when it was stored. */
export function readStored(stored: { document: string; mediaType: string }): SourceText {
  const mediaType = getMediaType(stored)
  const source = readAcceptedText(stored.document, mediaType)
  if (!source.ok)
    throw new Error(`a stored document is not readable: ${source.problems[0]?.message}`)
  return source
}

/** A request for a document. */
interface DocumentRequest {
  headers: Headers
  conditions?: Conditions
  /** The media type; absent = the one that the client likes best. */
  form?: MediaType | undefined
}

/**
 * Returns a document in the requested form: YAML if the client names it and does not prefer JSON, otherwise
 * JSON; 304 if the client already has that form.
 */
export async function documentAnswer(
  { offload, organizationId }: { offload: Offload; organizationId: string },
  stored: StoredDocument,
  request: DocumentRequest,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sentAs = getMediaType(stored)
  const wanted = request.form ?? negotiate(request.headers.get('accept'), DOCUMENT_MEDIA_TYPES)
  const form = wanted === sentAs ? undefined : wanted.slice('application/'.length)
  const tag = entityTag(stored.digest, form)
  const all = { etag: tag, vary: 'accept', ...headers }
  if (request.conditions !== undefined && isNotModified(request.conditions, tag)) {
    return { status: 304, headers: all }
  }
  const known = wanted === sentAs ? stored.document : undefined
  const json = wanted === 'application/json' ? stored.documentJson : undefined
  const body = known ?? json ?? (await convert(offload, organizationId, stored))
  return { status: 200, headers: all, mediaType: wanted, body }
}

/** Converts a stored document: JSON to YAML, and YAML to JSON. Errors: document_too_costly, overloaded. */
async function convert(
  offload: Offload,
  organizationId: string,
  { document, mediaType }: StoredDocument,
): Promise<string> {
  const text = { document, mediaType }
  return (await offload.runOnce(organizationId, convertDocument, text, text, '')).text
}

// The characters of YAML that one task converts, so that it stays far below the limits.
const BATCH_CHARS_MAX = 256 * 1024

/** Returns documents as JSON, in their order. Errors: document_too_costly, overloaded. */
export async function jsonTexts(
  offload: Offload,
  organizationId: string,
  texts: readonly StoredText[],
): Promise<string[]> {
  const yaml = texts.filter((text) => getMediaType(text) === 'application/yaml')
  const documents = [...new Set(yaml.map(({ document }) => document))]
  const converted = new Map<string, string>()
  await Promise.all(
    splitBySize(documents, BATCH_CHARS_MAX, (document) => document.length).map(async (batch) => {
      const json = await convertBatch(offload, organizationId, batch)
      for (const [at, document] of batch.entries()) converted.set(document, json[at] ?? 'null')
    }),
  )
  return texts.map(({ document }) => converted.get(document) ?? withoutByteOrderMark(document))
}

async function convertBatch(
  offload: Offload,
  organizationId: string,
  documents: readonly string[],
): Promise<string[]> {
  const texts = documents.map((document) => ({ document, mediaType: 'application/yaml' }))
  const [only, ...more] = texts
  if (only === undefined) return []
  if (more.length > 0) return await offload.run(organizationId, convertDocuments, texts, texts)
  return [await convert(offload, organizationId, { ...only, digest: '' })]
}

/** The text of a stored document and its media type. */
export type StoredText = TaskText

/** Writes a stored document in the other media type. */
export const convertDocument: Task<StoredText, TextOutput> = {
  name: 'convertDocument',
  run(stored) {
    const isYaml = getMediaType(stored) === 'application/yaml'
    const source = readStored(stored)
    const text = isYaml ? convertToJson(source) : convertToYaml(source)
    return { text, mediaType: isYaml ? 'application/json' : 'application/yaml', headers: {} }
  },
}

/** Writes stored documents in the other media type. */
export const convertDocuments: Task<readonly StoredText[], string[]> = {
  name: 'convertDocuments',
  run: (texts) => texts.map((text) => convertDocument.run(text).text),
}

/** Finds where a text has a value. Errors: those of `readDocument`. */
export const locateInDocument: Task<StoredText & { path: Path; nodesMax: number }, Position> = {
  name: 'locateInDocument',
  run({ document, mediaType, path, nodesMax }) {
    return readDocument(
      { text: document, mediaType: getMediaType({ mediaType }) },
      { nodesMax },
    ).locate(path)
  },
}

function getMediaType({ mediaType }: { mediaType: string }): MediaType {
  return mediaType === 'application/yaml' ? 'application/yaml' : 'application/json'
}

/** Creates the error for a document that violates its standard or a rule, with every problem. */
export function invalidDocument(
  problems: readonly Violation[],
  members: ApiErrorMembers = {},
): ApiError {
  return describeViolations('document_invalid', problems, members)
}

/** Creates the error for a document of a draft in a version that cannot be read. */
export function unsupportedFormat(problems: readonly Violation[]): ApiError {
  return describeViolations('format_unsupported', problems, {})
}

/** Creates the error for a request body, other than a document, that has invalid fields. */
export function invalidRequest(
  problems: readonly Violation[],
  members: ApiErrorMembers = {},
): ApiError {
  return describeViolations('validation_failed', problems, members)
}

function describeViolations(
  code: ErrorCode,
  violations: readonly Violation[],
  extensions: ApiErrorMembers,
): ApiError {
  const [first, ...more] = violations
  const field = first?.field ? `${first.field}: ` : ''
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`
  return new ApiError(code, `${field}${first?.message}${rest}`, { violations, extensions })
}

/** Creates the error for a request whose field names a team that does not exist. */
export function unknownTeam(
  team: string,
  violation: Omit<Violation, 'message'>,
  code: ErrorCode = 'document_invalid',
): ApiError {
  const { field } = violation
  const id = clip(team)
  const message = describeUnknownTeam(id)
  return new ApiError(code, `${field}: ${message}`, {
    violations: [{ ...violation, message }],
    extensions: { unknownTeam: { id, field } },
  })
}

/** Describes an unknown team and how to create it. */
export function describeUnknownTeam(id: string): string {
  return `Unknown team "${id}". Create it with PUT /api/teams/{id} first.`
}
