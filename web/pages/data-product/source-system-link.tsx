import { useQuery } from '@tanstack/react-query'
import { Link } from '../../parts/link.tsx'
import { pathOfResource } from '../../paths.ts'
import { lineageQuery } from './lineage-query.ts'

interface SourceSystemLinkProps {
  id: string
  /** The product with a port that names it. */
  productId: string
}

/** The name of a source system as a link; its id as text if it is not in the catalog. */
export function SourceSystemLink({ id, productId }: SourceSystemLinkProps) {
  const { data } = useQuery(lineageQuery(productId, '1'))
  const node = data?.nodes.find((one) => one.kind === 'SOURCE_SYSTEM' && one.id === id)
  if (node?.exists === true) {
    return <Link href={pathOfResource('SOURCE_SYSTEM', id)}>{node.name}</Link>
  }
  return <span className="user-text">{node === undefined ? id : `${id} (not in the catalog)`}</span>
}
