import { clip } from '../../../formats/text/value.ts'
import type { IncidentKind } from './incident.ts'

// The sentences of incidents, in one place for the API, pages, e-mails and chat messages. Names are untrusted.

const SUBJECTS: Readonly<Record<IncidentKind, string>> = {
  test: 'tests fail',
  drift: 'the data differ from the contract',
  late: 'the data are late',
  access: 'access differs from the agreements',
}

/** The facts in the sentence of an incident. */
interface DescribedIncident {
  kind: IncidentKind
  /** The name of the contract; several contracts may have it. */
  name: string
  /** The version that the contract has in its document; null = it has none. */
  contractVersion: string | null
  /** Empty = all servers. */
  server: string
}

/** Describes an incident in one line: `Orders 1.2.0: tests fail on production`. */
export function describeIncident({
  kind,
  name,
  contractVersion,
  server,
}: DescribedIncident): string {
  const contract = contractVersion === null ? name : `${name} ${clip(contractVersion)}`
  return `${contract}: ${SUBJECTS[kind]}${server === '' ? '' : ` on ${server}`}`
}
