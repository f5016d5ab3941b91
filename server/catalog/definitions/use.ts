import { z } from '@hono/zod-openapi'
import { listDefinitionUses } from '../../../formats/data-contract/definition-uses.ts'
import { readStored } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'

/** The data contracts that name a definition. */
export const definitionUses = z
  .object({
    total: z.int().openapi({ description: 'The number of contracts' }),
    uses: z.array(
      z.object({
        contractId: z.string(),
        contractName: z.string(),
        ownerId: z.string().nullable(),
        ownerName: z.string().nullable(),
        places: z.array(z.string()).openapi({
          description:
            'Models and fields, as `orders.buyer.id`; an empty text is the contract itself. At most 100',
        }),
        placeCount: z.int(),
      }),
    ),
    next: z.string().nullable().openapi({
      description: 'The value of `after` for the next page; null = this is the last one',
    }),
  })
  .openapi('DefinitionUses')

/** The data contracts that name a definition, parsed. */
export type DefinitionUses = z.infer<typeof definitionUses>

/** Stored contracts in JSON, and the definition whose places are listed. */
interface PlacesInput {
  definitionId: string
  documents: readonly string[]
}

/** The places of one contract that name a definition. */
interface DefinitionPlaces {
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
