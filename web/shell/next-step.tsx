import { CircleCheck, X } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { mayOwn, useSession } from '../api/session.ts'
import { ButtonLink, IconButton } from '../parts/button.tsx'
import { paths } from '../paths.ts'
import { useFirstSteps, keepStepsState, readStepsState } from './first-steps.ts'

/**
 * Shows what to do next after one of the first steps, and that all are done after the last. A person can
 * hide it. It shows nothing in a catalog that is in use, nor when the person may do none of the steps.
 */
export function NextStep() {
  const session = useSession()
  const organizationId = session.organization?.id ?? ''
  const [before] = useState(() => readStepsState(organizationId))
  const [isHidden, setHidden] = useState(before === 'over')
  const found = useFirstSteps(!isHidden)
  const isOver = found?.isInUse === true
  const next = found?.steps.find(({ isDone }) => !isDone)
  const hasNext = next !== undefined
  const areAllDone = found !== undefined && found.steps.every(({ isDone }) => isDone)
  const isFinished = areAllDone && before === 'shown'
  useEffect(() => {
    if (isOver || (areAllDone && !isFinished)) keepStepsState(organizationId, 'over')
    else if (hasNext) keepStepsState(organizationId, 'shown')
  }, [organizationId, isOver, areAllDone, isFinished, hasNext])
  // The end is shown once, on the page of the last step.
  useEffect(
    () => (isFinished ? () => keepStepsState(organizationId, 'over') : undefined),
    [organizationId, isFinished],
  )
  if (found === undefined || isHidden || isOver || (!hasNext && !isFinished)) return null
  const hide = (): void => {
    keepStepsState(organizationId, 'over')
    setHidden(true)
  }
  if (next === undefined) {
    return (
      <Frame
        title="You're set up"
        text="Your first products and assets are in the catalog."
        onHide={hide}
      >
        <ButtonLink href={paths.assets()} look="primary">
          Browse assets
        </ButtonLink>
        {mayOwn(session).allowed && <ButtonLink href={paths.members}>Invite colleagues</ButtonLink>}
      </Frame>
    )
  }
  const done = found.steps.filter(({ isDone }) => isDone).length
  return (
    <Frame
      title={`Next: ${next.title.charAt(0).toLowerCase()}${next.title.slice(1)}`}
      text={`${next.text} ${done} of ${found.steps.length} first steps done.`}
      onHide={hide}
    >
      <ButtonLink href={next.href} look="primary">
        {next.action}
      </ButtonLink>
    </Frame>
  )
}

interface FrameProps {
  title: string
  text: string
  onHide: () => void
  children: ReactNode
}

function Frame({ title, text, onHide, children }: FrameProps) {
  return (
    <section
      aria-label="What's next"
      className="relative mb-5 last:mb-0 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-accent-soft py-3 pr-12 pl-4"
    >
      <CircleCheck size={18} aria-hidden className="shrink-0 text-accent" />
      <div className="min-w-56 flex-1">
        <p className="font-medium">{title}</p>
        <p className="text-sm">{text}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
      <IconButton
        label="Hide the first steps"
        icon={X}
        className="absolute! top-1.5 right-1.5"
        onClick={onHide}
      />
    </section>
  )
}
