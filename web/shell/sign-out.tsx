import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { createContext, use, useState, type ReactNode } from 'react'
import { api } from '../api/client.ts'
import { toProblem } from '../api/problem.ts'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { useToast } from '../parts/toast.tsx'
import { paths } from '../paths.ts'
import { forgetDrafts, hasDrafts } from './draft.ts'

const SignOut = createContext<() => void>(() => undefined)

/** Returns a function that ends the session of this browser, after a question if work would be lost. */
export function useSignOut(): () => void {
  return use(SignOut)
}

/**
 * Lets its children sign out. Signing out forgets drafts, because the next person in this tab must not find
 * them; a person who has any is asked first.
 */
export function SignOutProvider({ children }: { children: ReactNode }) {
  const router = useRouter()
  const queries = useQueryClient()
  const showToast = useToast()
  const [isAsking, setAsking] = useState(false)
  const signOut = api.useMutation('post', '/ui/sign-out', {
    onSuccess() {
      forgetDrafts()
      queries.clear()
      // The session is over: no page may keep the person any longer.
      router.history.push(paths.signIn(), undefined, { ignoreBlocker: true })
    },
    onError(error) {
      setAsking(false)
      showToast(toProblem(error).summary, 'critical')
    },
  })
  const ask = (): void => {
    if (hasDrafts()) setAsking(true)
    else signOut.mutate({})
  }
  return (
    <SignOut value={ask}>
      {children}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Sign out and discard unsaved text?"
        action="Sign out"
        danger
        busy={signOut.isPending}
        onConfirm={() => signOut.mutate({})}
      >
        <p>
          This tab holds text that you have not saved. Signing out deletes it, so that the next
          person does not find it here.
        </p>
      </ConfirmDialog>
    </SignOut>
  )
}
