import { z } from '@hono/zod-openapi'

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
