import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { forgetDrafts, hasDrafts } from '../../shell/draft.ts'

/** Ends every session of the person, including this one. */
export function SignOutPanel() {
  const router = useRouter()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const signOut = api.useMutation('post', '/ui/sign-out-everywhere', {
    onSuccess() {
      forgetDrafts()
      queries.clear()
      router.history.push(paths.signIn())
    },
  })
  return (
    <Panel title="Sessions">
      <p className="mb-3 text-muted">
        A session ends after 12 hours without use, and after 7 days at the latest. If you lose a
        device, end all sessions now. API keys stay; delete them under API keys.
      </p>
      <Button onClick={() => setAsking(true)}>Sign out everywhere</Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        busy={signOut.isPending}
        problem={findProblem(signOut)}
        onConfirm={() => signOut.mutate({})}
      >
        <p>Every browser in which you are signed in, including this one, asks for your password.</p>
        {isAsking && hasDrafts() && (
          <p>This tab holds text that you have not saved. It is deleted, too.</p>
        )}
      </ConfirmDialog>
    </Panel>
  )
}
