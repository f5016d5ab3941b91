import type { Caller } from '../../requests/access/caller.ts'
import { isOwner, may } from '../../requests/access/permission.ts'

/**
 * Returns whether a caller may see the names that a platform gives to people: owners of the organization, and those who
 * approve access for the providing team. Others see numbers.
 */
export function seesNames(caller: Caller, providerTeam: string | null): boolean {
  if (isOwner(caller)) return true
  return providerTeam !== null && may(caller, 'ACCESS_APPROVE', providerTeam)
}

/** Returns whether a person is the caller, who may see the own name. */
export function isSelf(
  { userId }: Pick<Caller, 'userId'>,
  consumer: { kind: string | null; id: string | null },
): boolean {
  return consumer.kind === 'user' && userId !== undefined && consumer.id === userId
}
