import {
  countParts,
  describeDeprecatedParts,
  mentionDeprecatedParts,
  quoteAdvice,
} from './describe-parts.ts'
import type { NotificationFacts } from './notification-facts.ts'

// The sentences about the end of documents and output ports. Dates are texts as the document has them.

interface EndText {
  title: string
  detail: string
}

const PORTS_NAMED_MAX = 3

/** Describes the end of a document, of some output ports of a data product, or of other parts. */
export function describeEnd(facts: NotificationFacts): EndText {
  const isOfParts = facts.objects('ports').length === 0 && facts.list('announced').length === 0
  if (isOfParts && countParts(facts) > 0) {
    const { title, advice } = describeDeprecatedParts(facts)
    const changed = `The ${facts.called} was changed${facts.byActor}.`
    return { title, detail: joinSentences(advice, changed, 'Plan to move away.') }
  }
  const { title, detail } = describePortsOrDocument(facts)
  return { title, detail: joinSentences(detail, mentionDeprecatedParts(facts)) }
}

/** Joins the sentences that are not empty. */
export function joinSentences(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

function describePortsOrDocument(facts: NotificationFacts): EndText {
  const ports = facts.objects('ports')
  const [port] = ports
  if (port === undefined) return describeDocumentEnd(facts)
  const changed = `The data product was changed${facts.byActor}.`
  if (ports.length === 1) {
    return {
      title: describeState(`Output port ${toName(port)} of ${facts.name}`, port),
      detail: `${changed} Plan to move away from the port.`,
    }
  }
  const named = ports.slice(0, PORTS_NAMED_MAX).map((one) => describeState(toName(one), one))
  const more = ports.length - named.length
  return {
    title: `${ports.length} output ports of ${facts.name} end`,
    detail: `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}. ${changed} Plan to move away from them.`,
  }
}

function describeDocumentEnd(facts: NotificationFacts): EndText {
  const announced = facts.list('announced')
  const advice = 'Plan to move away from it.'
  if (announced.length === 0 || announced.includes('status')) {
    const endOfLife = facts.text('endOfLife')
    const end = endOfLife === undefined ? '' : ` It ends on ${endOfLife}.`
    return {
      title: `${facts.name} is ${facts.text('status') ?? 'deprecated'}`,
      detail: joinSentences(
        quoteAdvice(facts),
        `The status of the ${facts.called} was changed${facts.byActor}.${end} ${advice}`,
      ),
    }
  }
  const isLife = announced.includes('endOfLife')
  return {
    title: isLife ? describeEndOfLife(facts.name, facts) : describeEndOfSupport(facts.name, facts),
    detail: `The end of ${isLife ? 'life' : 'support'} of the ${facts.called} was announced${facts.byActor}. ${advice}`,
  }
}

function describeState(name: string, facts: NotificationFacts): string {
  const status = facts.text('status')
  if (status !== undefined) return `${name} is ${status}`
  return facts.text('endOfLife') === undefined
    ? describeEndOfSupport(name, facts)
    : describeEndOfLife(name, facts)
}

function describeEndOfLife(name: string, facts: NotificationFacts): string {
  return `${name} ends on ${facts.text('endOfLife') ?? 'a date'}`
}

function describeEndOfSupport(name: string, facts: NotificationFacts): string {
  return `Support of ${name} ends on ${facts.text('endOfSupport') ?? 'a date'}`
}

function toName(port: NotificationFacts): string {
  return port.text('name') ?? 'without a name'
}
