import { z } from '@hono/zod-openapi'
import { asOfParameter } from '../history/revision.ts'
import { ACTIVITY_LEVELS } from './activity.ts'
import { ENTRY_KINDS } from './entry.ts'

// The parameters that the page and the API share.

const ID_CHARACTERS_MAX = 300

const oneOrMore = <T extends string>(values: readonly T[], description: string) =>
  z
    .union([
      z.enum(values).transform((value) => [value]),
      z.array(z.enum(values)).max(values.length),
    ])
    .optional()
    .openapi({ type: 'array', items: { type: 'string', enum: [...values] }, description })

/** Reads the maximum number of elements of a page. */
export const limitParameter = (usual: number, most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .transform((text) => Math.min(Number(text), most))
    .default(usual)

/** Reads a principal, such as `user:<uuid>`. */
export const actorParameter = z.string().max(ID_CHARACTERS_MAX)

/** The filters of entries, without the actor. */
export const filterParameters = {
  kind: oneOrMore(ENTRY_KINDS, 'Of one of these kinds'),
  level: oneOrMore(ACTIVITY_LEVELS, 'Of one of these levels'),
  team: z
    .string()
    .max(ID_CHARACTERS_MAX)
    .optional()
    .openapi({ description: 'Of a resource that this team owned when the entry was made' }),
  since: asOfParameter.openapi({ description: 'From this instant on' }),
  until: asOfParameter.openapi({ description: 'Before this instant' }),
}

/** Reads the id of a resource. */
export const subjectParameter = z.string().max(ID_CHARACTERS_MAX)
