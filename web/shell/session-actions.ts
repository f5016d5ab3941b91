import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { chooseOrganization } from '../api/organization.ts'
import { paths } from '../paths.ts'

/** Returns a function that switches to another organization, by its id; undefined = the first one. */
export function useOrganizationChoice(): (id: string | undefined) => Promise<void> {
  const router = useRouter()
  const queries = useQueryClient()
  return async (id) => {
    chooseOrganization(id)
    // Data of one organization must not appear in another, so the page is left; drafts stay with their
    // organization.
    router.history.push(paths.home, undefined, { ignoreBlocker: true })
    await queries.resetQueries()
  }
}
