/** The errors of identity providers, directories and the accounts that they manage: a part of `error-codes.ts`. */
export const IDENTITY_ERRORS = {
  managed_by_provider: {
    status: 409,
    meaning:
      'The account is managed by the identity provider or the directory of an organization: it has no password, its name and address come from there, and it joins no other organization.',
    fix: 'Change it at the identity provider.',
  },
  sign_in_outdated: {
    status: 403,
    meaning:
      'The person signed in more than 5 minutes ago, and the change needs a proof that they are still there.',
    fix: 'Sign in again, and repeat the request.',
  },
  identity_taken: {
    status: 409,
    meaning:
      'The identity of the provider belongs to another account, or the account already has another identity of it.',
    fix: 'Sign in with the other identity, or remove it from the account first.',
  },
  transaction_lost: {
    status: 400,
    meaning:
      'The sign-in with a provider was started in another browser, more than 10 minutes ago, or was already finished; or the provider was changed since.',
    fix: 'Start the sign-in again.',
  },
  provider_refused: {
    status: 403,
    meaning:
      'The identity provider answered the sign-in with an error, or with an answer that does not belong to it.',
    fix: 'Start the sign-in again. The reason is in the log and on the page of the provider.',
  },
  provider_token_invalid: {
    status: 403,
    meaning: 'The identity provider answered with a token that does not pass the checks.',
    fix: 'Compare the configuration of both sides. The reason is in the log and on the page of the provider.',
  },
  provider_person_unknown: {
    status: 403,
    meaning:
      'The identity provider confirmed a person who is not a member of the organization and cannot join it.',
    fix: 'Ask an owner of the organization for an invitation.',
  },
  provider_email_unverified: {
    status: 403,
    meaning: 'The identity provider does not confirm that the address belongs to the person.',
    fix: 'Confirm the address at the identity provider.',
  },
  provider_group_missing: {
    status: 403,
    meaning:
      'Only people in certain groups may join the organization, and the person is in none of them.',
    fix: 'Ask the administrator of the identity provider for a group.',
  },
  provider_unreachable: {
    status: 424,
    meaning:
      'The identity provider does not answer, or not in the form of OpenID Connect. The status is not one of 5xx: Portbook itself works, and proxies replace such answers by pages of their own.',
    fix: 'Try again later, or use another way to sign in.',
  },
  session_limited: {
    status: 403,
    meaning:
      'The session began with the identity provider of an organization. It acts only there, and changes the account only if the person is in no other organization.',
    fix: 'Sign in with the password.',
  },
  provider_required: {
    status: 403,
    meaning: 'The organization accepts only sessions that began with its identity provider.',
    fix: 'Sign in with the identity provider of the organization.',
  },
  last_break_glass: {
    status: 409,
    meaning:
      'The last break-glass owner of an organization that requires its identity provider cannot leave or lose the access.',
    fix: 'Make another owner a break-glass owner first, or allow any way to sign in.',
  },
  confirmation_needed: {
    status: 409,
    meaning:
      'The change removes links of people to an identity provider, and their number was not confirmed or has changed.',
    fix: 'Read `useCount`, show it to the person, and send it as `confirmedLinkCount`.',
  },
  sign_in_rule_needs_provider: {
    status: 409,
    meaning:
      'Members of the organization may sign in only with an identity provider, and the request would leave none.',
    fix: 'Change the sign-in rule first, or enable another provider.',
  },
  domain_taken: {
    status: 409,
    meaning: 'Another organization of the installation has proved that the mail domain is its own.',
    fix: 'Ask the operator, who can move it with `portbook verify-domain`.',
  },
} as const
