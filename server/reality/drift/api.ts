import { z } from '@hono/zod-openapi'
import { DRIFT_LEVELS } from '../../../formats/reality/difference.ts'
import { writePlan } from '../../documents/answer-service.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import { acceptanceForm, FINDING_STATUSES } from '../acceptance.ts'
import { acceptFinding, endAcceptance, requireFindingEdit } from './acceptance-service.ts'
import { getContractDrift } from './contract-service.ts'
import { contractDrift, driftProposal, finding } from './drift.ts'
import { listFindings, readFinding } from './list-service.ts'
import { proposeContract } from './proposal-service.ts'

/** `GET /api/datacontracts/{id}/drift`: how the assets of a contract differ from it. */
export const getDrift: Endpoint<'id'> = {
  operation: 'getDataContractDrift',
  summary: 'Compare a data contract with its assets',
  description:
    'Every model on every server is linked with at most one asset. The comparison is that of the last change of either: nothing is read from a source.',
  permission: 'any key',
  answers: {
    200: { description: 'The differences', schema: contractDrift },
    422: describeError('Reading the document takes too much time or memory'),
  },
  async handle({ services, caller, params: { id } }) {
    const drift = await getContractDrift(services, caller.organizationId, id)
    return jsonAnswer(200, contractDrift, drift)
  },
}

const TEAMS_MAX = 100

const listQuery = z.object({
  teamId: z
    .union([z.string().transform((text) => [text]), z.array(z.string()).max(TEAMS_MAX)])
    .optional()
    .openapi({
      type: 'array',
      items: { type: 'string' },
      description: 'Of contracts that one of these teams owns',
    }),
  dataContractId: z.string().optional(),
  assetId: z.string().optional(),
  integration: z
    .string()
    .optional()
    .openapi({ description: 'The external id of the integration that maintains the asset' }),
  level: z.enum(DRIFT_LEVELS, `must be one of ${DRIFT_LEVELS.join(', ')}`).optional(),
  status: z
    .enum(FINDING_STATUSES, `must be one of ${FINDING_STATUSES.join(', ')}`)
    .optional()
    .openapi({ description: 'Absent = open and accepted ones' }),
  p: pageParameter,
})

/** `GET /api/drift`: the differences between all contracts and their assets. */
export const listDrift: Endpoint<never, z.infer<typeof listQuery>> = {
  operation: 'listDrift',
  summary: 'List differences between data contracts and assets, newest first',
  permission: 'any key',
  query: listQuery,
  answers: {
    200: {
      description: 'At most 1000 differences',
      schema: z.array(finding),
      headers: { link: 'The next page, when there is one' },
    },
  },
  async handle({ services: { db, clock }, caller, query, path, search }) {
    const { p: page, teamId: teamIds, ...filter } = query
    const { organizationId } = caller
    const findings = await listFindings(db, clock, organizationId, { ...filter, teamIds }, page)
    const headers = findings.hasMore ? { link: nextPageLink(path, search, page) } : {}
    return jsonAnswer(200, z.array(finding), findings.elements, headers)
  },
}

/** `GET /api/drift/{id}`: a difference, also one that is resolved. */
export const getFinding: Endpoint<'id'> = {
  operation: 'getDrift',
  summary: 'Read a difference between a data contract and an asset',
  permission: 'any key',
  answers: { 200: { description: 'The difference', schema: finding } },
  async handle({ services: { db }, caller, params: { id } }) {
    return jsonAnswer(200, finding, await readFinding(db, caller.organizationId, id))
  },
}

const FINDINGS_MAX = 1_000
const PROPOSAL_BYTES_MAX = 64 * 1024

const proposalForm = z
  .strictObject({
    findings: z
      .array(z.uuid('must be the id of a difference'))
      .max(FINDINGS_MAX, `must have at most ${FINDINGS_MAX} elements`)
      .optional()
      .openapi({
        description:
          'The ids of the differences that the contract adopts. Absent = the breaking ones that count, apart from tables that do not exist',
      }),
  })
  .openapi('NewDriftProposal')

const proposalHead = driftProposal.omit({ plan: true })

/** `POST /api/datacontracts/{id}/drift/proposal`: the text of a contract that promises what its tables are. */
export const postProposal: Endpoint<'id'> = {
  operation: 'proposeDataContract',
  summary: 'Propose a data contract that promises what its assets are',
  description:
    'Writes nothing. The document is the stored one, changed only where it differs; `plan` is the dry run of its PUT.',
  permission: 'any key',
  limitedKey: 'none',
  body: formBody(proposalForm, 'The differences that the contract adopts', PROPOSAL_BYTES_MAX),
  answers: {
    200: { description: 'The document, and what saving it would do', schema: driftProposal },
    422: describeError(
      'A difference is not open, or cannot be written into the contract; `findings` names it',
    ),
  },
  async handle({ services, caller, params: { id: contractId }, body, requestId }) {
    const { findings } = readForm(body, proposalForm)
    const proposal = await proposeContract(services, caller, { contractId, findings, requestId })
    const { plan, ...head } = proposal
    return jsonAnswer(200, proposalHead, head, {}, { plan: writePlan(plan) })
  },
}

const FINDING_EDIT = {
  needs: ['DATACONTRACT_EDIT'],
  on: 'the team of the data contract',
} as const

/** `PUT /api/drift/{id}/acceptance`: accepts a difference for a time. */
export const putAcceptance: Endpoint<'id'> = {
  operation: 'acceptDrift',
  summary: 'Accept a difference between a data contract and an asset',
  description:
    'An accepted difference neither counts as drift nor opens an incident. The acceptance ends at its time, and as soon as the difference becomes another one.',
  permission: FINDING_EDIT,
  requires: ({ services, caller, params }) => requireFindingEdit(services, caller, params.id),
  body: formBody(acceptanceForm, 'Why it is accepted, and until when'),
  answers: {
    200: { description: 'The difference', schema: finding },
    422: describeError('The difference is resolved, or has changed'),
  },
  async handle({ services, caller, params: { id }, body, requestId }) {
    const form = readForm(body, acceptanceForm)
    const changed = await acceptFinding(services, caller, { ...form, id, requestId })
    return jsonAnswer(200, finding, changed)
  },
}

/** `DELETE /api/drift/{id}/acceptance`: ends the acceptance of a difference. */
export const deleteAcceptance: Endpoint<'id'> = {
  operation: 'endDriftAcceptance',
  summary: 'End the acceptance of a difference',
  permission: FINDING_EDIT,
  requires: ({ services, caller, params }) => requireFindingEdit(services, caller, params.id),
  answers: { 200: { description: 'The difference', schema: finding } },
  async handle({ services, caller, params: { id }, requestId }) {
    const changed = await endAcceptance(services, caller, { id, requestId })
    return jsonAnswer(200, finding, changed)
  },
}
