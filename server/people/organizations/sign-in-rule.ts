import { z } from '@hono/zod-openapi'

/**
 * The sign-in rule of an organization: whether its members may sign in in any way, or only with one of its identity
 * providers. Break-glass owners may sign in with a password under either rule, so that the organization can be
 * administered while its provider is away. While the rule is `provider`, there is always at least one.
 */

/** The maximum number of break-glass owners. */
const BREAK_GLASS_MAX = 10

const rule = z.enum(['any', 'provider'], 'must be any or provider')

const person = z.object({ userId: z.uuid(), name: z.string(), email: z.string() })

/** The sign-in rule of an organization, with what it needs. */
export const signInRule = z
  .object({
    rule: rule.openapi({
      description:
        'any: members sign in in any way; provider: only sessions of the identity providers of the organization act in it, and those of break-glass owners',
    }),
    breakGlass: z.array(person).openapi({
      description: 'The owners who may sign in with a password under either rule, by name',
    }),
    owners: z.array(person.extend({ hasPassword: z.boolean() })).openapi({
      description: 'The owners who can become break-glass owners if they have a password',
    }),
    enabledProviders: z
      .number()
      .int()
      .openapi({ description: 'The number of enabled identity providers' }),
    signedInWithProvider: z.boolean().openapi({
      description:
        'Whether this session began with a provider of the organization, which switching the rule on needs',
    }),
  })
  .openapi('SignInRule')

/** The sign-in rule of an organization, with what it needs. */
export type SignInRule = z.infer<typeof signInRule>

/** The form to change the sign-in rule. */
export const signInRuleForm = z.strictObject({
  rule,
  breakGlass: z
    .array(z.uuid('must be the id of an owner').toLowerCase())
    .max(BREAK_GLASS_MAX, `must be at most ${BREAK_GLASS_MAX} owners`)
    .refine((ids) => new Set(ids).size === ids.length, 'names an owner twice'),
})

/** The form to change the sign-in rule. */
export type SignInRuleForm = z.infer<typeof signInRuleForm>
