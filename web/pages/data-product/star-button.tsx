import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { api, client } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { numberText } from '../../parts/number-text.ts'
import { useToast } from '../../parts/toast.tsx'

/** Returns the query for the stars of a data product. */
export function starQuery(id: string) {
  return api.queryOptions('get', '/api/dataproducts/{id}/star', { params: { path: { id } } })
}

/** Stars a data product, or removes the star, and shows the number of stars. */
export function StarButton({ id }: { id: string }) {
  const queries = useQueryClient()
  const showToast = useToast()
  const query = starQuery(id)
  const { data } = useQuery(query)
  const change = useMutation({
    async mutationFn(isStarred: boolean) {
      const params = { params: { path: { id } } }
      if (isStarred) await client.PUT('/api/dataproducts/{id}/star', params)
      else await client.DELETE('/api/dataproducts/{id}/star', params)
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: query.queryKey })
      void queries.invalidateQueries({ queryKey: api.queryOptions('get', '/ui/home', {}).queryKey })
    },
    onError(error) {
      const { title, message } = toProblem(error)
      showToast(`${title}. ${message}`, 'critical')
    },
  })
  // The button is shown while the query loads, to avoid a layout shift. Starring twice has no effect.
  const { count = 0, starredByMe = false } = data ?? {}
  const isStarred = change.isPending ? change.variables : starredByMe
  return (
    <Button
      icon={Star}
      aria-pressed={isStarred}
      busy={change.isPending}
      className={isStarred ? '[&_svg]:fill-current' : undefined}
      onClick={() => change.mutate(!starredByMe)}
    >
      Star <span className="text-muted tabular-nums">{numberText(count)}</span>
    </Button>
  )
}
