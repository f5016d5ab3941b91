import type { Schemas } from '../../api/client.ts'
import { capitalize } from '../../parts/capitalize.ts'
import { dayText } from '../../parts/date-format.ts'
import type { Tone } from '../../parts/status.tsx'
import { addDays, countDaysLeft, describeEnd } from './access-words.ts'

/** The part of an agreement that decides what happens next. */
export type OpenQuestion = Pick<
  Schemas['AgreementDetails'],
  | 'state'
  | 'status'
  | 'startOn'
  | 'endOn'
  | 'reassessOn'
  | 'portName'
  | 'isDecider'
  | 'isOwnRequest'
  | 'deciders'
  | 'decidedByName'
  | 'decisionReason'
  | 'history'
>

/** The side of a person: who acts for the consumer, and who approves for the owning team. */
export interface Side {
  isConsumer: boolean
  isApprover: boolean
}

/** The state of an agreement: what happens next, who acts, and by when. */
export interface NextStep {
  tone: Tone
  title: string
  text: string
}

/** The people who decide on a request, for a person. */
type Decision = Pick<Schemas['AgreementDetails'], 'isDecider' | 'deciders'>

/** Lists those who decide as alternatives: `you, Ada or Ben`. */
export function listDeciders(
  { isDecider, deciders }: Decision,
  otherwise = 'an approver of the owning team',
): string {
  const names = isDecider ? ['you', ...deciders] : deciders
  if (names.length === 0) return otherwise
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(names)
}

/** Describes what happens next with an agreement, for a person on one of its sides. */
export function describeNextStep(agreement: OpenQuestion, side: Side, today?: string): NextStep {
  switch (agreement.state) {
    case 'requested':
      return describeRequest(agreement, side)
    case 'upcoming':
      return {
        tone: 'info',
        title: `Access begins on ${dayText(agreement.startOn ?? '')}`,
        text: joinSentences(
          'It is approved, and becomes active on that day.',
          describeLastDay(agreement.endOn),
        ),
      }
    case 'active':
      return describeActive(agreement, side, today)
    case 'rejected':
      return {
        tone: 'critical',
        title: `${agreement.decidedByName ?? 'The owning team'} rejected the request`,
        text: describeRejection(agreement, side),
      }
    case 'expired':
      return {
        tone: 'off',
        title: `Access ended${agreement.endOn === null ? '' : ` after ${dayText(addDays(agreement.endOn, -1))}`}`,
        text: describeRepetition(side),
      }
    case 'canceled':
      return { tone: 'off', title: describeCancellation(agreement), text: describeRepetition(side) }
  }
}

function describeRequest(agreement: OpenQuestion, side: Side): NextStep {
  const { isApprover } = side
  const { isDecider, isOwnRequest, deciders, portName } = agreement
  if (portName === null) {
    return {
      tone: 'caution',
      title: 'The output port no longer exists',
      text: isApprover
        ? 'The request cannot be approved. Reject it, and name in the reason where the data is now.'
        : 'The request cannot be approved. Withdraw it, and request another output port.',
    }
  }
  if (isDecider) {
    return {
      tone: 'info',
      title: 'You decide on this request',
      text: joinSentences(
        deciders.length > 0 && `${listDeciders({ isDecider: false, deciders })} can decide, too.`,
        describeAnswer(side),
      ),
    }
  }
  return {
    tone: 'info',
    title: `${capitalize(listDeciders(agreement))} decides on this request`,
    text: joinSentences(
      isApprover && isOwnRequest && 'It is your own request, so another approver has to decide.',
      describeAnswer(side),
    ),
  }
}

function describeAnswer({ isConsumer }: Side): string {
  return isConsumer
    ? 'You see the decision and its reason here and in My data.'
    : 'The consumer sees the decision and its reason.'
}

function describeRejection({ decisionReason }: OpenQuestion, { isConsumer }: Side): string {
  if (!isConsumer) return 'The consumer can request access again.'
  return decisionReason === null
    ? 'No reason was given. Ask the owning team what is missing, and request it again.'
    : 'Change what the reason asks for, and request it again.'
}

function describeActive(
  { endOn, reassessOn }: OpenQuestion,
  { isConsumer, isApprover }: Side,
  today?: string,
): NextStep {
  const reassessment =
    reassessOn !== null && `The owning team checks on ${dayText(reassessOn)} whether it is needed.`
  const end = describeEnd(countDaysLeft(endOn, today))
  if (endOn !== null && end !== undefined) {
    const lastDay = dayText(addDays(endOn, -1))
    return {
      tone: 'caution',
      title: `Access ${end.charAt(0).toLowerCase()}${end.slice(1)}`,
      text: isApprover
        ? `The last day is ${lastDay}. Renew it if the consumer still needs it.`
        : isConsumer
          ? `The last day is ${lastDay}. Request a renewal before, so that the owning team can decide in time.`
          : `The last day is ${lastDay}.`,
    }
  }
  return {
    tone: 'positive',
    title: isConsumer ? 'You have access' : 'The consumer has access',
    text: joinSentences(
      endOn === null
        ? 'It has no last day: it stays until one side ends it.'
        : describeLastDay(endOn),
      reassessment,
    ),
  }
}

function describeCancellation({ status, history: [last] }: OpenQuestion): string {
  const byName = last?.byName ?? null
  if (status !== 'approved') {
    return byName === null ? 'The request was withdrawn' : `${byName} withdrew the request`
  }
  return byName === null ? 'The access was ended' : `${byName} ended the access`
}

function describeLastDay(endOn: string | null): string | false {
  return endOn !== null && `The last day is ${dayText(addDays(endOn, -1))}.`
}

function describeRepetition({ isConsumer }: Side): string {
  return isConsumer
    ? 'Request it again if you still need the data.'
    : 'The consumer can request access again.'
}

function joinSentences(...sentences: readonly (string | false)[]): string {
  return sentences.filter((sentence) => sentence !== false).join(' ')
}
