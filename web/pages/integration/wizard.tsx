import { useRouter } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { Link } from '../../parts/link.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PlatformMark } from '../../parts/platform-mark.tsx'
import { messageFor } from '../../parts/schema-form-values.ts'
import { ToneIcon } from '../../parts/status.tsx'
import { paths, withQuery } from '../../paths.ts'
import { ConnectionStep } from './connection-step.tsx'
import { DetailsStep } from './details-step.tsx'
import { FiltersStep } from './filters-step.tsx'
import { STEPS, stepsWithProblems } from './integration-draft.ts'
import { useTrials, type Trials } from './use-trials.ts'
import { useWizard, type Wizard, type WizardSubject } from './use-wizard.ts'

/** The steps that connect a source, each with its own address. */
export function WizardPage({ subject }: { subject: WizardSubject }) {
  const wizard = useWizard(subject)
  const trials = useTrials(wizard)
  const { step, rejectionCount } = wizard
  const content = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const shownStep = useRef(step)
  // After a change of the step the keyboard continues from its heading.
  useEffect(() => {
    if (shownStep.current !== step) heading.current?.focus()
    shownStep.current = step
  }, [step])
  useEffect(() => {
    if (rejectionCount === 0) return
    const wrong = content.current?.querySelector('[aria-invalid="true"]')
    if (wrong instanceof HTMLElement) wrong.focus()
  }, [rejectionCount])
  const title = STEPS.find(({ name }) => name === step)?.title
  return (
    <div className="grid gap-6 lg:grid-cols-[13rem_1fr]">
      <StepList wizard={wizard} />
      <div className="grid min-w-0 max-w-3xl content-start gap-4">
        {wizard.isKept && <KeptNotice wizard={wizard} />}
        <section
          aria-labelledby="step-title"
          className="min-w-0 rounded-lg border border-line bg-surface"
        >
          <header className="border-b border-line px-4 py-2.5 sm:px-5">
            <h2 id="step-title" ref={heading} tabIndex={-1} className="text-lg outline-none">
              {title}
            </h2>
          </header>
          <div ref={content} className="grid gap-5 p-4 sm:p-5">
            <Step wizard={wizard} trials={trials} />
          </div>
        </section>
      </div>
    </div>
  )
}

function Step({ wizard, trials }: { wizard: Wizard; trials: Trials }) {
  switch (wizard.step) {
    case 'platform':
      return <PlatformStep wizard={wizard} />
    case 'connection':
      return <ConnectionStep wizard={wizard} trials={trials} />
    case 'filters':
      return <FiltersStep wizard={wizard} trials={trials} />
    case 'details':
      return <DetailsStep wizard={wizard} />
  }
}

function StepList({ wizard }: { wizard: Wizard }) {
  const { form, step, source, violations } = wizard
  const base = form === undefined ? paths.newIntegration : paths.editIntegration(form.externalId)
  const wrong = stepsWithProblems(violations)
  const steps = STEPS.filter(({ name }) => form === undefined || name !== 'platform')
  const currentAt = steps.findIndex(({ name }) => name === step)
  return (
    <nav aria-label="Steps" className="min-w-0">
      <ol className="flex flex-wrap gap-1 lg:grid">
        {steps.map(({ name, title }, at) => {
          const isCurrent = name === step
          const look = classNames(
            'flex items-center gap-2 rounded-md px-2.5 py-1.5 whitespace-nowrap',
            isCurrent && 'bg-accent-soft font-medium text-accent',
            !isCurrent && 'text-muted',
          )
          const content = (
            <StepTitle
              number={at + 1}
              title={title}
              state={wrong.includes(name) ? 'wrong' : at < currentAt ? 'done' : 'open'}
              isCurrent={isCurrent}
            />
          )
          const isOpen = source !== undefined || name === 'platform'
          return (
            <li key={name}>
              {isOpen ? (
                <Link
                  href={withQuery(base, { step: name })}
                  plain
                  aria-current={isCurrent ? 'step' : undefined}
                  className={classNames(look, !isCurrent && 'hover:bg-hover hover:text-ink')}
                >
                  {content}
                </Link>
              ) : (
                <span className={look}>{content}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

interface StepTitleProps {
  number: number
  title: string
  state: 'done' | 'wrong' | 'open'
  isCurrent: boolean
}

const STATE_WORDS = { done: ': done', wrong: ': has errors', open: '' } as const

// Narrow screens show the numbers of all steps and the title of the current one.
function StepTitle({ number, title, state, isCurrent }: StepTitleProps) {
  return (
    <>
      <span aria-hidden className="grid size-5 place-items-center">
        {state === 'wrong' && <ToneIcon tone="critical" size={16} />}
        {state === 'done' && <ToneIcon tone="positive" size={18} />}
        {state === 'open' && (
          <span className="grid size-5 place-items-center rounded-full border border-line-strong text-xs">
            {number}
          </span>
        )}
      </span>
      <span className={isCurrent ? undefined : 'max-sm:sr-only'}>{title}</span>
      <span className="sr-only">{STATE_WORDS[state]}</span>
    </>
  )
}

function KeptNotice({ wizard }: { wizard: Wizard }) {
  const { draft, secrets, form } = wizard
  const router = useRouter()
  const lost = draft.typedSecrets.filter((name) => (secrets[name] ?? '') === '')
  const startOver = (): void => {
    wizard.discard()
    router.history.push(
      form === undefined ? paths.integrations : paths.integration(form.externalId),
    )
  }
  return (
    <Notice
      tone="info"
      title="Restored from earlier in this tab"
      actions={<Button onClick={startOver}>Discard</Button>}
    >
      {lost.length === 0
        ? 'Nothing is saved until you finish.'
        : 'Passwords and other secrets are never stored in a browser. Enter them again under "Connection".'}
    </Notice>
  )
}

/** The choice of the platform to connect. */
function PlatformStep({ wizard }: { wizard: Wizard }) {
  const error = messageFor(wizard.violations, 'source')
  return (
    <>
      <p className="text-muted">
        Portbook reads the tables and columns of a platform, never their rows. Read-only access is
        enough.
      </p>
      <ul className="grid gap-3">
        {wizard.sources.map((platform) => {
          const { source, title, summary } = platform
          const isChosen = wizard.draft.source === source
          return (
            <li key={source}>
              <button
                type="button"
                aria-current={isChosen || undefined}
                className={classNames(
                  'flex w-full items-center gap-3 rounded-md border p-3 text-left hover:bg-hover',
                  isChosen ? 'border-accent bg-accent-soft' : 'border-line-strong/60',
                )}
                onClick={() => wizard.choosePlatform(platform)}
              >
                <PlatformMark source={source} size={32} />
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">{title}</span>
                  <span className="block text-sm text-muted">{summary}</span>
                </span>
                <ChevronRight size={16} aria-hidden className="shrink-0 text-faint" />
              </button>
            </li>
          )
        })}
      </ul>
      {error !== undefined && (
        <p role="alert" className="text-critical">
          {error}
        </p>
      )}
    </>
  )
}
