import { newTable } from '../../formats/name/table.ts'
import { RECORDS } from '../../formats/record/kinds.ts'
import { countText } from '../parts/number-text.ts'

/** The singular and plural of the kinds of activity that are not documents. */
const ACTIVITY_NOUNS = {
  'ingestion-attempt': ['integration', 'integrations'],
  'ingested-asset': ['asset', 'assets'],
  integration: ['integration', 'integrations'],
  cost: ['cost', 'costs'],
  'example-data': ['example data', 'example data'],
  'notification-channel': ['notification channel', 'notification channels'],
  'test-result': ['test result', 'test results'],
  incident: ['incident', 'incidents'],
  'lineage-event': ['lineage events', 'sets of lineage events'],
  usage: ['usage', 'sets of usage'],
  access: ['access agreement', 'access agreements'],
  webhook: ['webhook', 'webhooks'],
  member: ['member', 'members'],
  invitation: ['invitation', 'invitations'],
  'api-key': ['API key', 'API keys'],
  account: ['account', 'accounts'],
  'identity-provider': ['sign-in provider', 'sign-in providers'],
  'sign-in-rule': ['sign-in rule', 'sign-in rules'],
  directory: ['directory', 'directories'],
  organization: ['organization', 'organizations'],
  'organization-settings': ['settings', 'settings'],
  'search-synonyms': ['search synonyms', 'search synonyms'],
} as const satisfies Readonly<Record<string, readonly [one: string, several: string]>>

/** A change, as the words for it need. */
interface DescribedChange {
  kind: string
  action: string
  version: number | null
}

/** The number of changes of one kind in a group. */
interface Tally {
  kind: string
  action: string
  count: number
}

/** The singular and plural of the kinds of things that change. */
const NOUNS = newTable<readonly [one: string, several: string]>({
  'data-product': ['data product', 'data products'],
  'data-contract': ['data contract', 'data contracts'],
  team: ['team', 'teams'],
  asset: ['asset', 'assets'],
  'ingestion-run': ['ingestion', 'ingestions'],
  ...ACTIVITY_NOUNS,
  ...Object.fromEntries(
    RECORDS.map(({ kind, called, label }) => [kind, [called, label.toLowerCase()] as const]),
  ),
})

// The nouns of actions on something that belongs to the resource.
const NOUNS_OF_ACTIONS = newTable<readonly [one: string, several: string]>({
  'identity-provider linked': ['account', 'accounts'],
  'identity-provider unlinked': ['account', 'accounts'],
  'sign-in-rule updated': ['settings', 'settings'],
  'sign-in-rule domain-added': ['mail domain', 'mail domains'],
  'sign-in-rule domain-verified': ['mail domain', 'mail domains'],
  'sign-in-rule domain-removed': ['mail domain', 'mail domains'],
  'sign-in-rule break-glass-added': ['owner', 'owners'],
  'sign-in-rule break-glass-removed': ['owner', 'owners'],
  'sign-in-rule break-glass-used': ['owner', 'owners'],
  'directory provisioned': ['member', 'members'],
  'directory updated': ['directory record', 'directory records'],
  'directory suspended': ['member', 'members'],
  'directory restored': ['member', 'members'],
  'directory group-created': ['directory group', 'directory groups'],
  'directory group-updated': ['directory group', 'directory groups'],
  'directory group-deleted': ['directory group', 'directory groups'],
  'directory key-created': ['directory key', 'directory keys'],
  'directory key-deleted': ['directory key', 'directory keys'],
})

// Participles that are not the past tense, or that need other words before the noun.
const VERBS = newTable<string>({
  ingested: 'ran',
  undone: 'undid',
  'deletes-confirmed': 'confirmed the deletes of',
  'deletes-rejected': 'rejected the deletes of',
  started: 'started a run of',
  completed: 'ran, without changes,',
  failed: 'failed to run',
  canceled: 'ended',
  cancelled: 'cancelled a run of',
  'cancel-requested': 'requested to cancel a run of',
  'tag-assigned': 'assigned a tag to',
  'tag-removed': 'removed a tag from',
  'credentials-set': 'set credentials of',
  'credentials-deleted': 'deleted credentials of',
  provisioning: 'began to provision',
  'provisioning-failed': 'failed to provision',
  deprovisioning: 'began to revoke',
  deprovisioned: 'revoked',
  'deprovisioning-failed': 'failed to revoke',
  joined: 'added',
  left: 'ended the membership of',
  'role-changed': 'changed the role of',
  withdrawn: 'withdrew',
  'asset-chosen': 'chose the asset of a model of',
  'choice-ended': 'ended the choice of an asset of',
  'address-added': 'added an address to',
  'test-account-set': 'set the account for tests of',
  'test-account-deleted': 'deleted the account for tests of',
  'contract-tested': 'tested a contract with',
  'address-removed': 'removed an address from',
  'difference-accepted': 'accepted a difference of',
  'acceptance-ended': 'ended the acceptance of a difference of',
  expiring: 'announced the end of',
  'reassessment-due': 'reminded to review',
  'provisioning-started': 'began to provision',
  'deprovisioning-started': 'began to revoke',
  'signed-in': 'signed in to',
  'signed-out': 'signed out of',
  'sign-in-failed': 'rejected a sign-in to',
  'password-changed': 'changed the password of',
  'password-reset': 'reset the password of',
  'reset-link-created': 'created a password link for',
  'sessions-revoked': 'ended all sessions of',
  'secret-set': 'set the client secret of',
  linked: 'linked a sign-in provider to',
  unlinked: 'unlinked a sign-in provider from',
  'domain-added': 'added',
  'domain-verified': 'verified',
  'domain-removed': 'removed',
  'break-glass-added': 'gave break-glass access to',
  'break-glass-removed': 'removed break-glass access from',
  'break-glass-used': 'used the break-glass access of',
  'group-created': 'created',
  'group-updated': 'updated',
  'group-deleted': 'deleted',
  'key-created': 'created',
  'key-deleted': 'deleted',
})

