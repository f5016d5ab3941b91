import { useQueryClient } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import { forgetDrafts, hasDrafts } from '../../shell/draft.ts'

/** Ends every session of the person, including this one. */
export function SignOutPanel() {
  const queries = useQueryClient()
  return (
    <Panel title="Sessions">
      <p className="mb-3 text-muted">
        A session ends after 12 hours without use, and after 7 days at the latest. If you lose a
        device, end all sessions now. API keys stay; delete them under API keys.
      </p>
      <ActionButton
        label="Sign out everywhere"
        title="Sign out everywhere?"
        button="Sign out everywhere"
        request={() => client.POST('/ui/sign-out-everywhere', {})}
        onSuccess={() => {
          forgetDrafts()
          queries.clear()
        }}
        goTo={paths.signIn()}
      >
        <p>Every browser in which you are signed in, including this one, asks for your password.</p>
        <UnsavedText />
      </ActionButton>
    </Panel>
  )
}

// It is looked for when the dialog opens.
function UnsavedText() {
  return hasDrafts() ? (
    <p>This tab holds text that you have not saved. It is deleted, too.</p>
  ) : null
}
