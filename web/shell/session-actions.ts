import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { client } from '../api/client.ts'
import { chooseOrganization } from '../api/organization.ts'
import { problemOf } from '../api/problem.ts'
import { useTell } from '../parts/toast.tsx'
import { paths } from '../paths.ts'
import { forgetDrafts } from './draft.ts'

/** Gives what ends the session of this browser; when the server refuses, it says why and stays. */
export function useSignOut(): () => Promise<void> {
  const router = useRouter()
  const queries = useQueryClient()
  const tell = useTell()
  return async () => {
    try {
      await client.POST('/ui/sign-out', {})
    } catch (error) {
      tell(problemOf(error).message, 'critical')
      return
    }
    forgetDrafts()
    queries.clear()
    // The session is over: no page may hold the person back any more.
    router.history.push(paths.signIn(), undefined, { ignoreBlocker: true })
  }
}

/** Gives what lets the person act in another organization, by its id. */
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
