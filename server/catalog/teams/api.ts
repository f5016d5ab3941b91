import { z } from '@hono/zod-openapi'
import { asOfParameter } from '../../ledger/history/revision.ts'
import { revisionAsOf } from '../../ledger/history/service.ts'
import { plan } from '../../ledger/history/plan.ts'
import { readConditions } from '../../requests/http/conditional.ts'
import {
  documentAnswer,
  documentAnswered,
  DOCUMENT_MEDIA_TYPES,
} from '../../requests/http/document.ts'
import { putQuery, readDocument } from '../../requests/http/document.ts'
import { inThreads, createPageHeader, type Endpoint } from '../../requests/http/endpoint.ts'
import { commonError, describeError } from '../../requests/http/openapi.ts'
import { pageParameter } from '../../requests/http/paging.ts'
import { answerDelete, answerPut, toPut } from '../../documents/answer-service.ts'
import { negotiate } from '../../requests/http/negotiation.ts'
import {
  createFormAnswer,
  describeForms,
  type AlternativeForm,
} from '../../documents/alternative-form.ts'
import { RDF_MEDIA_TYPES } from '../../../formats/rdf/syntax.ts'
import { createRdfForms } from '../rdf/rdf.ts'
import { writeTeam } from '../rdf/service.ts'
import { getTeam, listTeams as listTeamsAnswer, TEAMS } from './service.ts'
import { TEAM_FIELDS, type TeamFieldKind } from '../../../formats/team/team-fields.ts'
import { TEAM_TYPES } from '../../../formats/team/team-type.ts'

const BODY_BYTES_MAX = 1024 * 1024

const SCHEMAS: Readonly<Record<TeamFieldKind, z.ZodType>> = {
  text: z.string(),
  'long-text': z.string(),
  type: z.enum(TEAM_TYPES),
  parent: z.string(),
  members: z.array(z.looseObject({ emailAddress: z.string(), role: z.string().nullish() })),
  tags: z.array(z.string()),
  links: z.record(z.string(), z.unknown()),
  object: z.record(z.string(), z.unknown()),
}

function toSchema(field: (typeof TEAM_FIELDS)[number]): [string, z.ZodType] {
  const schema = 'isRequired' in field ? SCHEMAS[field.kind] : SCHEMAS[field.kind].nullish()
  const described =
    'description' in field ? schema.openapi({ description: field.description }) : schema
  return [field.name, described]
}

/** A team with its members, as the OpenAPI document describes it. */
export const teamDocument = z
  .looseObject(Object.fromEntries(TEAM_FIELDS.map(toSchema)))
  .openapi('Team')

/** A team as clients send it: the address has its id. */
const teamInput = teamDocument
  .extend({
    id: z.string().nullish().openapi({ description: 'Absent = that of the path' }),
    type: z.string().nullish().openapi({
      description: 'Absent = Team; any text that is not a type moves to `customType`',
    }),
  })
  .openapi('TeamInput')

const teamAnswered = {
  ...documentAnswered('The team'),
  schema: teamDocument,
}

/** `PUT /api/teams/{id}`: creates or replaces a team. */
export const putTeam: Endpoint<'id', z.infer<typeof putQuery>> = {
  operation: 'putTeam',
  summary: 'Create or replace a team',
  description:
    'Adding a member, changing a role and removing a member need `TEAM_MEMBER_ADD`, `_EDIT` and `_DELETE`, other fields `TEAM_EDIT`, a new parent `TEAM_ADD` there. People may remove themselves. A change that gives or takes away more than the caller may do in the team is rejected (`role_exceeds_own`).',
  permission: {
    needs: ['TEAM_ADD', 'TEAM_EDIT', 'TEAM_MEMBER_ADD', 'TEAM_MEMBER_EDIT', 'TEAM_MEMBER_DELETE'],
    on: 'the team, and its old and new parent; none to leave the team',
    hasAlternative: true,
  },
  query: putQuery,
  body: {
    content: 'document',
    mediaTypes: DOCUMENT_MEDIA_TYPES,
    bytesMax: BODY_BYTES_MAX,
    schema: teamInput,
    description: 'The team, whole: what is left out is removed',
  },
  answers: {
    200: {
      ...teamAnswered,
      description: 'The team as stored, or the plan of a dry run',
      schema: z.union([teamDocument, plan]),
    },
    412: commonError(412),
  },
  async handle(call) {
    const answer = await answerPut(call, TEAMS, { ...toPut(call), source: readDocument(call.body) })
    if (!call.query.dryRun) call.services.authenticator.forget()
    return answer
  },
}

const getQuery = z.object({ asOf: asOfParameter })

const RDF_FORMS = createRdfForms(writeTeam)

function findRdfForm(headers: Headers): AlternativeForm | undefined {
  const offers = [...DOCUMENT_MEDIA_TYPES, ...RDF_MEDIA_TYPES] as const
  const mediaType = negotiate(headers.get('accept'), offers)
  return RDF_FORMS.find((form) => form.mediaType === mediaType)
}

/** `GET /api/teams/{id}`: a team. */
export const getTeamById: Endpoint<'id', z.infer<typeof getQuery>> = {
  operation: 'getTeam',
  summary: 'Read a team',
  permission: 'any key',
  query: getQuery,
  answers: {
    200: describeForms(teamAnswered, RDF_FORMS),
    304: { description: 'The client has it already' },
  },
  async handle({ services, caller, params, query, headers }) {
    const { organizationId } = caller
    const name = { organizationId, kind: 'team', externalId: params.id } as const
    const stored =
      query.asOf === undefined
        ? await getTeam(services.db, organizationId, params.id)
        : await revisionAsOf(services.db, name, query.asOf)
    const page = createPageHeader(services, 'teams', params.id)
    const form = query.asOf === undefined ? findRdfForm(headers) : undefined
    if (form !== undefined) {
      const body = await form.write(services, organizationId, stored, params.id)
      return createFormAnswer(form, body, page)
    }
    const request = { headers, conditions: readConditions(headers) }
    return await documentAnswer(inThreads(services, caller), stored, request, page)
  },
}

const listQuery = z.object({
  p: pageParameter,
  email: z.string().optional().openapi({ description: 'Only teams with this direct member' }),
  asOf: asOfParameter,
})

/** `GET /api/teams`: the teams, in the order of their creation. */
export const listTeams: Endpoint<never, z.infer<typeof listQuery>> = {
  operation: 'listTeams',
  summary: 'List teams',
  permission: 'any key',
  query: listQuery,
  answers: {
    200: {
      description: 'At most 1000 teams',
      schema: z.array(teamDocument),
      headers: { link: 'The next page, when there is one' },
    },
  },
  async handle({ services, caller, query, path, search }) {
    return await listTeamsAnswer(services, caller.organizationId, query, { path, search })
  },
}

const deleteQuery = z.object({})

/** `DELETE /api/teams/{id}`: deletes a team that owns nothing. */
export const deleteTeam: Endpoint<'id'> = {
  operation: 'deleteTeam',
  summary: 'Delete a team that owns nothing and has no teams below it',
  permission: { needs: ['TEAM_DELETE'], on: 'the team' },
  query: deleteQuery,
  answers: {
    200: { description: 'The team and its API keys are gone' },
    412: commonError(412),
    422: describeError('The team owns resources or has subteams'),
  },
  async handle(call) {
    const answer = await answerDelete(call, TEAMS)
    call.services.authenticator.forget()
    return answer
  },
}
