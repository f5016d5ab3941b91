import type { Schemas } from '../api/client.ts'
import { countText } from '../parts/number-text.ts'

/** A data product, team or person that a change or a deletion affects. */
type Affected = Schemas['Plan']['affected'][number]

/** A data product that a change affects, or a team or person with access to the data. */
export interface AffectedReader {
  type: Affected['resourceType']
  id: string
  name: string
  /** The team that owns a data product; undefined for teams and people. */
  team?: { id: string; name: string } | undefined
  /** The names of the ports that link a data product to what changes. */
  ports: readonly string[]
  /** Whether access was granted for it. */
  hasAccess: boolean
}

/** The readers and providers that a change affects. */
export interface Impact {
  consumers: readonly AffectedReader[]
  /** Products that provide the data that changes, and do not consume it. */
  providers: readonly AffectedReader[]
  /** The number of teams that consume the data, or own data products that do. */
  teamCount: number
}

/** Groups the entries of a plan into consumers and providers; teams without access only give their names. */
export function toImpact(affected: readonly Affected[]): Impact {
  const teamNames = new Map(
    affected
      .filter(({ resourceType }) => resourceType === 'TEAM')
      .map(({ id, name }) => [id, name]),
  )
  const consumers: AffectedReader[] = []
  const providers: AffectedReader[] = []
  for (const { resourceType: type, id, name, ownerId, ports = [], access = [] } of affected) {
    const hasAccess = access.length > 0
    if (type === 'TEAM' && !hasAccess) continue
    const isProvider =
      !hasAccess && ports.length > 0 && ports.every(({ direction }) => direction === 'output')
    const hasTeam = type === 'DATA_PRODUCT' && ownerId !== null
    const team = hasTeam ? { id: ownerId, name: teamNames.get(ownerId) ?? ownerId } : undefined
    const reader = { type, id, name, team, ports: ports.map((port) => port.name), hasAccess }
    if (isProvider) providers.push(reader)
    else consumers.push(reader)
  }
  const teams = consumers.map(({ type, id, team }) => (type === 'TEAM' ? id : team?.id))
  const teamCount = new Set(teams.filter((id) => id !== undefined)).size
  return { consumers, providers, teamCount }
}

/** Returns the number of consumers and of their teams: `3 consumers of 2 teams`. */
export function describeConsumers({ consumers, teamCount }: Impact): string {
  const counted = countText(consumers.length, 'consumer')
  return teamCount === 0 ? counted : `${counted} of ${countText(teamCount, 'team')}`
}

/** Returns what a change affects: `3 consumers of 2 teams, and 1 data product that provides the data`. */
export function describeImpact(impact: Impact): string {
  const { consumers, providers } = impact
  const isOne = providers.length === 1
  const provided = `${countText(providers.length, 'data product')} that ${isOne ? 'provides' : 'provide'} the data`
  if (consumers.length === 0) return provided
  return providers.length === 0
    ? describeConsumers(impact)
    : `${describeConsumers(impact)}, and ${provided}`
}
