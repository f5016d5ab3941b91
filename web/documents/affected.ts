import type { Schemas } from '../api/client.ts'
import { countText } from '../parts/number-text.ts'

/** A data product or team that a change or a deletion affects. */
type Affected = Schemas['Plan']['affected'][number]

/** A data product that a change affects, with the team that owns it. */
export interface AffectedProduct {
  id: string
  name: string
  team: { id: string; name: string }
  /** The names of the ports that link it to what changes. */
  ports: readonly string[]
}

/** The data products that a change affects, by what they do with the data. */
export interface Impact {
  consumers: readonly AffectedProduct[]
  /** Products that provide the data that changes, and do not consume it. */
  providers: readonly AffectedProduct[]
  /** The number of teams that own the consumers. */
  teamCount: number
}

/** Groups the entries of a plan into consumers and providers; teams only give their names. */
export function toImpact(affected: readonly Affected[]): Impact {
  const teamNames = new Map(
    affected
      .filter(({ resourceType }) => resourceType === 'TEAM')
      .map(({ id, name }) => [id, name]),
  )
  const consumers: AffectedProduct[] = []
  const providers: AffectedProduct[] = []
  for (const { resourceType, id, name, ownerId, ports = [] } of affected) {
    if (resourceType === 'TEAM') continue
    const isProvider = ports.length > 0 && ports.every(({ direction }) => direction === 'output')
    const team = { id: ownerId, name: teamNames.get(ownerId) ?? ownerId }
    const product = { id, name, team, ports: ports.map((port) => port.name) }
    if (isProvider) providers.push(product)
    else consumers.push(product)
  }
  const teamCount = new Set(consumers.map(({ team }) => team.id)).size
  return { consumers, providers, teamCount }
}

/** Returns the number of consumers and of their teams: `3 consumers of 2 teams`. */
export function describeConsumers({ consumers, teamCount }: Impact): string {
  return `${countText(consumers.length, 'consumer')} of ${countText(teamCount, 'team')}`
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
