import { newTable } from '../../../formats/name/table.ts'
import { clip } from '../../../formats/text/value.ts'
import type { ResourceUse, ResourceUses } from '../../documents/resource-use.ts'
import { ALL_KINDS } from '../../platform/kinds.ts'
import type { Database } from '../../platform/tables.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { lockTeam } from './store.ts'
import { listTeamUses, type TeamUse } from './use-store.ts'

const ADVICE = 'Move or delete what belongs to it, and end its access first.'

/**
 * Finds what prevents the deletion of a team, as far as the caller may see it. Undefined = nothing does. The team is
 * locked until the end of the transaction.
 */
export async function findTeamUses(
  db: Database,
  caller: Pick<Caller, 'organizationId' | 'organizationOwner' | 'roles'>,
  id: string,
): Promise<ResourceUses | undefined> {
  const { organizationId } = caller
  await lockTeam(db, organizationId, id)
  const rows = await listTeamUses(db, organizationId, id)
  if (rows.length === 0) return undefined
  const isVisible = ({ kind }: TeamUse): boolean => kind !== 'integration' || seesTeam(caller, id)
  const totals = new Map(rows.map(({ kind, total }) => [kind, total]))
  const hidden = new Map(
    rows.filter((use) => !isVisible(use)).map(({ kind, total }) => [kind, total]),
  )
  return {
    uses: rows.filter(isVisible).map(toUse),
    useCount: totals.values().reduce((sum, total) => sum + total, 0),
    hiddenUseCount: hidden.values().reduce((sum, total) => sum + total, 0),
    advice: ADVICE,
  }
}

// Integrations are visible to the people of their team; everything else is visible to every caller.
function seesTeam(
  { organizationOwner, roles }: Pick<Caller, 'organizationOwner' | 'roles'>,
  team: string,
): boolean {
  return organizationOwner || roles.has(team)
}

const CALLED = newTable<string>({
  ...Object.fromEntries(ALL_KINDS.map(({ kind, called }) => [kind, called])),
  integration: 'integration',
})

function toUse(row: TeamUse): ResourceUse {
  const { kind, id, name } = row
  if (kind === 'access') return toAccessUse(row)
  if (kind === 'team') return { kind, id, name, relation: 'is a subteam of the team' }
  const called = CALLED[kind] ?? kind
  const article = /^[aeiou]/.test(called) ? 'an' : 'a'
  return { kind, id, name, relation: `is ${article} ${called} of the team` }
}

function toAccessUse({ kind, id, name, port, state, isProvider }: TeamUse): ResourceUse {
  const at = `output port ${clip(port ?? '')}`
  const isRequested = state === 'requested'
  const provided = isRequested ? `requested access to its ${at}` : `has access to its ${at}`
  const consumed = isRequested ? `received its request for ${at}` : `gives it access to ${at}`
  const use = { kind, id, name, ...(port === null ? {} : { port }) }
  return { ...use, relation: isProvider ? provided : consumed }
}
