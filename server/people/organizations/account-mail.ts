import type { MailDraft } from '../../delivery/mail/template.ts'

// The texts of e-mails about accounts. Their links are secrets.

/** Writes the e-mail of an invitation. */
export function writeInvitation(invitation: {
  organizationName: string
  invitedBy: string
  link: string
  expiresAt: string
}): MailDraft {
  const { organizationName: organization, invitedBy: inviter } = invitation
  const link = { label: 'Accept the invitation', url: invitation.link }
  const expires = toText(invitation.expiresAt)
  return {
    type: 'invitation',
    builtIn: {
      subject: `${inviter} invited you to ${organization} on Portbook`,
      paragraphs: [
        [
          `${inviter} invited you to join ${organization} on Portbook, its catalog of data products.`,
        ],
        [link],
        [`The link works once, until ${expires}. Do not pass it on: anyone who has it can join.`],
      ],
      footer: [
        [`You receive this message because ${inviter} entered this address.`],
        ['If you do not expect an invitation, ignore this message.'],
      ],
    },
    values: { organization, inviter, link, expires },
  }
}

/** Writes the e-mail of a link with which a person sets a new password. `host` is that of Portbook. */
export function writePasswordReset(reset: {
  link: string
  expiresAt: string
  host: string
}): MailDraft {
  const link = { label: 'Set a new password', url: reset.link }
  const expires = toText(reset.expiresAt)
  return {
    type: 'password-reset',
    builtIn: {
      subject: 'Set a new password for Portbook',
      paragraphs: [
        ['An owner of your organization created a link to set a new password for Portbook.'],
        [link],
        [
          `The link works once, until ${expires}. Do not pass it on: anyone who has it can set your password.`,
        ],
        ['When you use it, you are signed out everywhere and your personal API keys are deleted.'],
      ],
      footer: [
        [`You receive this message because you have an account at ${reset.host}.`],
        ['If you did not ask for a new password, ask an owner of your organization.'],
      ],
    },
    values: { link, expires },
  }
}

/** Writes the e-mail about an account that was linked to an identity provider without the person's request. */
export function writeLinkedIdentity(linked: {
  organizationName: string
  providerName: string
  link: string
  host: string
}): MailDraft {
  const { organizationName: organization, providerName: provider } = linked
  const link = { label: 'See how you can sign in', url: linked.link }
  return {
    type: 'identity-linked',
    builtIn: {
      subject: `You can now sign in to Portbook with ${provider}`,
      paragraphs: [
        [
          `Your account in ${organization} was linked to ${provider}, because you signed in there with the same e-mail address or your directory states the link.`,
        ],
        ['If this was not you, contact an owner of your organization, and remove the link.'],
        [link],
      ],
      footer: [[`You receive this message because you have an account at ${linked.host}.`]],
    },
    values: { organization, provider, link },
  }
}

/** Writes the e-mail to an owner about an owner who signed in with a password although a provider is required. */
export function writeBreakGlassUse(use: {
  organizationName: string
  personName: string
  link: string
  host: string
}): MailDraft {
  const { organizationName: organization, personName: person } = use
  const link = { label: 'See what happened', url: use.link }
  return {
    type: 'break-glass-used',
    builtIn: {
      subject: `${person} signed in to ${organization} without the identity provider`,
      paragraphs: [
        [
          `${organization} requires its identity provider. ${person} is one of the owners who can sign in with a password in an emergency, and has just done so.`,
        ],
        ['If this was not planned, end the sessions of this owner, and ask for a new password.'],
        [link],
      ],
      footer: [[`You receive this message because you own ${organization} at ${use.host}.`]],
    },
    values: { organization, person, link },
  }
}

/** Formats an instant: `2026-12-03 07:00 UTC`. */
function toText(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
