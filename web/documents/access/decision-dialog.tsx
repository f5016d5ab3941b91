import { useState } from 'react'
import { client } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, TextArea, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import type { ShownProblem } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import { useAction } from '../../shell/action.ts'
import { ACCESS_DATA, toOutcomeProblem } from './access-queries.ts'
import { addDays, today, type ListedAgreement } from './access-words.ts'
import { nameAgreement } from './agreement-list.tsx'
import { RoleChoice } from './role-choice.tsx'

/** A decision on agreements. */
export type AccessDecision = 'approve' | 'reject' | 'cancel'

const WORDS: Readonly<
  Record<
    AccessDecision,
    { title: string; action: string; done: string; text: string; hint: string }
  >
> = {
  approve: {
    title: 'Approve access',
    action: 'Approve',
    done: 'approved',
    text: 'The consumer is notified, and access begins on the first day.',
    hint: 'Conditions, or why the dates or roles differ. Shown to both sides.',
  },
  reject: {
    title: 'Reject access',
    action: 'Reject',
    done: 'rejected',
    text: 'The consumer sees the reason and can request access again.',
    hint: 'What is missing, or where else the data can be found. Shown to both sides.',
  },
  cancel: {
    title: 'End access',
    action: 'End access',
    done: 'ended',
    text: 'The last day is today. It cannot be resumed; it has to be requested again.',
    hint: 'Shown to both sides.',
  },
}

// A request that is withdrawn gave no access yet.
const WITHDRAWAL = {
  title: 'Withdraw request',
  action: 'Withdraw',
  done: 'withdrawn',
  text: 'It is no longer decided on. Access can be requested again.',
  hint: 'Shown to both sides.',
}

function getWords({ decision, agreements }: Pick<DecisionDialogProps, 'decision' | 'agreements'>) {
  const isWithdrawal =
    decision === 'cancel' && agreements.every(({ state }) => state === 'requested')
  return isWithdrawal ? WITHDRAWAL : WORDS[decision]
}

/** The maximum length of a reason in characters. */
const REASON_CHARACTERS_MAX = 2000

interface DecisionDialogProps {
  decision: AccessDecision
  agreements: readonly ListedAgreement[]
  onClose: () => void
}

/** Asks for the reason of a decision and, to approve, for dates and roles. */
export function DecisionDialog({ decision, agreements, onClose }: DecisionDialogProps) {
  const { title, action, text, hint } = getWords({ decision, agreements })
  const [first] = agreements
  const single = agreements.length === 1 ? first : undefined
  const [reason, setReason] = useState('')
  const [terms, setTerms] = useState(() => toTerms(single))
  const { run, isPending, problem, result } = useDecision({ decision, agreements, onClose })
  const count = countText(agreements.length, 'agreement')
  return (
    <Dialog
      open
      onClose={onClose}
      title={single === undefined ? `${title}: ${count}` : title}
      description={
        <span className="user-text">
          {single !== undefined && `${nameAgreement(single)}. `}
          {text}
        </span>
      }
    >
      <Form
        label={title}
        problem={problem ?? result?.problem}
        onSubmit={() => run({ reason, terms: toChanges(decision, single, terms) })}
      >
        {decision === 'approve' && (
          <TermsFields single={single} terms={terms} onChange={setTerms} />
        )}
        <Field label="Reason" hint={hint} optional={decision !== 'reject'}>
          {(control) => (
            <TextArea
              {...control}
              required={decision === 'reject'}
              maxLength={REASON_CHARACTERS_MAX}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          {decision === 'approve' ? (
            <SubmitButton busy={isPending}>{action}</SubmitButton>
          ) : (
            <Button type="submit" look="danger" busy={isPending}>
              {action}
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  )
}

interface TermsDraft {
  start: string
  /** The last day with access; the API has the day after it. */
  last: string
  roles: readonly string[]
}

function toTerms(agreement: ListedAgreement | undefined): TermsDraft {
  const endOn = agreement?.endOn ?? null
  return {
    start: agreement?.startOn ?? '',
    last: endOn === null ? '' : addDays(endOn, -1),
    roles: agreement?.roles ?? [],
  }
}

/** The terms that were changed. */
interface TermsChange {
  startDate?: string | null
  endDate?: string | null
  roles?: string[]
}

// Several agreements keep their dates, unless all of them get the same last day.
function toChanges(
  decision: AccessDecision,
  single: ListedAgreement | undefined,
  { start, last, roles }: TermsDraft,
): TermsChange {
  if (decision !== 'approve') return {}
  const before = toTerms(single)
  return {
    ...(start !== before.start && { startDate: start === '' ? null : start }),
    ...(last !== before.last && { endDate: last === '' ? null : addDays(last, 1) }),
    ...(roles.join('\n') !== before.roles.join('\n') && { roles: [...roles] }),
  }
}

interface TermsFieldsProps {
  single: ListedAgreement | undefined
  terms: TermsDraft
  onChange: (terms: TermsDraft) => void
}

function TermsFields({ single, terms, onChange }: TermsFieldsProps) {
  if (single === undefined) {
    return (
      <TextField
        label="Last day"
        type="date"
        optional
        hint="Empty: each agreement keeps the last day that was requested."
        min={today()}
        value={terms.last}
        onChange={(last) => onChange({ ...terms, last })}
      />
    )
  }
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="First day"
          type="date"
          optional
          hint="Empty: today"
          value={terms.start}
          onChange={(start) => onChange({ ...terms, start })}
        />
        <TextField
          label="Last day"
          type="date"
          optional
          hint="Empty: no end"
          min={terms.start === '' ? today() : terms.start}
          value={terms.last}
          onChange={(last) => onChange({ ...terms, last })}
        />
      </div>
      <RoleChoice
        contractId={single.contractId}
        roles={terms.roles}
        requested={single.roles}
        onChange={(roles) => onChange({ ...terms, roles })}
      />
    </>
  )
}

interface Failure {
  problem: ShownProblem
  agreement: ListedAgreement | undefined
}

function useDecision(props: DecisionDialogProps) {
  const { decision, agreements, onClose } = props
  return useAction({
    async request({ reason, terms }: { reason: string; terms: TermsChange }) {
      const ids = agreements.map(({ id }) => id)
      const versions = agreements.map(({ version }) => version)
      const body = { ids, versions, decision, reason, terms }
      const { data: outcomes = [] } = await client.POST('/ui/access-decisions', { body })
      const failures = outcomes.flatMap(({ problem }, at): Failure[] =>
        problem === null ? [] : [{ problem: toOutcomeProblem(problem), agreement: agreements[at] }],
      )
      return {
        count: outcomes.length - failures.length,
        problem: toOneProblem(failures, agreements.length),
      }
    },
    notice: ({ count }) =>
      count === 0 ? undefined : `${countText(count, 'agreement')} ${getWords(props).done}.`,
    refresh: ACCESS_DATA,
    onRefreshed: ({ problem }) => problem === undefined && onClose(),
  })
}

// A single agreement needs no list.
function toOneProblem(failures: readonly Failure[], count: number): ShownProblem | undefined {
  return count > 1 && failures.length > 0 ? toList(failures) : failures[0]?.problem
}

function toList(failed: readonly Failure[]): ShownProblem {
  return {
    title: `${countText(failed.length, 'agreement')} could not be changed`,
    message: '',
    violations: failed.map(({ problem: { title, message }, agreement }) => ({
      field: agreement === undefined ? '' : nameAgreement(agreement),
      message: `${title}. ${message}`,
    })),
  }
}
