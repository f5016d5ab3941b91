import { useState } from 'react'
import { client, readBody, type Answer } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Form } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { NewPasswordField } from '../../parts/password.tsx'
import { exactTime } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { LinkPage } from '../../shell/link-page.tsx'
import { OutsidePage } from '../../shell/outside-page.tsx'

type OpenReset = Answer<'/ui/password-reset/look', 'post'>
type FinishedReset = Answer<'/ui/password-reset', 'post'>

/** Sets a new password by the one-time link of an owner or the operator. */
export function ResetPasswordPage() {
  const [finished, setFinished] = useState<FinishedReset | undefined>(undefined)
  if (finished !== undefined) return <Finished {...finished} />
  return (
    <LinkPage look={look} title="Set a new password" invalid={<NotValid />}>
      {(reset, token) => (
        <OutsidePage
          title="Set a new password"
          lead={`For ${reset.email}`}
          foot={`The link works once, until ${exactTime(reset.expiresAt)}.`}
        >
          <Notice tone="caution" title="What else changes">
            You are signed out in every browser, and your personal API keys are deleted. Programs
            that use them stop working.
          </Notice>
          <ResetForm token={token} reset={reset} onFinished={setFinished} />
        </OutsidePage>
      )}
    </LinkPage>
  )
}

async function look(token: string): Promise<OpenReset> {
  return await readBody(client.POST('/ui/password-reset/look', { body: { token } }))
}

interface ResetFormProps {
  token: string
  reset: OpenReset
  onFinished: (finished: FinishedReset) => void
}

function ResetForm({ token, reset, onFinished }: ResetFormProps) {
  const [password, setPassword] = useState('')
  const save = useAction({
    request: () => readBody(client.POST('/ui/password-reset', { body: { token, password } })),
    onSuccess: onFinished,
  })
  const { problem } = save
  if (problem?.status === 404) return <UsedNotice />
  return (
    <Form
      label="Set a new password"
      problem={problem}
      fields={['password']}
      takesFocus
      onSubmit={save.run}
    >
      {/* Password managers save the password under this address. */}
      <input type="email" autoComplete="username" value={reset.email} readOnly hidden />
      <NewPasswordField
        label="New password"
        value={password}
        onChange={setPassword}
        known={[reset.email]}
        field="password"
      />
      <Button type="submit" look="primary" busy={save.isPending}>
        Set password
      </Button>
    </Form>
  )
}

function Finished({ email, deletedApiKeys }: FinishedReset) {
  const keys =
    deletedApiKeys === 0
      ? 'You had no personal API keys.'
      : `${deletedApiKeys === 1 ? '1 personal API key was' : `${deletedApiKeys} personal API keys were`} deleted.`
  return (
    <OutsidePage
      title="Your password is set"
      lead={`Sign in as ${email} with the new password. All earlier sessions have ended. ${keys}`}
    >
      <ButtonLink href={paths.signIn()} look="primary">
        Sign in
      </ButtonLink>
    </OutsidePage>
  )
}

function UsedNotice() {
  return (
    <Notice tone="critical" title="This link is no longer valid">
      It was used, replaced or has expired since you opened it. Ask for a new link.
    </Notice>
  )
}

function NotValid() {
  return (
    <OutsidePage
      title="This link is not valid"
      lead="A reset link works once, for 24 hours. This one was used, replaced by a newer one, has expired, or is incomplete."
    >
      <p>Ask an owner of your organization or the operator of this installation for a new link.</p>
      <ButtonLink href={paths.signIn()} look="primary">
        Sign in
      </ButtonLink>
    </OutsidePage>
  )
}
