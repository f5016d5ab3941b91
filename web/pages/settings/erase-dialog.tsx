import { useState } from 'react'
import { api, client, readBody, type Answer } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { countText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import type { Member } from './member-rules.ts'

interface EraseDialogProps {
  member: Member
  onClose: () => void
}

type Preview = Answer<'/ui/members/{userId}/erasure', 'get'>

/** Shows what erasing a member deletes and leaves, asks for the address, and lists what is left to do. */
export function EraseDialog({ member, onClose }: EraseDialogProps) {
  const { userId, name, email } = member
  const path = { userId }
  const preview = api.useQuery('get', '/ui/members/{userId}/erasure', { params: { path } })
  const [typed, setTyped] = useState('')
  const erase = useAction({
    request: () =>
      readBody(
        client.POST('/ui/members/{userId}/erasure', {
          params: { path },
          body: { email: typed.trim() },
        }),
      ),
    refresh: ['/ui/members'],
  })
  const { result } = erase
  return (
    <Dialog
      open
      onClose={onClose}
      title={result === undefined ? `Erase ${name}?` : 'The person was erased'}
      description={result === undefined ? 'This cannot be undone.' : undefined}
    >
      {result === undefined ? (
        <Loaded query={preview}>
          {(loaded) => (
            <>
              <Consequences preview={loaded} />
              <Documents {...loaded} />
              <InputForm
                label="Confirmation"
                fields={[confirmation(email)]}
                values={{ email: typed }}
                onChange={(next) => setTyped(next.email ?? typed)}
                sending={erase}
                action="Erase person"
                reason={isSame(typed, email) ? undefined : 'Type the address of the person first.'}
                onSubmit={erase.run}
              />
            </>
          )}
        </Loaded>
      ) : (
        <>
          <Documents {...result} />
          <Button className="justify-self-start" onClick={onClose}>
            Done
          </Button>
        </>
      )}
    </Dialog>
  )
}

const LIST = new Intl.ListFormat('en')

const confirmation = (email: string): FieldRecord<'email'> => ({
  name: 'email',
  title: `Type ${email} to confirm`,
  control: { type: 'text', autoComplete: 'off', spellCheck: false },
})

function isSame(typed: string, email: string): boolean {
  return typed.trim().toLowerCase() === email.trim().toLowerCase()
}

function Consequences({ preview: { counts } }: { preview: Preview }) {
  const deleted = [
    { count: counts.sessions, one: 'session' },
    { count: counts.apiKeys, one: 'personal API key' },
    { count: counts.follows, one: 'follow', several: 'follows and stars' },
    { count: counts.notifications, one: 'notification' },
    { count: counts.invitations, one: 'invitation' },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, one, several }) => countText(count, one, several))
  return (
    <ul className="grid list-disc gap-1 pl-5">
      <li>
        The account is deleted, with {LIST.format(['its password', ...deleted])}. Programs that use
        personal keys stop working.
      </li>
      <li>
        The person loses all access, and{' '}
        {countText(
          counts.agreements,
          'access agreement or request',
          'access agreements and requests',
        )}{' '}
        {counts.agreements === 1 ? 'ends' : 'end'}.
      </li>
      <li>
        The activity and the history keep what the person did, as <i>Erased person</i>, without name
        and address.
      </li>
      <li>
        Documents, their former versions and backups are not changed.{' '}
        <Link href={paths.guide('erase-a-person')}>What stays</Link>
      </li>
    </ul>
  )
}

function Documents({ documents, isComplete }: Pick<Preview, 'documents' | 'isComplete'>) {
  if (documents.length === 0) {
    return (
      <p>
        {isComplete
          ? 'No document contains the address.'
          : 'No document that was searched contains the address. The operator can search all of them.'}
      </p>
    )
  }
  return (
    <section aria-label="Documents" className="grid gap-1">
      <p>These contain the address. Edit or delete them yourself:</p>
      <ul className="max-h-48 overflow-y-auto">
        {documents.map(({ kind, id, page, isFormer }) => (
          <li key={`${kind} ${id}`} className="user-text">
            {page === null ? id : <Link href={page}>{id}</Link>}{' '}
            <span className="text-sm text-muted">
              {kind.replaceAll('-', ' ')}
              {isFormer && ', only former versions'}
            </span>
          </li>
        ))}
      </ul>
      {!isComplete && <p>There may be more. The operator can list all of them.</p>}
    </section>
  )
}
