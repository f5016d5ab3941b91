import type { IncidentKind } from './incident.ts'

// The sentences of incidents, in one place for the API, pages, e-mails and chat messages. Names are untrusted.

const SUBJECTS: Readonly<Record<IncidentKind, string>> = {
  test: 'tests fail',
  drift: 'the data differ from the contract',
  late: 'the data are late',
  access: 'access differs from the agreements',
}

/** Describes an incident in one line: `Orders: tests fail on production`. */
export function describeIncident(kind: IncidentKind, name: string, server: string): string {
  return `${name}: ${SUBJECTS[kind]}${server === '' ? '' : ` on ${server}`}`
}
