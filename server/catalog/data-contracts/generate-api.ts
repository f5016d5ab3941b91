import { z } from '@hono/zod-openapi'
import { GENERATION_TYPES } from '../../../formats/generate/generate.ts'
import { getDocument } from '../../documents/read-service.ts'
import { ApiError, toViolations } from '../../platform/errors.ts'
import type { Body } from '../../requests/http/body.ts'
import { readDocument } from '../../requests/http/document.ts'
import type { Endpoint } from '../../requests/http/endpoint.ts'
import { formBody } from '../../requests/http/form.ts'
import { withMembers } from '../../requests/http/json.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { generateStored } from './read-service.ts'
import { CONTRACTS } from './service.ts'

// A person describes these files in words, for a language model.
const CUSTOM = 'custom'
const TYPES = [...GENERATION_TYPES, CUSTOM] as const

const generationRequest = z
  .strictObject({
    type: z.enum(TYPES, `must be one of ${TYPES.join(', ')}`),
    prompt: z.string().nullish().openapi({ description: 'Only for the type `custom`' }),
  })
  .openapi('GenerationRequest')

const generation = z
  .object({
    dataContractId: z.string(),
    generationType: z.enum(GENERATION_TYPES),
    prompt: z.string().nullable(),
    files: z.array(
      z.object({
        filename: z.string().openapi({ description: 'Unique; letters, digits, `-`, `_` and `.`' }),
        language: z.string().openapi({ description: '`sql`, `yaml`, `json` or `python`' }),
        content: z.string(),
      }),
    ),
  })
  .openapi('Generation')

/** `POST /api/datacontracts/{id}/generate`: generates files from a contract; nothing is stored. */
export const generateFromContract: Endpoint<'id'> = {
  operation: 'generateFromDataContract',
  summary: 'Generate queries, classes or models of dbt from a data contract',
  description:
    'Names and types follow the platform of the first supported server, or PostgreSQL if there is none. To convert a contract to more formats and see what is lost, use `GET …/export`.',
  permission: 'any key',
  limitedKey: 'none',
  body: formBody(generationRequest, 'The kind of files'),
  answers: {
    200: { description: 'The files', schema: generation },
    422: describeError('The contract is not ODCS, or the type is custom'),
  },
  async handle({ services, caller, params: { id }, body }) {
    const { type, prompt } = readRequest(body)
    if (type === CUSTOM) {
      await getDocument(services.db, CONTRACTS.kind, caller.organizationId, id)
      throw new ApiError(
        'invalid_state',
        `Files of type custom need a language model, and none is configured here. Use one of ${GENERATION_TYPES.join(', ')}.`,
      )
    }
    const { text } = await generateStored(services, caller.organizationId, id, type)
    const head = { dataContractId: id, generationType: type, prompt: prompt ?? null }
    const answer = withMembers(JSON.stringify(head), { files: text })
    return { status: 200, mediaType: 'application/json', body: answer }
  },
}

// Clients expect 400 for an unknown type, unlike for the fields of other forms.
function readRequest(body: Body): z.infer<typeof generationRequest> {
  const request = generationRequest.safeParse(readDocument(body).value)
  if (request.success) return request.data
  const violations = toViolations(request.error.issues)
  const [first] = violations
  throw new ApiError(
    'request_malformed',
    first === undefined ? 'The body is wrong.' : `The field ${first.field} ${first.message}.`,
    {
      violations,
    },
  )
}
