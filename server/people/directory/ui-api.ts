import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { getActor } from './answer.ts'
import { createdDirectoryKey, directoryState } from './directory-key.ts'
import { createDirectoryKey, deleteDirectoryKey } from './key-service.ts'
import { getDirectory } from './state-service.ts'

/** `GET /ui/directory`: the address, the keys and the state of the directory. */
export const getDirectoryState: Endpoint = {
  operation: 'getDirectory',
  summary: 'Get the directory of the organization',
  lane: 'point',
  permission: 'an owner of the organization',
  answers: {
    200: { description: 'Keys without their secrets, counts and refusals', schema: directoryState },
  },
  async handle({ services, caller }) {
    requireOwner(caller)
    return jsonAnswer(200, directoryState, await getDirectory(services, caller.organizationId))
  },
}

/** `POST /ui/directory/keys`: creates a key of the directory. */
export const postDirectoryKey: Endpoint = {
  operation: 'createDirectoryKey',
  summary: 'Create a key of the directory',
  permission: 'an owner of the organization',
  answers: {
    201: { description: 'The key, with its secret', schema: createdDirectoryKey },
    409: describeError('The organization has two keys'),
  },
  async handle(call) {
    const { services, caller } = call
    requireOwner(caller)
    const created = await createDirectoryKey(services.db, caller.organizationId, getActor(call))
    return jsonAnswer(201, createdDirectoryKey, created)
  },
}

/** `DELETE /ui/directory/keys/{id}`: deletes a key of the directory. */
export const removeDirectoryKey: Endpoint<'id'> = {
  operation: 'deleteDirectoryKey',
  summary: 'Delete a key of the directory',
  permission: 'an owner of the organization',
  answers: { 204: { description: 'The key is deleted' } },
  async handle(call) {
    const { services, caller, params } = call
    requireOwner(caller)
    await deleteDirectoryKey(services.db, caller.organizationId, params.id, getActor(call))
    services.authenticator.forget()
    return { status: 204 }
  },
}
