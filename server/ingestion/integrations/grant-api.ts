import { z } from '@hono/zod-openapi'
import { notFound } from '../../platform/errors.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { jsonAnswer, type Answer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { SUBJECT_KINDS } from '../../reality/grants/grants.ts'
import { PATTERN_CHARACTERS_MAX } from '../../reality/grants/pattern.ts'
import { describeSettings, type GrantSettings } from '../../reality/grants/service.ts'
import { changeSettings, mapName, unmapName } from '../../reality/grants/settings-service.ts'
import { GRANTEE_NAME_BYTES_MAX } from '../../connectors/grant.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { Integration } from './integration.ts'
import { findOffer, requireOffer } from './offer-service.ts'
import {
  findEditableIntegration,
  findVisibleIntegration,
  requireIntegrationEdit,
} from './service.ts'

const ID_CHARACTERS_MAX = 1024

const instant = z.string().openapi({ format: 'date-time' })
const MAY_EDIT = {
  needs: ['INGESTION_EDIT'] as const,
  on: 'the owning team; without one, the organization',
}

const granteeName = {
  granteeKind: z.enum(['user', 'role', 'group']),
  granteeName: z
    .string()
    .min(1, 'must not be empty')
    .refine(
      (name) => Buffer.byteLength(name) <= GRANTEE_NAME_BYTES_MAX,
      `must have at most ${GRANTEE_NAME_BYTES_MAX} bytes`,
    ),
}

const mappedName = z.object({
  kind: z.string(),
  name: z.string(),
  subject: z
    .object({ kind: z.enum(SUBJECT_KINDS), id: z.string().nullable() })
    .nullable()
    .openapi({ description: 'null = unknown' }),
  origin: z.enum(['report', 'rule', 'hand']).nullable(),
  isAdministrator: z.boolean().openapi({
    description: 'Reads everything by its position, which no agreement is about',
  }),
})

const grantSettings = z
  .object({
    isOffered: z.boolean().openapi({ description: 'Whether grants of this source can be read' }),
    product: z.string().openapi({ description: 'The product of the source, if a run has read it' }),
    right: z.string().nullable().openapi({ description: 'The privileges that the account needs' }),
    enabled: z.boolean(),
    pattern: z.string().nullable(),
    readAt: instant.nullable(),
    attemptedAt: instant.nullable(),
    incompleteBecause: z.string().nullable(),
    findingCount: z.int(),
    mappedCount: z.int(),
    unknownCount: z.int().openapi({
      description:
        'Names on tables of output ports without a known meaning, without administrators',
    }),
    names: z.array(mappedName).nullable().openapi({
      description:
        'At most 1000 names on tables of output ports, first those without a known meaning; null = they are not visible to the caller',
    }),
    mayEdit: z.boolean(),
  })
  .openapi('IntegrationGrantSettings')

async function answer(
  services: Services,
  caller: Caller,
  integration: Integration,
): Promise<Answer> {
  const { organizationId } = caller
  const { rules, product } = await findOffer(services.db, organizationId, integration, 'grants')
  const settings: GrantSettings = await describeSettings(services.db, caller, {
    integrationId: integration.id,
    ownerTeam: integration.ownerTeam,
  })
  const offer = { isOffered: rules !== undefined, product, right: rules?.right ?? null }
  return jsonAnswer(200, grantSettings, { ...offer, ...settings })
}

/** `GET /api/integrations/{externalId}/grants`: whether and how grants are read. */
export const getGrantSettings: Endpoint<'externalId'> = {
  operation: 'getIntegrationGrants',
  summary: 'Show whether an integration reads grants, and the meaning of names',
  description:
    'Names are visible to owners of the organization, and to those who approve access for the team of a data product, for its tables.',
  permission: 'any key',
  answers: { 200: { description: 'The settings', schema: grantSettings } },
  async handle({ services, caller, params: { externalId } }) {
    const integration = await findVisibleIntegration(services.db, caller, externalId)
    return await answer(services, caller, integration)
  },
}

