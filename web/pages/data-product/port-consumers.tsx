import { useQuery } from '@tanstack/react-query'
import type { OutputPort } from '../../../formats/data-product/data-product.ts'
import { Link } from '../../parts/link.tsx'
import { paths } from '../../paths.ts'
import { listPortReaders } from './lineage-nodes.ts'
import { lineageQuery } from './lineage-query.ts'

const SHOWN_MAX = 10

/** The data products that read from an output port. */
export function PortConsumers({ productId, port }: { productId: string; port: OutputPort }) {
  const { data } = useQuery(lineageQuery(productId, '1'))
  if (data === undefined) return <span className="text-faint">…</span>
  const consumers = listPortReaders(data, productId, port)
  if (consumers.length === 0) {
    return <span className="text-muted">No registered data product</span>
  }
  const rest = consumers.length - SHOWN_MAX
  return (
    <span className="user-text">
      {consumers.slice(0, SHOWN_MAX).map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link href={paths.dataProduct(id)}>{name}</Link>
        </span>
      ))}
      {rest > 0 && <span className="text-muted"> and {rest} more</span>}
    </span>
  )
}
