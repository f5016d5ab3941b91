import { z } from '@hono/zod-openapi'

/** People star the data products that they use or follow. Everybody sees the number, and their own stars. */

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

/** A data product in an organization. */
export interface StarredProduct {
  organizationId: string
  id: string
}

/** The person behind a caller: a session has the user, a personal key only its own id. */
export interface StarringPerson {
  userId: string | undefined
  keyId: string | undefined
}