const settingsForm = z
  .strictObject({
    enabled: z.boolean(),
    pattern: z
      .string()
      .trim()
      .max(PATTERN_CHARACTERS_MAX, `must have at most ${PATTERN_CHARACTERS_MAX} characters`)
      .nullish()
      .openapi({ description: 'Such as `dp_{product}_reader`, `{team}` or `{email}`' }),
  })
  .openapi('NewIntegrationGrantSettings')

/** `PUT /api/integrations/{externalId}/grants`: changes whether and how grants are read. */
export const putGrantSettings: Endpoint<'externalId'> = {
  operation: 'configureIntegrationGrants',
  summary: 'Change whether an integration reads grants',
  description:
    'Runs read grants from then on. Switching it off deletes what was read, and resolves the findings.',
  permission: MAY_EDIT,
  requires: requireIntegrationEdit,
  body: formBody(settingsForm, 'The settings'),
  answers: {
    200: { description: 'The settings', schema: grantSettings },
    422: describeError('Grants of this source cannot be read'),
  },
  async handle({ services, caller, params: { externalId }, body, requestId }) {
    const integration = await findEditableIntegration(services.db, caller, externalId)
    const { enabled, pattern } = readForm(body, settingsForm)
    if (enabled) await requireOffer(services.db, caller.organizationId, integration, 'grants')
    const change = toChange(caller, integration, requestId)
    const stored = pattern === undefined || pattern === '' ? null : pattern
    await changeSettings(services, change, { enabled, pattern: stored })
    return await answer(services, caller, integration)
  },
}

const mappingForm = z
  .strictObject({
    ...granteeName,
    subject: z
      .strictObject({
        kind: z.enum(SUBJECT_KINDS),
        id: z.string().min(1, 'must not be empty').max(ID_CHARACTERS_MAX).nullish(),
      })
      .refine(({ kind, id }) => (kind === 'platform') === (id === undefined || id === null), {
        path: ['id'],
        message: 'must be given, except for the platform',
      }),
  })
  .openapi('NewGranteeMapping')

/** `PUT /api/integrations/{externalId}/grants/names`: states the meaning of a name. */
export const putGrantName: Endpoint<'externalId'> = {
  operation: 'mapGrantee',
  summary: 'Map a name of the platform to a consumer, or to the platform itself',
  description: 'A mapping by hand precedes reports of connectors and the pattern.',
  permission: MAY_EDIT,
  requires: requireIntegrationEdit,
  body: formBody(mappingForm, 'The name and its meaning'),
  answers: { 200: { description: 'The settings', schema: grantSettings } },
  async handle({ services, caller, params: { externalId }, body, requestId }) {
    const integration = await findEditableIntegration(services.db, caller, externalId)
    const { subject, ...name } = readForm(body, mappingForm)
    const change = toChange(caller, integration, requestId)
    const meaning = { kind: subject.kind, id: subject.id ?? null }
    await mapName(services, change, { ...name, subject: meaning })
    return await answer(services, caller, integration)
  },
}

const unmappingForm = z.strictObject(granteeName).openapi('GranteeName')

/** `POST /api/integrations/{externalId}/grants/names/remove`: removes the meaning of a name. */
export const removeGrantName: Endpoint<'externalId'> = {
  operation: 'unmapGrantee',
  summary: 'Remove a mapping of a name that was made by hand',
  permission: MAY_EDIT,
  requires: requireIntegrationEdit,
  body: formBody(unmappingForm, 'The name'),
  answers: { 200: { description: 'The settings', schema: grantSettings } },
  async handle({ services, caller, params: { externalId }, body, requestId }) {
    const integration = await findEditableIntegration(services.db, caller, externalId)
    const name = readForm(body, unmappingForm)
    const change = toChange(caller, integration, requestId)
    if (!(await unmapName(services, change, name))) throw notFound()
    return await answer(services, caller, integration)
  },
}

function toChange(
  { organizationId, principal }: Caller,
  { id: integrationId }: Integration,
  requestId: string,
): { organizationId: string; integrationId: string; principal: string; requestId: string } {
  return { organizationId, integrationId, principal, requestId }
}
