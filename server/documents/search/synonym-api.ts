import { z } from '@hono/zod-openapi'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { loadSynonyms, saveSynonyms } from './synonym-store.ts'
import { KNOWN_SYNONYMS, toIndexWord, type SynonymGroups } from './synonyms.ts'

const GROUPS_MAX = 100
const WORDS_MAX = 10
const WORD_CHARACTERS_MAX = 40

const word = z
  .string()
  .max(WORD_CHARACTERS_MAX, `must have at most ${WORD_CHARACTERS_MAX} characters`)
  .refine((text) => toIndexWord(text) !== '', 'must have a letter or a digit')

const groups = z
  .array(z.array(word).min(2, 'must have two words or more').max(WORDS_MAX))
  .max(GROUPS_MAX, `must be at most ${GROUPS_MAX} groups`)

const synonymForm = z.strictObject({ groups })

const synonymAnswer = z
  .object({
    groups: z.array(z.array(z.string())).openapi({
      description: 'The groups that the organization has added',
    }),
    known: z.array(z.array(z.string())).openapi({
      description: 'The groups that every organization has',
    }),
  })
  .openapi('SearchSynonyms')

/** `GET /ui/search-synonyms`: the groups of synonyms of the organization. */
export const getSynonyms: Endpoint = {
  operation: 'getSearchSynonyms',
  summary: 'List the words that search treats alike',
  lane: 'point',
  permission: 'a session',
  answers: { 200: { description: 'The groups of words', schema: synonymAnswer } },
  async handle({ services, caller }) {
    const own = await loadSynonyms(services.db, caller.organizationId)
    return jsonAnswer(200, synonymAnswer, toAnswer(own))
  },
}

/** `PUT /ui/search-synonyms`: replaces the groups that the organization has added. */
export const putSynonyms: Endpoint = {
  operation: 'putSearchSynonyms',
  summary: 'Replace the words that search treats alike',
  permission: 'an owner of the organization',
  body: formBody(synonymForm, 'The groups of words'),
  answers: { 200: { description: 'The groups of words', schema: synonymAnswer } },
  async handle({ services, caller, body, requestId }) {
    requireOwner(caller)
    const { organizationId, principal } = caller
    const form = readForm(body, synonymForm)
    await saveSynonyms(services.db, organizationId, form.groups, { principal, requestId })
    return jsonAnswer(200, synonymAnswer, toAnswer(form.groups))
  },
}

function toAnswer(own: SynonymGroups): z.infer<typeof synonymAnswer> {
  return { groups: copyGroups(own), known: copyGroups(KNOWN_SYNONYMS) }
}

function copyGroups(all: SynonymGroups): string[][] {
  return all.map((group) => [...group])
}
