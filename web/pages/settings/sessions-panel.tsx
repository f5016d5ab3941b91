import { useQueryClient } from '@tanstack/react-query'
import { api, client } from '../../api/client.ts'
import { QueryPanel } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { paths } from '../../paths.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import { useAction } from '../../shell/action.ts'
import { forgetDrafts, hasDrafts } from '../../shell/draft.ts'
import { SessionList, type ListedSession } from './session-list.tsx'

/** The sessions of the person, each of which can be ended. */
export function SessionsPanel() {
  const query = api.useQuery('get', '/ui/sessions')
  return (
    <QueryPanel title="Sessions" query={query} skeleton={{ lines: 4 }}>
      {(sessions) => <OwnSessions sessions={sessions} />}
    </QueryPanel>
  )
}

function OwnSessions({ sessions }: { sessions: readonly ListedSession[] }) {
  const end = useAction({
    request: ({ id }: ListedSession) =>
      client.DELETE('/ui/sessions/{id}', { params: { path: { id } } }),
    notice: 'Session ended',
    refresh: ['/ui/sessions'],
    refreshAfterError: ['/ui/sessions'],
  })
  const isAlone = sessions.every(({ isCurrent }) => isCurrent)
  return (
    <>
      <p className="text-muted">
        A session ends after 12 hours without use, and after 7 days at the latest. End those of
        devices that you lost or do not recognize. API keys stay; delete them under API keys.
      </p>
      <ProblemNotice problem={end.problem} />
      <SessionList
        sessions={sessions}
        endingId={end.isPending ? end.input?.id : undefined}
        onEnd={end.run}
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <ActionButton
          label="Sign out everywhere else"
          title="Sign out everywhere else?"
          button="Sign out everywhere else"
          reason={isAlone ? 'There are no other sessions.' : undefined}
          request={() => client.DELETE('/ui/sessions', {})}
          notice="Your other sessions have ended"
          refresh={['/ui/sessions']}
        >
          <p>Every other browser in which you are signed in asks you to sign in again.</p>
        </ActionButton>
        <SignOutEverywhereButton />
      </div>
    </>
  )
}

function SignOutEverywhereButton() {
  const queries = useQueryClient()
  return (
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
      <p>
        Every browser in which you are signed in, including this one, asks you to sign in again.
      </p>
      <UnsavedText />
    </ActionButton>
  )
}

// It is looked for when the dialog opens.
function UnsavedText() {
  return hasDrafts() ? (
    <p>This tab holds text that you have not saved. It is deleted, too.</p>
  ) : null
}
