// Answers in the forms of standards that are drafts of Bitol: `?format=omds`, or `Accept: application/omds+yaml`.

import { z } from '@hono/zod-openapi'
import type { Answer, DescribedAnswer } from './endpoint.ts'
import { negotiate } from './negotiation.ts'

/** The drafts, each with the value of the header `portbook-draft`. */
const DRAFTS = {
  omds: 'rfc-0039; text=2026-07',
  oors: 'oors; version=v0.8.1',
  oaas: 'rfc-0056; text=2026-07',
} as const

/** The name of a draft: its `format`, and a part of its media types. */
type Draft = keyof typeof DRAFTS

/** The notation of an answer in the form of a draft. */
export type DraftSyntax = 'json' | 'yaml'

/** Describes the parameter `format`. */
export function draftParameter(draft: Draft) {
  return z
    .enum([draft], `must be ${draft}`)
    .optional()
    .openapi({
      description: `The answer is ${draft.toUpperCase()}, an experimental form; in YAML if \`Accept\` names it`,
    })
}

/** Returns the notation in which a client asks for a draft; undefined if it asks for the usual answer. */
export function chooseDraft(
  draft: Draft,
  format: string | undefined,
  headers: Headers,
): DraftSyntax | undefined {
  const { json, yaml } = toMediaTypes(draft)
  const accept = headers.get('accept')
  if (format === draft) {
    const chosen = negotiate<string>(accept, [
      json,
      'application/json',
      'application/yaml',
      json,
      yaml,
    ])
    return chosen.endsWith('yaml') ? 'yaml' : 'json'
  }
  const chosen = negotiate<string>(accept, ['application/json', json, yaml])
  if (chosen === 'application/json') return undefined
  return chosen === yaml ? 'yaml' : 'json'
}

/** Creates an answer in the form of a draft. */
export function createDraftAnswer(
  draft: Draft,
  syntax: DraftSyntax,
  body: NonNullable<Answer['body']>,
  headers: Record<string, string> = {},
): Answer {
  const mediaType = toMediaTypes(draft)[syntax]
  const all = { 'portbook-draft': DRAFTS[draft], vary: 'accept', ...headers }
  return { status: 200, headers: all, mediaType, body }
}

/** Adds the form of a draft to the description of an answer. */
export function describeDraft(
  draft: Draft,
  answer: DescribedAnswer,
  schema: z.ZodType = z.unknown(),
): DescribedAnswer {
  const { json, yaml } = toMediaTypes(draft)
  return {
    ...answer,
    otherSchemas: { ...answer.otherSchemas, [json]: schema, [yaml]: schema },
    draftMediaTypes: [...(answer.draftMediaTypes ?? []), json, yaml],
    headers: {
      ...answer.headers,
      'portbook-draft': 'The draft and its version, in an experimental form',
      'portbook-loss-count': 'How much the experimental form cannot express',
      'portbook-losses': 'The first of it, as a JSON array of sentences',
    },
  }
}

function toMediaTypes(draft: Draft): { json: string; yaml: string } {
  return { json: `application/${draft}+json`, yaml: `application/${draft}+yaml` }
}
