import type { ContractPromise } from '../../../formats/reality/promise.ts'

/** The key of a promise in its organization: one model of a contract on one of its servers. */
export interface PromiseKey {
  contractId: string
  server: string
  model: string
}

/** The maximum size of a path as a JSON list in bytes: longer ones fit into no index. */
export const PATH_BYTES_MAX = 2000

/** The maximum size of the names of server and model together in bytes, for the same reason. */
const NAME_BYTES_MAX = 1500

const TOO_LONG = `The name of the table has more than ${PATH_BYTES_MAX} bytes.`

/** Returns the promises of a contract that can be stored; those with too long a path have no place. */
export function fitPromises(promises: readonly ContractPromise[]): ContractPromise[] {
  return promises.flatMap((promise) => {
    const { server, model, path } = promise
    if (Buffer.byteLength(server) + Buffer.byteLength(model) > NAME_BYTES_MAX) return []
    const isLong = path !== undefined && Buffer.byteLength(JSON.stringify(path)) > PATH_BYTES_MAX
    return isLong ? [{ ...promise, path: undefined, unplacedBecause: TOO_LONG }] : [promise]
  })
}
