import { z } from '@hono/zod-openapi'
import { findIdProblem } from '../../formats/name/document-id.ts'
import { asOfParameter } from '../ledger/history/revision.ts'
import { putQuery } from '../requests/http/document.ts'
import { pageParameter } from '../requests/http/paging.ts'
import type { CustomFilter } from './search/custom-field.ts'

/** The orders of a list; a leading dash reverses one. */
export const SORTS = [
  'name',
  '-name',
  'createdAt',
  '-createdAt',
  'updatedAt',
  '-updatedAt',
] as const

/** An order of a list. */
type Sort = (typeof SORTS)[number]

/** An order of a list, also of one that not every kind has. */
export type Order = Sort | 'id' | 'rank'

/** A repeatable parameter that matches any of its values. */
const anyOf = (description: string) =>
  z
    .union([z.string().transform((text) => [text]), z.array(z.string())])
    .optional()
    .openapi({ type: 'array', items: { type: 'string' }, description })

/** A filter that older clients send. */
const deprecated = (description: string) =>
  z
    .string()
    .optional()
    .openapi({ description, param: { deprecated: true } })

/** The query parameters of every list of documents. */
export const listQuery = z.object({
  q: z
    .string()
    .optional()
    .openapi({ description: 'Only documents that search finds for this text' }),
  teamId: anyOf('Owned by one of these teams; an empty value = without an owner'),
  domainId: anyOf('In one of these domains'),
  owner: deprecated('Owned by the team with this name or id, in any letter case; use `teamId`'),
  domain: deprecated('In the domain with this name or id, in any letter case; use `domainId`'),
  status: z.string().optional().openapi({
    description: 'A data product with only the flag `deprecated` has the status `deprecated`',
  }),
  tag: z.string().optional(),
  sort: z
    .enum(SORTS, `must be one of ${SORTS.join(', ')}`)
    .default('createdAt')
    .openapi({ description: 'A leading dash reverses; the id breaks ties' }),
  p: pageParameter,
  asOf: asOfParameter,
})

/** A parsed query of a list. Not every kind has every parameter. */
export type ListQuery = Omit<z.infer<typeof listQuery>, 'sort'> & {
  sort: Order
  custom?: readonly CustomFilter[]
}

/** The query parameters of a PUT of a document whose changes have levels. */
export const leveledPutQuery = putQuery.extend({
  failOn: z
    .enum(['breaking'], 'must be breaking')
    .transform((level): ('breaking' | 'drift')[] => [level])
    .optional()
    .openapi({
      type: 'string',
      enum: ['breaking'],
      description: 'Refuses a change of this level with 409 and the changes',
    }),
})

/** The same for a document that need not name its owner. */
export const ownedPutQuery = leveledPutQuery.extend({
  owner: z
    .string()
    .refine((id) => findIdProblem(id) === undefined, 'must be the id of a team')
    .optional()
    .openapi({
      description:
        'The team to own the document if the document names none; absent = the present owner stays, or the team of a team key becomes the owner',
    }),
})

const GATES = ['breaking', 'drift'] as const

const gate = z.enum(GATES, `must be ${GATES.join(' or ')}`)

/** The same for a data contract, whose assets may break it. */
export const contractPutQuery = ownedPutQuery.extend({
  failOn: z
    .union([gate.transform((one) => [one]), z.array(gate)], `must be ${GATES.join(' or ')}`)
    .optional()
    .openapi({
      type: 'array',
      items: { type: 'string', enum: [...GATES] },
      description:
        'breaking: refuses a breaking change with 409 and the changes. drift: refuses the contract with 409 and the differences if an asset on a production server breaks it; one without linked assets passes, and `portbook-drift` is unknown',
    }),
})

/** The query parameters of a GET of a document. */
export const getQuery = z.object({ asOf: asOfParameter })
