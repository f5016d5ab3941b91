import { useState } from 'react'
import { api, client, readBody } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { FormFields, type FieldRecord } from '../../parts/form-fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { NewPasswordField } from '../../parts/password.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { useDraft } from '../../shell/draft.ts'
import { useEnter } from '../../shell/enter.ts'
import { useLinkToken } from '../../shell/link-page.tsx'
import { OutsidePage } from '../../shell/outside-page.tsx'

const EMPTY = { organization: '', name: '', email: '' }
const FIELDS = ['organization', 'name', 'email', 'password']

/** Creates the first organization and its owner, with the one-time link that the server printed. */
export function SetUpPage() {
  const token = useLinkToken()
  const [isUsed, setUsed] = useState(false)
  if (token === undefined || isUsed) return <NoLink wasGiven={isUsed} />
  return (
    <OutsidePage
      title="Set up Portbook"
      lead="You become the owner of the first organization. Invite others later."
    >
      <SetUpForm token={token} onUsed={() => setUsed(true)} />
    </OutsidePage>
  )
}

const TEXTS: readonly FieldRecord<keyof typeof EMPTY>[] = [
  {
    name: 'organization',
    title: 'Organization',
    hint: 'Shown to everyone. You can rename it later.',
    control: { required: true, autoComplete: 'organization' },
  },
  { name: 'name', title: 'Your name', control: { required: true, autoComplete: 'name' } },
  {
    name: 'email',
    title: 'E-mail address',
    hint: 'You sign in with it.',
    control: { required: true, type: 'email', autoComplete: 'username' },
  },
]

function SetUpForm({ token, onUsed }: { token: string; onUsed: () => void }) {
  const enter = useEnter()
  const draft = useDraft('set-up', EMPTY)
  const [password, setPassword] = useState('')
  const { organization, name, email } = draft.value
  const setUp = useAction({
    request: () =>
      readBody(
        client.POST('/ui/set-up', {
          body: { token, organization, name, email: email.trim(), password },
        }),
      ),
    onSuccess(session) {
      draft.discard()
      enter(session, paths.home)
    },
    onError: ({ status }) => status === 404 && onUsed(),
  })
  return (
    <Form
      label="Set up Portbook"
      problem={setUp.problem}
      fields={FIELDS}
      takesFocus
      onSubmit={setUp.run}
    >
      <FormFields fields={TEXTS} values={draft.value} onChange={draft.set} />
      <NewPasswordField
        field="password"
        value={password}
        onChange={setPassword}
        known={[organization, name, email]}
      />
      <Button type="submit" look="primary" busy={setUp.isPending}>
        Create organization
      </Button>
    </Form>
  )
}

function NoLink({ wasGiven }: { wasGiven: boolean }) {
  const start = api.useQuery('get', '/ui/start')
  if (start.data?.isSetUp === true) {
    return (
      <OutsidePage
        title="Portbook is already set up"
        lead="The setup link works once, and it has been used. If you have an account, sign in. If not, ask an owner of your organization for an invitation."
      >
        <ButtonLink href={paths.signIn()} look="primary">
          Sign in
        </ButtonLink>
      </OutsidePage>
    )
  }
  return (
    <OutsidePage
      title={wasGiven ? 'This setup link is not valid' : 'Setup link needed'}
      lead="The first account is created with the link that the server prints when it starts."
    >
      <Notice tone="info" title="Where to find it">
        Look for the address with <code>/set-up#</code> in the terminal or in the log of the
        process, and open all of it. Each start of the server prints a new link until one is used.
      </Notice>
    </OutsidePage>
  )
}
