import { useParams } from '@tanstack/react-router'

/** An id of the page's address, decoded; undefined where the address has none (`/…/new`). */
export function usePathId(name: 'id' | 'runId' = 'id'): string | undefined {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  return params[name]
}
