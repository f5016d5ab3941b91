import { api } from '../../api/client.ts'
import { Link } from '../../parts/link.tsx'
import { pathOfResource } from '../../paths.ts'

/** The name of a source system as a link; its id as text if it is not in the catalog. */
export function SourceSystemLink({ id }: { id: string }) {
  const params = { path: { id } }
  const { data, error } = api.useQuery('get', '/api/sourcesystems/{id}', { params })
  if (data !== undefined) return <Link href={pathOfResource('SOURCE_SYSTEM', id)}>{data.name}</Link>
  return <span className="user-text">{error === null ? id : `${id} (not in the catalog)`}</span>
}
