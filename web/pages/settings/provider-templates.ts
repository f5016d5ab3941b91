import type { Schemas } from '../../api/client.ts'
import { newTable } from '../../../formats/name/table.ts'

type Provider = Schemas['IdentityProvider']

/** The form of a provider. */
export interface ProviderDraft {
  name: string
  issuer: string
  clientId: string
  clientAuthentication: Provider['clientAuthentication']
  /** Empty = the stored one stays. */
  clientSecret: string
  subjectClaim: Provider['subjectClaim']
  emailTrust: Provider['emailTrust']
  domains: readonly string[]
  joinRule: Provider['joinRule']
  /** Empty = groups are not read. */
  groupsClaim: string
  sessionHours: string
  signsOut: boolean
  authority: string
  enabled: boolean
}

/** A product that companies use as their provider: its prefilled fields, and where its values are. */
export interface ProviderTemplate {
  key: string
  title: string
  /** One line below the title. */
  lead: string
  /** The steps at the provider, in their order. */
  steps: readonly string[]
  fields: Partial<ProviderDraft>
}

const EMPTY: ProviderDraft = {
  name: '',
  issuer: '',
  clientId: '',
  clientAuthentication: 'basic',
  clientSecret: '',
  subjectClaim: 'sub',
  emailTrust: 'claim',
  domains: [],
  joinRule: 'invited',
  groupsClaim: '',
  sessionHours: '12',
  signsOut: false,
  authority: '',
  enabled: true,
}

/** The products whose fields the form fills in. */
export const PROVIDER_TEMPLATES: readonly ProviderTemplate[] = [
  {
    key: 'entra',
    title: 'Microsoft Entra ID',
    lead: 'Azure AD, Microsoft 365',
    steps: [
      'In the Entra admin center, open App registrations, New registration. Choose "Accounts in this organizational directory only".',
      'Add the redirect address below as a platform of type Web.',
      'Copy the Directory (tenant) ID into the issuer, and the Application (client) ID.',
      'Create a secret under Certificates & secrets, and copy its Value, not its ID.',
      'Under Token configuration, add the optional claim "email". For groups, add app roles and use the claim "roles".',
    ],
    fields: {
      name: 'Microsoft',
      issuer: 'https://login.microsoftonline.com/<tenant id>/v2.0',
      clientAuthentication: 'post',
      subjectClaim: 'oid',
      groupsClaim: 'roles',
    },
  },
  {
    key: 'okta',
    title: 'Okta',
    lead: 'Workforce Identity',
    steps: [
      'In the Okta admin console, open Applications, Create App Integration: OIDC, Web Application.',
      'Add the redirect address below as a sign-in redirect URI.',
      'Copy the client ID and the client secret of the application.',
      'For groups, add a groups claim to the ID token under Sign On.',
    ],
    fields: { name: 'Okta', issuer: 'https://<your domain>.okta.com', groupsClaim: 'groups' },
  },
  {
    key: 'google',
    title: 'Google',
    lead: 'Google Workspace',
    steps: [
      'In the Google Cloud console, open APIs & Services, Credentials, Create OAuth client ID: Web application.',
      'Add the redirect address below as an authorized redirect URI.',
      'Set the consent screen to Internal, so that only your organization can sign in.',
      'Copy the client ID and the client secret. Google sends no groups.',
    ],
    fields: { name: 'Google', issuer: 'https://accounts.google.com' },
  },
  {
    key: 'keycloak',
    title: 'Keycloak',
    lead: 'Also in front of a SAML or LDAP directory',
    steps: [
      'In the realm, open Clients, Create client: OpenID Connect, with client authentication and the standard flow.',
      'Add the redirect address below as a valid redirect URI.',
      'Copy the client ID, and the client secret under Credentials.',
      'The issuer is the address of the realm, without a slash at its end.',
    ],
    fields: {
      name: 'Keycloak',
      issuer: 'https://<host>/realms/<realm>',
      groupsClaim: 'groups',
      signsOut: true,
    },
  },
  {
    key: 'other',
    title: 'Another provider',
    lead: 'Any provider of OpenID Connect',
    steps: [
      'Register Portbook as a confidential web application with the authorization code flow and PKCE.',
      'Add the redirect address below.',
      'Copy the issuer exactly as the provider writes it, the client ID and the client secret.',
    ],
    fields: {},
  },
]

const BY_KEY = newTable(Object.fromEntries(PROVIDER_TEMPLATES.map((one) => [one.key, one])))

/** Returns the template with a key; undefined = there is none. */
export function findTemplate(key: string): ProviderTemplate | undefined {
  return BY_KEY[key]
}

/** Returns the form of a new provider, from a template. */
export function startDraft(template: ProviderTemplate): ProviderDraft {
  return { ...EMPTY, ...template.fields }
}

/** Returns the form of a stored provider. */
export function toDraft(provider: Provider): ProviderDraft {
  const { groupsClaim, authority, sessionHours } = provider
  return {
    ...provider,
    clientSecret: '',
    groupsClaim: groupsClaim ?? '',
    authority: authority ?? '',
    sessionHours: String(sessionHours),
  }
}

/** Returns the settings that a form sends. */
export function toSettings(draft: ProviderDraft) {
  const { name, subjectClaim, emailTrust, joinRule, signsOut, enabled } = draft
  return {
    ...toConnection(draft),
    name,
    subjectClaim,
    emailTrust,
    joinRule,
    signsOut,
    enabled,
    domains: [...draft.domains],
    groupsClaim: draft.groupsClaim.trim() || null,
    sessionHours: Number(draft.sessionHours),
  }
}

/** Returns the settings that a test needs. */
export function toConnection(draft: ProviderDraft) {
  const { issuer, clientId, clientAuthentication, clientSecret, authority } = draft
  return {
    issuer: issuer.trim(),
    clientId: clientId.trim(),
    clientAuthentication,
    authority: authority.trim() || null,
    ...(clientSecret === '' || clientAuthentication === 'none' ? {} : { clientSecret }),
  }
}

/** Returns whether a form names another client than the stored provider, which removes the links of people. */
export function removesLinks(draft: ProviderDraft, provider: Provider): boolean {
  return (
    draft.issuer !== provider.issuer ||
    draft.clientId !== provider.clientId ||
    draft.clientAuthentication !== provider.clientAuthentication
  )
}
