import { api } from '../../api/client.ts'
import { countText } from '../../parts/number-text.ts'

/** The effect of deleting a tag on the assets to which it is assigned. */
export function TagDeletionEffect({ id }: { id: string }) {
  const params = { query: { tag: id } }
  const { data } = api.useQuery('get', '/ui/tagged-assets', { params })
  if (data === undefined) return null
  if (data.total === 0) return <p>This tag is not assigned to any asset.</p>
  return (
    <p>
      It will be removed from {countText(data.total, 'asset')}. Restoring the tag does not assign it
      again.
    </p>
  )
}

/** The effect of deleting a definition on the data contracts that name it. */
export function DefinitionDeletionEffect({ id }: { id: string }) {
  const params = { query: { id } }
  const { data } = api.useQuery('get', '/ui/definitions/uses', { params })
  if (data === undefined) return null
  if (data.total === 0) return <p>No data contract names this definition.</p>
  return (
    <p>
      {countText(data.total, 'data contract')} {data.total === 1 ? 'names' : 'name'} it. Their links
      to it will break.
    </p>
  )
}
