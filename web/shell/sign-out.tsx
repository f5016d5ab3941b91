import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useState, type ReactNode } from 'react'
import { client, readBody, type Answer } from '../api/client.ts'
import { paths } from '../paths.ts'
import { ActionDialog } from './action-dialog.tsx'
import { useAction } from './action.ts'
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
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const options = {
    request: () => readBody(client.POST('/ui/sign-out', {})),
    onSuccess({ next }: Answer<'/ui/sign-out', 'post'>) {
      forgetDrafts()
      queries.clear()
      // The provider ends its session, too, and leads back to the page to sign in.
      if (next !== null) window.location.assign(next)
    },
    // The session is over: no page may keep the person any longer.
    goTo: ({ next }: Answer<'/ui/sign-out', 'post'>) =>
      next === null ? paths.signIn() : undefined,
    problemAsNotice: true,
    onError: () => setAsking(false),
  }
  const signOut = useAction(options)
  const ask = (): void => {
    if (hasDrafts()) setAsking(true)
    else signOut.run()
  }
  return (
    <SignOut value={ask}>
      {children}
      {isAsking && (
        <ActionDialog
          {...options}
          title="Sign out and discard unsaved text?"
          button="Sign out"
          danger
          onClose={() => setAsking(false)}
        >
          <p>
            This tab holds text that you have not saved. Signing out deletes it, so that the next
            person does not find it here.
          </p>
        </ActionDialog>
      )}
    </SignOut>
  )
}
