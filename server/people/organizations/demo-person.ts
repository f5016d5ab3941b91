import { z } from '@hono/zod-openapi'

/** A person of the demo who can sign in, as the sign-in page lists them. */
export const demoPerson = z
  .object({
    name: z.string(),
    email: z.string(),
    role: z.string().openapi({ description: 'A sentence for readers, not a permission' }),
  })
  .openapi('DemoPerson')

/** A person of the demo who can sign in. */
export type DemoPerson = z.infer<typeof demoPerson>

/** The maximum number of people that the sign-in page lists. */
export const DEMO_PEOPLE_MAX = 10
