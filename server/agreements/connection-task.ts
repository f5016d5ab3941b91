import { describePort, type PortConnections } from '../../formats/connection/port-connections.ts'
import { listSupport, type SupportChannel } from '../../formats/connection/support.ts'
import { readDataContract } from '../../formats/data-contract/read.ts'
import { readDataProduct } from '../../formats/data-product/read.ts'
import { ApiError } from '../platform/errors.ts'
import { readStored, type StoredText } from '../requests/http/document.ts'
import type { Task } from '../requests/http/offload.ts'

/** The documents that a connection is made of, each as it is stored. */
export interface ConnectionSource {
  contract: (StoredText & { id: string }) | null
  product: (StoredText & { id: string }) | null
  /** The document of the team that owns the data product. */
  team: StoredText | null
  /** The id of the output port, or its name and version. */
  port: string
  roles: readonly string[]
  /** The name of a model; null = the first. */
  modelName: string | null
}

/** The connections of a port, and the channels of its team. */
interface ConnectionParts extends PortConnections {
  support: SupportChannel[]
}

/** Describes the connections of a port from stored documents. Errors: query_invalid for an unknown model. */
export const describeConnections: Task<ConnectionSource, ConnectionParts> = {
  name: 'agreement/describeConnections',
  run({ contract: storedContract, product, team, port, roles, modelName }) {
    const contract = storedContract === null ? undefined : readContract(storedContract)
    const connections = describePort({
      contract: contract?.contract,
      port: product === null ? undefined : findOutputPort(product, port),
      roles,
      modelName: modelName ?? undefined,
    })
    if (connections === undefined) throw rejectModel()
    const documents = {
      contract: contract?.value,
      team: team === null ? undefined : readStored(team).value,
    }
    return { ...connections, support: listSupport(documents) }
  },
}

function readContract({ id, ...stored }: StoredText & { id: string }) {
  const reading = readDataContract(readStored(stored), { id, strict: false, owner: '' })
  return reading.ok ? reading : undefined
}

function findOutputPort({ id, ...stored }: StoredText & { id: string }, port: string) {
  const reading = readDataProduct(readStored(stored), { id, strict: false, isAccepted: true })
  const ports = reading.ok ? reading.product.outputPorts : []
  return ports.find(({ key }) => key === port) ?? ports.find((one) => one.id === port)
}

function rejectModel(): ApiError {
  const message = 'must be one of the models of the contract'
  return new ApiError('query_invalid', `The query parameter model ${message}.`, {
    violations: [{ field: 'model', message }],
  })
}
