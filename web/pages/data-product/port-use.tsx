import { useQuery } from '@tanstack/react-query'
import type { OutputPort } from '../../../formats/data-product/data-product.ts'
import { summariesQuery } from '../../documents/access/access-queries.ts'
import { WhenNear } from '../../parts/when-near.tsx'
import { LatePart } from '../../parts/late-part.tsx'
import { lazyPart } from '../../parts/lazy-part.ts'

const UseIt = lazyPart(() => import('../../documents/access/use-it.tsx'), 'UseIt')

// Details that are hidden load nothing.
const HEIGHT = 240

interface PortUseProps {
  productId: string
  port: OutputPort
}

/** The connection to the data of a port: open for people with access, folded for the others. */
export function PortUse({ productId, port }: PortUseProps) {
  const { data } = useQuery(summariesQuery([productId]))
  if (data === undefined) return null
  const open = data[0]?.mine.find((one) => one.port === port.id)
  const hasAccess = open?.state === 'active'
  return (
    <LatePart
      title={
        <>
          {hasAccess ? 'Use it' : 'How to connect'}
          <span className="sr-only">{hasAccess ? ` ${port.name}` : ` to ${port.name}`}</span>
        </>
      }
      loading="Loading the connection"
      isOpenAtFirst={hasAccess}
      onPrepare={UseIt.prepare}
    >
      <div className="rounded-md border border-line px-4 py-3">
        <WhenNear height={HEIGHT}>
          <UseIt subject={{ productId, port: port.key }} />
        </WhenNear>
      </div>
    </LatePart>
  )
}
