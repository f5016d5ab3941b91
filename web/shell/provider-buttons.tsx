import { useEffect, useRef } from 'react'
import type { Schemas } from '../api/client.ts'
import { openProviderSignIn, startProviderSignIn } from '../api/provider-sign-in.ts'
import { Button } from '../parts/button.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useAction } from './action.ts'

/** A provider with which a person can sign in. */
type OfferedProvider = Pick<Schemas['SignInOptions']['providers'][number], 'id' | 'name'>

interface ProviderButtonsProps {
  providers: readonly OfferedProvider[]
  /** The page to open afterwards. */
  next: string
  /** The token of the invitation that the person accepts. */
  invitation?: string
  /** The provider to which the page goes at once; undefined = none. */
  immediate?: OfferedProvider | undefined
  /** Whether the provider opens in a new tab, so that this page keeps what was typed. */
  opensTab?: boolean
}

/** A button for each identity provider, which leads to its page. */
export function ProviderButtons({
  providers,
  next,
  invitation,
  immediate,
  opensTab = false,
}: ProviderButtonsProps) {
  const start = useAction({
    request: async (providerId: string) => {
      const signIn = { providerId, next, ...(invitation === undefined ? {} : { invitation }) }
      await (opensTab ? openProviderSignIn(signIn) : startProviderSignIn(signIn))
    },
  })
  const { run, isPending, input, problem } = start
  const hasStarted = useRef(false)
  const immediateId = immediate?.id
  useEffect(() => {
    if (immediateId === undefined || hasStarted.current) return
    hasStarted.current = true
    run(immediateId)
  }, [immediateId, run])
  return (
    <div className="grid gap-2">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          look="primary"
          className="min-h-10 whitespace-normal"
          busy={isPending && input === id}
          onClick={() => run(id)}
        >
          <span className="user-text">
            Continue with {name}
            {opensTab && <span className="sr-only"> (opens a new tab)</span>}
          </span>
        </Button>
      ))}
    </div>
  )
}

/** A line between the buttons of providers and the form for a password. */
export function OrDivider() {
  return (
    <div className="flex items-center gap-3 text-sm text-muted">
      <span aria-hidden className="h-px grow bg-line" />
      or
      <span aria-hidden className="h-px grow bg-line" />
    </div>
  )
}
