import { z } from '@hono/zod-openapi'

/** The mapping of groups to roles, and what it concerns now. */
export const mappingUse = z
  .object({
    mappings: z.array(
      z.object({
        group: z.string(),
        people: z
          .int()
          .openapi({ description: 'The active members in the group, who get the role' }),
        isTeamKnown: z
          .boolean()
          .openapi({ description: 'False = no team has the id; the role counts when one does' }),
      }),
    ),
    unmappedGroups: z
      .array(
        z.object({
          name: z.string(),
          source: z.enum(['directory', 'provider']),
          people: z.int(),
        }),
      )
      .openapi({ description: 'Groups that no mapping names, those with most people first' }),
    unmappedCount: z
      .int()
      .openapi({ description: 'The number of all groups that no mapping names' }),
  })
  .openapi('MappingUse')

/** The mapping of groups to roles, and what it concerns now. */
export type MappingUse = z.infer<typeof mappingUse>

/** The maximum number of listed groups that no mapping names. */
export const UNMAPPED_MAX = 100
