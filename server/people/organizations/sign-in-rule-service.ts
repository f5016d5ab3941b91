import type { ActivityActor } from '../../ledger/activity/entry.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { checkPreconditions, type Conditions } from '../../requests/http/conditional.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import { ApiError, type Violation } from '../../platform/errors.ts'
import type { Database } from '../../platform/tables.ts'
import { lastBreakGlass } from './break-glass-service.ts'
import { lockMembers } from './member-store.ts'
import type { SignInRule, SignInRuleForm } from './sign-in-rule.ts'
import * as store from './sign-in-rule-store.ts'

/** A sign-in rule with its version. */
type VersionedRule = SignInRule & { version: number }

/** Returns the sign-in rule of the caller's organization. */
export async function getSignInRule(db: Database, caller: Caller): Promise<VersionedRule> {
  const rule = await store.findSignInRule(db, caller.organizationId)
  return { ...rule, signedInWithProvider: isOfProvider(caller) }
}

/**
 * Changes the sign-in rule and the break-glass owners of the caller's organization. Switching the rule on needs a session
 * of a provider, so that owners find out before the change whether it works, and a break-glass owner.
 *
 * Errors: precondition_failed, validation_failed, last_break_glass.
 */
export async function putSignInRule(
  db: Database,
  caller: Caller,
  {
    form,
    conditions,
    requestId,
  }: {
    form: SignInRuleForm
    conditions: Conditions
    requestId: string
  },
): Promise<VersionedRule> {
  const { organizationId, principal } = caller
  const actor = { principal, requestId }
  return await db.transaction().execute(async (transaction) => {
    // Members, providers and the rule change one at a time.
    await lockMembers(transaction, organizationId)
    const current = await store.findSignInRule(transaction, organizationId)
    checkPreconditions(conditions, String(current.version))
    const violations = listViolations(current, caller, form)
    if (violations.length > 0) throw invalidRequest(violations)
    if (form.rule === 'provider' && form.breakGlass.length === 0) throw lastBreakGlass()
    await storeChange(transaction, organizationId, { current, form }, actor)
    return await getSignInRule(transaction, caller)
  })
}

// Returns whether that was a change.
async function allowAnySignIn(
  db: Database,
  organizationId: string,
  actor: ActivityActor,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    await lockMembers(transaction, organizationId)
    const { rule } = await store.findSignInRule(transaction, organizationId)
    if (rule === 'any') return false
    await store.upsertRule(transaction, organizationId, 'any', actor)
    return true
  })
}

/**
 * Allows any way to sign in to the organization with a vanity address, for an operator whose owners are locked out.
 * Returns whether that was a change. Errors: not_found.
 */
export async function allowAnySignInTo(
  db: Database,
  vanityUrl: string,
  actor: ActivityActor,
): Promise<boolean> {
  const organizationId = await store.findOrganization(db, vanityUrl)
  if (organizationId !== undefined) return await allowAnySignIn(db, organizationId, actor)
  throw new ApiError(
    'not_found',
    `No organization has the address ${JSON.stringify(vanityUrl)}. It is the first part of the paths of its pages.`,
  )
}

async function storeChange(
  transaction: Database,
  organizationId: string,
  { current, form }: { current: store.StoredRule; form: SignInRuleForm },
  actor: ActivityActor,
): Promise<void> {
  const former = current.breakGlass.map(({ userId }) => userId)
  const removed = former.filter((id) => !form.breakGlass.includes(id))
  const added = form.breakGlass.filter((id) => !former.includes(id))
  if (form.rule === current.rule && removed.length === 0 && added.length === 0) return
  await store.insertBreakGlass(transaction, organizationId, added, actor)
  await store.deleteBreakGlass(transaction, organizationId, removed, actor)
  await store.upsertRule(transaction, organizationId, form.rule, actor)
}

function listViolations(
  current: store.StoredRule,
  caller: Caller,
  { rule, breakGlass }: SignInRuleForm,
): Violation[] {
  const violations: Violation[] = []
  const isSwitchedOn = rule === 'provider' && current.rule === 'any'
  if (isSwitchedOn && current.enabledProviders === 0) {
    violations.push({
      field: 'rule',
      message: 'needs an enabled identity provider. Connect one first',
    })
  } else if (isSwitchedOn && !isOfProvider(caller)) {
    const message =
      'needs a session of the identity provider, which shows that it works. Sign out, and sign in with the provider'
    violations.push({ field: 'rule', message })
  }
  if (isSwitchedOn && breakGlass.length === 0) {
    const message = 'must name an owner who can sign in with a password if the provider is away'
    violations.push({ field: 'breakGlass', message })
  }
  const former = new Set(current.breakGlass.map(({ userId }) => userId))
  for (const [index, id] of breakGlass.entries()) {
    const owner = current.owners.find(({ userId }) => userId === id)
    if (former.has(id) || owner?.hasPassword === true) continue
    const message =
      owner === undefined
        ? 'must be an owner of the organization'
        : 'must be an owner with a password'
    violations.push({ field: `breakGlass[${index}]`, message })
  }
  return violations
}

function isOfProvider({ organizationId, session }: Caller): boolean {
  return session?.limitedTo === organizationId
}
