import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { STEPS, type StepName } from './integration-draft.ts'
import type { Wizard } from './use-wizard.ts'

interface StepFooterProps {
  wizard: Wizard
  /** What the button says that goes on. */
  next?: string
  /** Going on is not what one would do next. */
  isDoubtful?: boolean
  /** Beside the buttons. */
  children?: ReactNode
}

/** The way back and the way on, at the end of a step. */
export function StepFooter({
  wizard,
  next = 'Continue',
  isDoubtful = false,
  children,
}: StepFooterProps) {
  const { step, form } = wizard
  const at = STEPS.findIndex(({ name }) => name === step)
  const before: StepName | undefined = STEPS[at - 1]?.name
  const hasBefore = before !== undefined && !(form !== undefined && before === 'platform')
  return (
    <footer className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
      {hasBefore && (
        <Button icon={<ArrowLeft size={14} aria-hidden />} onClick={() => wizard.goTo(before)}>
          Back
        </Button>
      )}
      <Button
        look={isDoubtful ? 'secondary' : 'primary'}
        className="flex-row-reverse"
        icon={<ArrowRight size={14} aria-hidden />}
        onClick={wizard.goOn}
      >
        {next}
      </Button>
      {children}
    </footer>
  )
}
