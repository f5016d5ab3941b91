import { PlugZap } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx'
import { ToneIcon } from '../../parts/status.tsx'
import { StepFooter } from './step-footer.tsx'
import type { Wizard } from './use-wizard.ts'
import type { Findings, Trials } from './use-trials.ts'

const TONES = { ok: 'positive', warning: 'caution', error: 'critical' } as const

/** Whether the source answers, what the user may see there, and what to do about the rest. */
export function TestStep({ wizard, trials: { test } }: { wizard: Wizard; trials: Trials }) {
  const { result, isOld, isPending, problem } = test
  const isGood = result?.ok === true && !isOld && problem === undefined
  return (
    <>
      <p className="text-muted">
        The server connects to the source, looks at what the user may see, and leaves again. This
        takes ten seconds at most, and nothing is saved.
      </p>
      <div>
        <Button
          look={isGood ? 'secondary' : 'primary'}
          icon={<PlugZap size={14} aria-hidden />}
          busy={isPending}
          onClick={test.start}
        >
          {result === undefined ? 'Test the connection' : 'Test again'}
        </Button>
      </div>
      <div aria-live="polite" className="grid gap-3">
        {isPending && <Skeleton lines={3} label="Testing the connection" />}
        {!isPending && problem !== undefined && <ProblemNotice problem={problem} />}
        {!isPending && problem === undefined && result !== undefined && (
          <Result result={result} isOld={isOld} />
        )}
      </div>
      <StepFooter
        wizard={wizard}
        next={isGood ? 'Continue' : 'Continue without a good test'}
        isDoubtful={!isGood}
      />
    </>
  )
}

function Result({ result, isOld }: { result: Findings; isOld: boolean }) {
  const title = result.ok ? 'The source can be read' : 'Something stands in the way'
  return (
    <>
      {isOld ? (
        <Notice tone="caution" title="You changed the connection since this test">
          Test it again to be sure.
        </Notice>
      ) : (
        <Notice tone={result.ok ? 'positive' : 'critical'} title={title} />
      )}
      <ul className="grid gap-2">
        {result.findings.map(({ state, what, hint }, at) => (
          <li key={`${what} ${at}`} className="flex gap-2">
            <span className="mt-1">
              <ToneIcon tone={TONES[state]} />
            </span>
            <span className="user-text min-w-0">
              <span className="sr-only">{state === 'error' ? 'Does not work: ' : 'Works: '}</span>
              {what}
              {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
