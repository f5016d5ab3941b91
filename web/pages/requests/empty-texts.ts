import type { AgreementView } from '../../documents/access/access-words.ts'

/** The texts of each view without agreements. */
export const EMPTY_TEXTS: Readonly<Record<AgreementView, { title: string; text: string }>> = {
  requested: {
    title: 'No open requests',
    text: 'Requests of access to the data products of your teams appear here.',
  },
  active: {
    title: 'No active access',
    text: 'Agreements that you approve appear here, with those that begin later.',
  },
  expiring: {
    title: 'Nothing ends soon',
    text: 'Agreements that end within 14 days appear here, so that you can renew them.',
  },
  rejected: { title: 'Nothing was rejected', text: 'Requests that you reject appear here.' },
  ended: { title: 'Nothing has ended', text: 'Agreements whose access has ended appear here.' },
}
