import { forPeople } from './for-people.ts'

/** The facts of a problem answer, and the message about it: a part of those of `messages.ts`. */
type Write = (facts: { detail: string }) => { title: string; message: string }

/** The messages of identity providers, directories and the accounts that they manage. */
export const IDENTITY_MESSAGES = {
  managed_by_provider: ({ detail }) => ({
    title: 'This account is managed by your organization',
    message: forPeople(detail, 'Change it at the identity provider.'),
  }),
  sign_in_outdated: () => ({
    title: 'Confirm that it is you',
    message: 'You signed in more than 5 minutes ago. Sign in again, and repeat this.',
  }),
  identity_taken: ({ detail }) => ({
    title: 'Linked to another account',
    message: forPeople(detail, 'Sign in with the other account, or remove the link there first.'),
  }),
  transaction_lost: ({ detail }) => ({
    title: 'The sign-in was interrupted',
    message: forPeople(detail, 'Start again.'),
  }),
  provider_refused: ({ detail }) => ({
    title: 'The identity provider did not sign you in',
    message: forPeople(detail, 'Start again.'),
  }),
  provider_token_invalid: ({ detail }) => ({
    title: 'The answer of the identity provider cannot be trusted',
    message: forPeople(detail, 'Ask an owner of your organization to test the provider.'),
  }),
  provider_person_unknown: ({ detail }) => ({
    title: 'You are not a member of this organization',
    message: forPeople(detail, 'Ask one of its owners for an invitation.'),
  }),
  provider_email_unverified: ({ detail }) => ({
    title: 'Your e-mail address is not confirmed',
    message: forPeople(detail, 'Confirm it at the identity provider, and start again.'),
  }),
  provider_group_missing: ({ detail }) => ({
    title: 'You are in no group that may join',
    message: forPeople(detail, 'Ask the administrator of the identity provider for a group.'),
  }),
  provider_unreachable: ({ detail }) => ({
    title: 'The identity provider does not answer',
    message: forPeople(detail, 'Try again later, or use another way to sign in.'),
  }),
  confirmation_needed: ({ detail }) => ({
    title: 'People are linked to this provider',
    message: forPeople(detail, 'Confirm how many links the change removes.'),
  }),
  sign_in_rule_needs_provider: ({ detail }) => ({
    title: 'The sign-in rule needs this provider',
    message: forPeople(detail, 'Allow other ways to sign in first.'),
  }),
  domain_taken: ({ detail }) => ({
    title: 'Another organization has this domain',
    message: forPeople(detail, 'Ask the operator of this installation.'),
  }),
} as const satisfies Readonly<Record<string, Write>>
