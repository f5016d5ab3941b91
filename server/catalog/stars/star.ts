import { z } from '@hono/zod-openapi'

/** A star of a data product: a person follows it. Everybody sees the number, and their own stars. */

/** The stars of a data product. */
export const starCount = z
  .object({
    count: z.int().min(0),
    starredByMe: z.boolean().openapi({ description: 'false for keys that belong to no person' }),
  })
  .openapi('StarCount')

/** The stars of a data product, parsed. */
export type StarCount = z.infer<typeof starCount>

/** A person who starred a data product. */
export const stargazer = z.object({ userId: z.uuid(), fullName: z.string() }).openapi('Stargazer')

/** A person who starred a data product, parsed. */
export type Stargazer = z.infer<typeof stargazer>
