import { useSession } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { paths } from '../paths.ts'
import { OutsidePage } from './outside-page.tsx'
import { useSignOut } from './sign-out.tsx'

/** The page of a person who is signed in and belongs to no organization. */
export function NoOrganization() {
  const { user } = useSession()
  const signOut = useSignOut()
  return (
    <OutsidePage
      title="You are in no organization"
      lead={`You are signed in as ${user.email}, but no organization has this account as a member.`}
    >
      <p>
        Ask an owner of your organization for an invitation, then open its link. If you have just
        been invited, use the link that you were sent.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={signOut}>
          Sign out
        </Button>
        {/* A new request of the page reads the session again. */}
        <Button onClick={() => window.location.assign(paths.home)}>Check again</Button>
      </div>
    </OutsidePage>
  )
}
