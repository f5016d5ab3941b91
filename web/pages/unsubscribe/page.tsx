import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { client, readBody, type Answer } from '../../api/client.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { ProblemNotice, Skeleton } from '../../parts/notice.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { LinkPage } from '../../shell/link-page.tsx'
import { OutsidePage } from '../../shell/outside-page.tsx'

type UnsubscribeLink = Answer<'/ui/unsubscribe/preview', 'post'>

const TITLE = 'Stop e-mails'

/** Switches e-mails off with the link of a message, without signing in. */
export function UnsubscribePage() {
  const [isDone, setIsDone] = useState(false)
  const queryToken = useQueryToken()
  if (isDone) return <Done />
  if (queryToken !== undefined) {
    return (
      <OutsidePage title={TITLE}>
        <Skeleton label="Loading the link" />
      </OutsidePage>
    )
  }
  return (
    <LinkPage look={look} title={TITLE} invalid={<NotValid />}>
      {(link, token) => <Confirm link={link} token={token} onDone={() => setIsDone(true)} />}
    </LinkPage>
  )
}

// Mail programs open the address for one click, which has the token in its query. It is moved to where it is not logged.
function useQueryToken(): string | undefined {
  const router = useRouter()
  const query = useRouterState({ select: (state) => state.location.searchStr })
  const token = new URLSearchParams(query).get('token') ?? undefined
  useEffect(() => {
    if (token !== undefined) router.history.replace(`${router.state.location.pathname}#${token}`)
  }, [token, router])
  return token
}

async function look(token: string): Promise<UnsubscribeLink> {
  return await readBody(client.POST('/ui/unsubscribe/preview', { body: { token } }))
}

interface ConfirmProps {
  link: UnsubscribeLink
  token: string
  onDone: () => void
}

function Confirm({ link: { organizationName, kindTitle }, token, onDone }: ConfirmProps) {
  const stop = useAction({
    request: () => client.POST('/ui/unsubscribe', { body: { token }, parseAs: 'text' }),
    onSuccess: onDone,
  })
  const called = kindTitle === null ? 'the daily e-mail' : `e-mails of the kind "${kindTitle}"`
  return (
    <OutsidePage
      title={TITLE}
      lead={`Do you want to stop ${called} of ${organizationName}?`}
      foot="Notifications still appear on the page. You can switch e-mails on again in your settings."
    >
      <ProblemNotice problem={stop.problem} />
      <Button look="primary" busy={stop.isPending} onClick={() => stop.run()}>
        Stop these e-mails
      </Button>
    </OutsidePage>
  )
}

function Done() {
  return (
    <OutsidePage
      title="The e-mails are off"
      lead="Notifications still appear on the page. You can switch e-mails on again in your settings."
    >
      <ButtonLink href={paths.home} look="primary">
        Open Portbook
      </ButtonLink>
    </OutsidePage>
  )
}

function NotValid() {
  return (
    <OutsidePage
      title="This link is not valid"
      lead="It is incomplete, or the encryption key of this installation was changed since the message was sent."
    >
      <p>Sign in to change your notification settings.</p>
      <ButtonLink href={paths.home} look="primary">
        Sign in
      </ButtonLink>
    </OutsidePage>
  )
}