const LIST = new Intl.ListFormat('en')
const PHRASES_MAX = 3

/** Describes what an actor did, to follow the name: `created 200 teams and updated 1 data product`. */
export function describeTallies(tallies: readonly Tally[]): string {
  const phrases: string[] = []
  let verbBefore = ''
  for (const { kind, action, count } of tallies.slice(0, PHRASES_MAX)) {
    const verb = toVerb(action)
    // A verb is not repeated: created 2 teams and 3 assets.
    phrases.push(`${verb === verbBefore ? '' : `${verb} `}${describeCount(kind, action, count)}`)
    verbBefore = verb
  }
  const rest = tallies.slice(PHRASES_MAX).reduce((sum, { count }) => sum + count, 0)
  if (rest > 0) phrases.push(countText(rest, 'more change'))
  return LIST.format(phrases)
}

function toVerb(action: string): string {
  return VERBS[action] ?? action.replaceAll('-', ' ')
}

function getNouns(kind: string, action: string): readonly [one: string, several: string] {
  return NOUNS_OF_ACTIONS[`${kind} ${action}`] ?? NOUNS[kind] ?? [kind, kind]
}

function describeCount(kind: string, action: string, count: number): string {
  const [one, several] = getNouns(kind, action)
  return countText(count, one, several)
}

/** Describes one change, to follow an actor and to precede a name: `updated the data product`. */
export function describeChange({ kind, action }: DescribedChange): string {
  const [noun] = getNouns(kind, action)
  if (action === 'ingested') return 'ran an ingestion of'
  return `${toVerb(action)} the ${noun}`
}

/** Describes a change in a list below its group: `data product created`, `team updated to version 3`. */
export function describeAction({ kind, action, version }: DescribedChange): string {
  const [noun] = getNouns(kind, action)
  if (action === 'ingested') return 'assets'
  if (action !== 'updated' || version === null) return `${noun} ${toParticiple(action)}`
  return `${noun} updated to version ${version}`
}

// Participles that the pages replace, so that one act has one word.
const PARTICIPLES = newTable<string>({
  canceled: 'ended',
  deprovisioning: 'revocation began',
  deprovisioned: 'revoked',
  'deprovisioning-failed': 'revocation failed',
  'deprovisioning-started': 'revocation began',
  linked: 'linked to a sign-in provider',
  unlinked: 'unlinked from a sign-in provider',
  'secret-set': 'client secret set',
  'domain-added': 'added',
  'domain-verified': 'verified',
  'domain-removed': 'removed',
  'break-glass-added': 'given break-glass access',
  'break-glass-removed': 'without break-glass access',
  'break-glass-used': 'signed in with break-glass access',
  'group-created': 'created',
  'group-updated': 'updated',
  'group-deleted': 'deleted',
  'key-created': 'created',
  'key-deleted': 'deleted',
})

function toParticiple(action: string): string {
  return PARTICIPLES[action] ?? action.replaceAll('-', ' ')
}

const PROPERTIES_MAX = 3
const VALUE_CHARACTERS_MAX = 60

/** Describes the values that a change without versions has set, and its reason: `role: Member → Owner; reason: New job`. */
export function describeDetails(details: Readonly<Record<string, unknown>> | null): string {
  if (details === null) return ''
  const [before, after] = [toObject(details['before']), toObject(details['after'])]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => showValue(before[name]) !== showValue(after[name]))
  const texts = changed.map(
    (name) => `${name}: ${showValue(before[name])} → ${showValue(after[name])}`,
  )
  const { fields } = details
  const fieldNames = Array.isArray(fields) ? fields.filter((name) => typeof name === 'string') : []
  const all =
    texts.length > 0 || fieldNames.length === 0 ? texts : [`fields: ${fieldNames.join(', ')}`]
  const rest = all.length - PROPERTIES_MAX
  const { reason } = details
  return [
    ...all.slice(0, PROPERTIES_MAX),
    ...(rest > 0 ? [`${rest} more`] : []),
    ...(typeof reason === 'string' && reason !== '' ? [`reason: ${reason}`] : []),
  ].join('; ')
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function showValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text
}
