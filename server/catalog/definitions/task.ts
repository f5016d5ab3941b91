import { listDefinitionUses } from '../../../formats/data-contract/definition-uses.ts'
import { readStored } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'

/** Stored contracts in JSON, and the definition whose places are listed. */
export interface PlacesInput {
  definitionId: string
  documents: readonly string[]
}

/** The places of one contract that name a definition. */
export interface DefinitionPlaces {
  /** The first ones, each once. */
  places: string[]
  count: number
}

const PLACES_MAX = 100

/** Lists the places of each contract that name a definition. */
export const listPlacesOfEach: Task<PlacesInput, DefinitionPlaces[]> = {
  name: 'definitions/listPlacesOfEach',
  run: ({ definitionId, documents }) =>
    documents.map((document) => {
      const { value } = readStored({ document, mediaType: 'application/json' })
      const uses = listDefinitionUses(value).filter((use) => use.definitionId === definitionId)
      const places = [...new Set(uses.map(({ location }) => location))]
      return { places: places.slice(0, PLACES_MAX), count: places.length }
    }),
}
