import { readDataContract } from '../formats/data-contract/read.ts'
import { readText } from '../formats/text/text.ts'
import { CONTRACT_NODES_MAX } from '../server/catalog/data-contracts/data-contract.ts'
import { HOSTILE_CONTRACTS, type HostileContract } from '../test/hostile-contracts.ts'
import type { Figure } from './figure.ts'
import { hostileLoad } from './hostile-load.ts'
import { toSpread } from './rounds.ts'

const GOAL_MS = 200

/** The time to process hostile documents, including warnings and models. */
export const hostileContracts: Figure = {
  name: 'hostile-contracts',
  title: 'A hostile contract, read with all its warnings and models',
  async *measure(stage) {
    const { effort } = stage
    if (stage.serverKinds.includes('configured')) yield* hostileLoad(stage)
    for (const contract of HOSTILE_CONTRACTS) {
      // Bodies that exceed the limit of contracts are rejected before they are read.
      if (contract.status === 413) continue
      read(contract)
      const times = Array.from({ length: effort.rounds }, () => {
        const startedAtMs = performance.now()
        read(contract)
        return performance.now() - startedAtMs
      })
      yield {
        figure: contract.trick,
        server: 'none',
        subject: `${Math.round(contract.text.length / 1000)} KB`,
        limit: '–',
        result: toSpread(times),
        unit: 'ms',
        goal: GOAL_MS,
        measured: times,
      }
    }
  },
}

function read({ text, mediaType }: HostileContract): void {
  const source = readText(text, mediaType, { nodesMax: CONTRACT_NODES_MAX })
  if (!source.ok) return
  const reading = readDataContract(source, { id: 'hostile', strict: false })
  if (!reading.ok) return
  void reading.contract.models
  void reading.warnings
}
