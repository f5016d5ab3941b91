import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { STEPS, type StepName } from './integration-draft.ts'
import type { Wizard } from './use-wizard.ts'

interface StepFooterProps {
  wizard: Wizard
  /** The buttons that go on; without them, one that continues. */
  children?: ReactNode
}

/** The buttons at the end of a step: back, and on. */
export function StepFooter({ wizard, children }: StepFooterProps) {
  const { step, form } = wizard
  const at = STEPS.findIndex(({ name }) => name === step)
  const previous: StepName | undefined = STEPS[at - 1]?.name
  const hasPrevious = previous !== undefined && !(form !== undefined && previous === 'platform')
  return (
    <footer className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
      {hasPrevious && (
        <Button icon={ArrowLeft} onClick={() => wizard.goTo(previous)}>
          Back
        </Button>
      )}
      {children ?? (
        <Button look="primary" className="flex-row-reverse" icon={ArrowRight} onClick={wizard.goOn}>
          Continue
        </Button>
      )}
    </footer>
  )
}
