import { useEffect, useState } from 'react'
import { mayOwn, useSession } from '../api/session.ts'
import { ButtonLink } from '../parts/button.tsx'
import { StepsStrip } from '../parts/steps-strip.tsx'
import { paths } from '../paths.ts'
import { useFirstSteps, keepStepsState, readStepsState } from './first-steps.ts'

const HIDE = 'Hide the first steps'

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
      <StepsStrip
        title="You're set up"
        text="Your first products and assets are in the catalog."
        hideLabel={HIDE}
        onHide={hide}
      >
        <ButtonLink href={paths.assets()} look="primary">
          Browse assets
        </ButtonLink>
        {mayOwn(session).allowed && <ButtonLink href={paths.members}>Invite colleagues</ButtonLink>}
      </StepsStrip>
    )
  }
  const done = found.steps.filter(({ isDone }) => isDone).length
  return (
    <StepsStrip
      title={`Next: ${next.title.charAt(0).toLowerCase()}${next.title.slice(1)}`}
      text={`${next.text} ${done} of ${found.steps.length} first steps done.`}
      hideLabel={HIDE}
      onHide={hide}
    >
      <ButtonLink href={next.href} look="primary">
        {next.action}
      </ButtonLink>
    </StepsStrip>
  )
}
