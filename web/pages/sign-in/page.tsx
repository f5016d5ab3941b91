import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { Notice } from '../../parts/notice.tsx'
import { OutsidePage } from '../../shell/outside-page.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { WaysToSignIn } from './ways-to-sign-in.tsx'
import { ownPath } from '../../../formats/name/own-path.ts'

const USUAL = { to: '', organization: '', provider: '', password: '', again: '' }

/** The sign-in page; it leads on to the page that was asked for. */
export function SignInPage() {
  const router = useRouter()
  const [state] = useUrlState(USUAL)
  // Kept from the start: the address changes when the person goes there.
  const [{ to, organization, provider, password, again }] = useState(state)
  const next = ownPath(to, window.location.origin)
  const start = api.useQuery('get', '/ui/start')
  const session = useQuery(sessionQuery)
  const isSignedIn = session.data !== undefined && session.data !== null
  useEffect(() => {
    if (isSignedIn) router.history.replace(next)
  }, [isSignedIn, next, router])
  const isSetUp = start.data?.isSetUp !== false
  return (
    <OutsidePage
      title={isSetUp ? 'Sign in' : 'Set up Portbook first'}
      foot={start.data && `Version ${start.data.version}`}
    >
      {!window.isSecureContext && <InsecureNotice />}
      {isSetUp ? (
        <WaysToSignIn
          next={next}
          people={start.data?.demoPeople ?? []}
          organization={organization}
          chosenProvider={provider}
          // Only a page that needs a session leads on to the provider: who signs out, or was refused, stays here.
          goesOn={to !== '' && again === ''}
          showsPassword={password !== ''}
        />
      ) : (
        <NotSetUp />
      )}
    </OutsidePage>
  )
}

function InsecureNotice() {
  return (
    <Notice tone="caution" title="Sign-in does not work at this address">
      Browsers keep the session only over HTTPS or on <code>localhost</code>. Open Portbook at such
      an address. The operator sets <code>PORTBOOK_BASE_URL</code> to it.
    </Notice>
  )
}

function NotSetUp() {
  return (
    <div className="grid gap-3">
      <p>
        There is no account yet. Create the first one with the one-time link that the server printed
        when it started:
      </p>
      <ol className="grid list-decimal gap-1.5 pl-5">
        <li>
          Find the address with <code>/set-up#</code> in the terminal, or in the log of the process.
        </li>
        <li>Open it in this browser.</li>
        <li>Name your organization and choose a password.</li>
      </ol>
      <p className="text-muted">
        No address? Restart the server: it prints a new link until the first account exists.
      </p>
    </div>
  )
}
