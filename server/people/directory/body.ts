import type { Body } from '../../requests/http/body.ts'
import type { BodyDescription, Services } from '../../requests/http/endpoint.ts'
import type { Caller } from '../../requests/access/caller.ts'
import type { Task } from '../../requests/http/offload.ts'
import { SCIM_MEDIA_TYPE } from '../../requests/http/scim-problem.ts'
import { BODY_BYTES_MAX, scimBody } from './scim.ts'

/** Describes the body of an endpoint that a directory sends. */
export function newScimBody(description: string): BodyDescription {
  return {
    mediaTypes: ['application/json'],
    otherJsonTypes: [SCIM_MEDIA_TYPE],
    bytesMax: BODY_BYTES_MAX,
    schema: scimBody,
    description,
    content: 'document',
  }
}

/** Reads a body, in a thread if it is large. Errors: those of the task, document_too_costly, overloaded. */
export async function readScimBody<Output>(
  { offload }: Pick<Services, 'offload'>,
  { organizationId }: Caller,
  task: Task<string, Output>,
  { text, mediaType }: Body,
): Promise<Output> {
  return await offload.run(organizationId, task, text, [{ document: text, mediaType }])
}
