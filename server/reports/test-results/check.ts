import { z } from '@hono/zod-openapi'
import { CHECK_OUTCOMES } from '../../../formats/reality/check-outcome.ts'

/**
 * A check is one question that programs ask about data again and again. Its newest outcomes are kept: at most 60, for at
 * most 5000 checks of a contract.
 */

const instant = z.string().openapi({ format: 'date-time' })

const mark = z.object({
  outcome: z.enum(CHECK_OUTCOMES),
  testedAt: instant,
  value: z.number().nullable().openapi({ description: 'The measured number' }),
  resultId: z.string().nullable().openapi({ description: 'null = the result was deleted' }),
})

/** A check of a contract with its newest outcomes. */
export const contractCheck = z
  .object({
    key: z.string().openapi({
      description:
        'Equal in all results: `quality:<id>` or `rule:<digest>` of a quality rule, else the identity in the program',
    }),
    server: z.string().openapi({ description: 'Empty if the results name none' }),
    dataProductId: z.string().nullable(),
    outputPortId: z.string().nullable(),
    name: z.string().nullable(),
    model: z.string().nullable(),
    field: z.string().nullable(),
    rulePointer: z.string().nullable().openapi({
      description: 'The JSON pointer of its quality rule in the contract; null = it has none there',
    }),
    outcome: z.enum(CHECK_OUTCOMES),
    failingSince: instant.nullable(),
    testedAt: instant,
    testedVersion: z.string().nullable(),
    isStale: z.boolean().openapi({
      description:
        'Older than `testsValidFor` of the contract, or 7 days, or of another major version',
    }),
    history: z
      .array(mark)
      .openapi({ description: 'The newest outcomes, at most 60, oldest first' }),
  })
  .openapi('ContractCheck')

/** A check of a contract with its newest outcomes, parsed. */
export type ContractCheck = z.infer<typeof contractCheck>
