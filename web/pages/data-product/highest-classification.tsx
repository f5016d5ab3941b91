import { useQuery } from '@tanstack/react-query'
import { ClassificationsProvider } from '../../documents/classifications.tsx'
import { Classification, useTiers } from '../../parts/classification.tsx'
import { findHighest } from '../../parts/classification-tiers.ts'
import { portContractsQuery } from './ports.tsx'

/** Lists the classifications of the fields that a product provides; none until they are loaded. */
export function useClassifications(id: string): string[] {
  const { data: ports = [] } = useQuery(portContractsQuery(id))
  return ports.flatMap(({ direction, contract }) =>
    direction === 'output' ? (contract?.classifications ?? []) : [],
  )
}

/** The classification that needs the most protection, by the schemes of the organization. */
export function HighestClassification({ names }: { names: readonly string[] }) {
  return (
    <ClassificationsProvider>
      <Highest names={names} />
    </ClassificationsProvider>
  )
}

function Highest({ names }: { names: readonly string[] }) {
  const highest = findHighest(useTiers(), names)
  return highest === undefined ? null : <Classification name={highest} />
}
