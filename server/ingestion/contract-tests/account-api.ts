import { z } from '@hono/zod-openapi'
import type { Caller } from '../../requests/access/caller.ts'
import {
  jsonAnswer,
  type Answer,
  type Endpoint,
  type PathCall,
  type Services,
} from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { findEditableIntegration } from '../integrations/service.ts'
import { changeAccount, describeAccount, removeAccount } from './account-service.ts'

const USER_CHARACTERS_MAX = 128
const PASSWORD_CHARACTERS_MAX = 4096

const MAY_EDIT = {
  needs: ['INGESTION_EDIT'] as const,
  on: 'the owning team; without one, the organization',
}

const testAccount = z
  .object({
    isOffered: z.boolean().openapi({ description: 'Whether tables of this source can be tested' }),
    product: z.string().openapi({ description: 'The product of the source, if a run has read it' }),
    right: z.string().nullable().openapi({ description: 'The privileges that the account needs' }),
    userName: z.string().nullable().openapi({ description: 'null without an account' }),
    enabled: z.boolean(),
    isForAllTeams: z.boolean().openapi({
      description: 'Whether contracts of other teams than that of the integration are tested, too',
    }),
    needsPassword: z.boolean().openapi({
      description: 'Whether the password must be entered: there is none for this destination',
    }),
    updatedAt: z.string().nullable().openapi({ format: 'date-time' }),
    mayEdit: z.boolean(),
  })
  .openapi('TestAccount')

async function requireEditable(call: PathCall<'externalId'>): Promise<void> {
  await findEditableIntegration(call.services.db, call.caller, call.params.externalId)
}

async function answer({ db }: Services, caller: Caller, externalId: string): Promise<Answer> {
  return jsonAnswer(200, testAccount, await describeAccount(db, caller, externalId))
}

/** `GET /api/integrations/{externalId}/test-account`: the account that tests contracts. */
export const getTestAccount: Endpoint<'externalId'> = {
  operation: 'getIntegrationTestAccount',
  summary: 'Show the account of an integration that tests contracts',
  permission: 'any key',
  answers: { 200: { description: 'The account, without its password', schema: testAccount } },
  handle: ({ services, caller, params: { externalId } }) => answer(services, caller, externalId),
}

const accountForm = z
  .strictObject({
    userName: z.string().trim().min(1, 'must not be empty').max(USER_CHARACTERS_MAX),
    password: z
      .string()
      .min(1, 'must not be empty')
      .max(PASSWORD_CHARACTERS_MAX)
      .nullish()
      .openapi({ description: 'Absent = the stored one stays, for the same user and destination' }),
    enabled: z.boolean(),
    isForAllTeams: z.boolean(),
  })
  .openapi('NewTestAccount')

/** `PUT /api/integrations/{externalId}/test-account`: sets the account that tests contracts. */
export const putTestAccount: Endpoint<'externalId'> = {
  operation: 'setIntegrationTestAccount',
  summary: 'Set the account of an integration that tests contracts',
  description:
    'A second account that may only select. With it, `POST /api/datacontracts/{id}/test` counts in the tables of the source. It cannot be the account that reads the source.',
  permission: MAY_EDIT,
  requires: requireEditable,
  body: formBody(accountForm, 'The account'),
  answers: {
    200: { description: 'The account, without its password', schema: testAccount },
    422: describeError('Tables of this source cannot be tested, or the account is not valid'),
  },
  async handle({ services, caller, params: { externalId }, body, requestId }) {
    const { password, ...account } = readForm(body, accountForm)
    const change = { ...account, password: password ?? undefined }
    await changeAccount(services, caller, { externalId, requestId }, change)
    return await answer(services, caller, externalId)
  },
}

/** `DELETE /api/integrations/{externalId}/test-account`: deletes the account that tests contracts. */
export const deleteTestAccount: Endpoint<'externalId'> = {
  operation: 'deleteIntegrationTestAccount',
  summary: 'Delete the account of an integration that tests contracts',
  permission: MAY_EDIT,
  requires: requireEditable,
  answers: { 200: { description: 'The account is deleted' } },
  async handle({ services, caller, params: { externalId }, requestId }) {
    await removeAccount(services, caller, { externalId, requestId })
    return { status: 200 }
  },
}
