import type { MailDraft } from '../../delivery/mail/template.ts'
import type { MailParagraph } from '../../delivery/mail/mail-text.ts'

// The texts of e-mails about notifications.

/** A notification in an e-mail. */
export interface MailedNotification {
  /** The name of its kind, such as `breaking_change`, and its title. */
  kind: string
  kindTitle: string
  /** One line, and one or two sentences. */
  title: string
  detail: string
  /** Why the person gets it. */
  because: string
  url: string
}

/** The parts that all e-mails to a person have. */
interface MailFrame {
  /** The name of the organization. */
  organization: string
  /** The pages with the settings, and to switch off this kind of message without signing in. */
  settingsUrl: string
  unsubscribeUrl: string
}

/** Writes the e-mail of one notification. */
export function writeNotification(
  { kind, kindTitle, title, detail, because, url }: MailedNotification,
  frame: MailFrame,
): MailDraft {
  const link = { label: 'Open in Portbook', url }
  return {
    type: kind,
    builtIn: {
      subject: title,
      paragraphs: [[title], [detail], [link]],
      footer: [
        [`You receive this message of ${frame.organization} because: ${because}`],
        [
          { label: `Stop e-mails of the kind "${kindTitle}"`, url: frame.unsubscribeUrl },
          ' · ',
          { label: 'Notification settings', url: frame.settingsUrl },
        ],
      ],
    },
    values: { organization: frame.organization, title, detail, reason: because, link },
  }
}

/** Writes the daily e-mail. `omittedCount` is the number of notifications that are not listed. */
export function writeDigest(
  notifications: readonly MailedNotification[],
  { day, omittedCount }: { day: string; omittedCount: number },
  frame: MailFrame & { pageUrl: string },
): MailDraft {
  const count = notifications.length + omittedCount
  const counted = `${count} ${count === 1 ? 'notification' : 'notifications'}`
  const link = { label: 'All notifications', url: frame.pageUrl }
  return {
    type: 'digest',
    builtIn: {
      subject: `${counted} of ${frame.organization}, ${day}`,
      paragraphs: [
        ...notifications.map(toParagraph),
        ...(omittedCount === 0 ? [] : [[`${omittedCount} more are on the page. `, link]]),
      ],
      footer: [
        [`You receive this message because you chose daily e-mails of ${frame.organization}.`],
        [
          { label: 'Stop daily e-mails', url: frame.unsubscribeUrl },
          ' · ',
          { label: 'Notification settings', url: frame.settingsUrl },
        ],
      ],
    },
    values: { organization: frame.organization, day, count: String(count), link },
    isList: true,
  }
}

function toParagraph({ title, detail, because, url }: MailedNotification): MailParagraph {
  return [{ label: title, url }, ` – ${detail} (${because.replace(/\.$/, '')})`]
}
