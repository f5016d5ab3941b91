import { type Proposal, proposeChange } from '../../../formats/reality/propose/propose.ts'
import { readActual } from '../../../formats/reality/actual.ts'
import type { ClassificationTiers } from '../../../formats/reality/tiers.ts'
import type { MediaType } from '../../../formats/text/text.ts'
import { readStored } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'
import type { DifferingModel } from './drift.ts'

/** A contract, and the tables that differ from its models. */
interface ProposalInput {
  id: string
  text: string
  mediaType: MediaType
  tables: readonly DifferingModel[]
  tiers: ClassificationTiers
}

/** Edits the text of a contract so that it promises what its tables are. */
export const writeProposal: Task<ProposalInput, Proposal> = {
  name: 'reality/writeProposal',
  run({ id, text, mediaType, tables, tiers }) {
    const present = []
    for (const { server, model, asset, findings } of tables) {
      const [first] = findings
      if (asset === null) {
        return {
          ok: false,
          findingId: first?.id ?? '',
          reason: 'No table is linked. Choose a table, or remove the model from the contract.',
        }
      }
      const document = readStored({ document: asset, mediaType: 'application/json' })
      present.push({ server, model, actual: readActual(document.value), findings })
    }
    return proposeChange({ id, text, mediaType }, present, tiers)
  },
}
