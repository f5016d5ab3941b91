import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { chooseOrganization } from '../api/organization.ts'
import { paths } from '../paths.ts'

/** Returns a function that switches to another organization, by its id. */
export function useOrganizationChoice(): (id: string) => Promise<void> {
  const router = useRouter()
  const queries = useQueryClient()
  return async (id) => {
    chooseOrganization(id)
    // Nothing of one organization may be seen in another, and nobody may stay on a page of the one
    // while acting in the other; what was typed there is kept for it.
    router.history.push(paths.home, undefined, { ignoreBlocker: true })
    await queries.resetQueries()
  }
}
