import { useSession } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { paths } from '../paths.ts'
import { OutsidePage } from './outside-page.tsx'
import { useSignOut } from './sign-out.tsx'

/** The page of a signed-in person who is not a member of any organization. */
export function NoOrganization() {
  const { user } = useSession()
  const signOut = useSignOut()
  return (
    <OutsidePage
      title="You are not a member of an organization"
      lead={`You are signed in as ${user.email}.`}
    >
      <p>
        Ask an owner of your organization for an invitation and open its link. If you have an
        invitation already, open that link.
      </p>
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
