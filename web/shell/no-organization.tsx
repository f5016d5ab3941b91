import { useSession } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { paths } from '../paths.ts'
import { OutsidePage } from './outside-page.tsx'
import { useSignOut } from './sign-out.tsx'

/** The page of a signed-in person who is not a member of any organization. */
export function NoOrganization() {
  const { user, suspendedIn } = useSession()
  const signOut = useSignOut()
  const isSuspended = suspendedIn.length > 0
  return (
    <OutsidePage
      title={isSuspended ? 'Your account is suspended' : 'You are not a member of an organization'}
      lead={`You are signed in as ${user.email}.`}
    >
      {isSuspended ? (
        <p>
          You have no access to{' '}
          <span className="user-text">{suspendedIn.map(({ name }) => name).join(', ')}</span>. Ask
          one of its owners, or the administrator of your directory.
        </p>
      ) : (
        <p>
          Ask an owner of your organization for an invitation and open its link. If you have an
          invitation already, open that link.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={signOut}>
          Sign out
        </Button>
        {/* Loading the page again also loads the session. */}
        <Button onClick={() => window.location.assign(paths.home)}>Check again</Button>
      </div>
    </OutsidePage>
  )
}
