import { Circle, CircleCheck, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { ButtonLink, IconButton } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Panel } from '../../parts/page.tsx'
import {
  useFirstSteps,
  type FirstStep,
  keepStepsState,
  readStepsState,
} from '../../shell/first-steps.ts'

/** The way from an empty catalog to one in use; each step is ticked when it is done. */
export function FirstSteps() {
  const organizationId = useSession().organization?.id ?? ''
  const [isHidden, setHidden] = useState(() => readStepsState(organizationId) === 'over')
  const found = useFirstSteps(!isHidden)
  const steps = found?.steps ?? []
  const done = steps.filter(({ isDone }) => isDone).length
  const isShown = found !== undefined && done < steps.length
  useEffect(() => {
    if (isShown) keepStepsState(organizationId, 'shown')
  }, [organizationId, isShown])
  if (isHidden || !isShown) return null
  const hide = (): void => {
    keepStepsState(organizationId, 'over')
    setHidden(true)
  }
  return (
    <Panel
      flush
      title="First steps"
      marks={`${done} of ${steps.length} done`}
      actions={<IconButton label="Hide the first steps" icon={X} onClick={hide} />}
    >
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <StepRow key={step.title} step={step} />
        ))}
      </ol>
    </Panel>
  )
}

function StepRow({ step }: { step: FirstStep }) {
  const { title, text, isDone, href, action, command } = step
  return (
    <li className="flex gap-2.5 px-4 py-3">
      <span className="mt-0.5 shrink-0">
        {isDone ? (
          <CircleCheck size={16} aria-hidden className="text-positive" />
        ) : (
          <Circle size={16} aria-hidden className="text-faint" />
        )}
      </span>
      <div className="grid min-w-0 flex-1 justify-items-start gap-1.5">
        <p className="font-medium">
          {title}
          <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>
        </p>
        {!isDone && (
          <>
            <p className="text-sm text-muted">{text}</p>
            <ButtonLink href={href}>{action}</ButtonLink>
            {command !== undefined && (
              <details className="w-full min-w-0 text-sm">
                <summary className="w-fit rounded text-muted">From a pipeline</summary>
                <div className="mt-1">
                  <CodeBlock text={command} label="Command that registers a data product" />
                </div>
              </details>
            )}
          </>
        )}
      </div>
    </li>
  )
}
