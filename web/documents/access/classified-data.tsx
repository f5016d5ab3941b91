import { api } from '../../api/client.ts'
import { Classification, useTiers } from '../../parts/classification.tsx'
import { isProtected } from '../../parts/classification-looks.ts'
import { Notice } from '../../parts/notice.tsx'
import { ClassificationsProvider } from '../classifications.tsx'

interface ClassifiedDataProps {
  productId: string
  contractId: string | null
}

/** Names the classifications that protect the data of an output port; nothing if its contract has none. */
export function ClassifiedData(props: ClassifiedDataProps) {
  return (
    <ClassificationsProvider>
      <ProtectedData {...props} />
    </ClassificationsProvider>
  )
}

function ProtectedData({ productId, contractId }: ClassifiedDataProps) {
  const tiers = useTiers()
  const contracts = api.useQuery(
    'get',
    '/api/dataproducts/{id}/contracts',
    { params: { path: { id: productId } } },
    { enabled: contractId !== null },
  )
  const contract = contracts.data?.find((one) => one.contractId === contractId)?.contract
  const names = (contract?.classifications ?? []).filter((name) => isProtected(tiers, name))
  if (names.length === 0) return null
  return (
    <Notice
      tone="caution"
      title={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          Contains data classified as
          {names.map((name) => (
            <Classification key={name} name={name} />
          ))}
        </span>
      }
    >
      State in the purpose why you need it.
    </Notice>
  )
}
