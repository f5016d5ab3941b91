import type { Answer, Schemas } from '../../api/client.ts'
import type { Violation } from '../../api/problem.ts'
import type { Source } from '../../api/sources.ts'
import {
  doesApply,
  splitLines,
  messageFor,
  missingFields,
  readValues,
  toFormValues,
  type FormField,
  type FormValues,
} from '../../parts/schema-form-values.ts'
import type { SecretChoice } from '../../parts/schema-form-secret.tsx'

/** An integration in the form in which it is changed. */
export type IntegrationForm = Answer<'/ui/integrations/{externalId}', 'get'>

/** Secrets that were typed, by their names: they are kept only in memory. */
export type TypedSecrets = Readonly<Record<string, string>>

/** The input of the wizard without secrets. */
export interface IntegrationDraft {
  /** Empty = not chosen yet. */
  source: string
  values: FormValues
  secretChoices: Readonly<Record<string, SecretChoice>>
  /** The names of secrets that were typed: after a reload they have to be typed again. */
  typedSecrets: readonly string[]
  /** Globs by level, one in each line. */
  include: Readonly<Record<string, string>>
  exclude: Readonly<Record<string, string>>
  /** Null = the proposed one. */
  name: string | null
  externalId: string
  /** External id of the owning team; empty = none. */
  owner: string
  /** Empty = it runs only manually. */
  schedule: string
  /** The schedule is typed as a cron expression, even if it has a simpler form. */
  writesCron: boolean
  timeZone: string
  enabled: boolean
  /** The version that is changed; null = a new integration. */
  version: number | null
}

/** The steps of the wizard by their names in the address, in their order. */
export const STEPS = [
  { name: 'platform', title: 'Platform' },
  { name: 'connection', title: 'Connection' },
  { name: 'filters', title: 'Filters' },
  { name: 'details', title: 'Name and schedule' },
] as const

/** One of them. */
export type StepName = (typeof STEPS)[number]['name']

/** The draft of a new integration. */
export function emptyDraft(owner: string, timeZone: string): IntegrationDraft {
  return {
    source: '',
    values: {},
    secretChoices: {},
    typedSecrets: [],
    include: {},
    exclude: {},
    name: null,
    externalId: '',
    owner,
    schedule: '',
    writesCron: false,
    timeZone,
    enabled: true,
    version: null,
  }
}

/** The draft of an existing integration. */
export function toIntegrationDraft(
  form: IntegrationForm,
  fields: readonly FormField[],
): IntegrationDraft {
  return {
    ...emptyDraft(form.owningTeamExternalId ?? '', form.timeZone),
    source: form.source,
    values: toFormValues(fields, form.configuration),
    include: getTexts(form.filters.include),
    exclude: getTexts(form.filters.exclude),
    name: form.name,
    externalId: form.externalId,
    schedule: form.scheduleExpression ?? '',
    enabled: form.enabled,
    version: form.version,
  }
}

type Globs = Readonly<Record<string, readonly string[] | undefined>>

function getTexts(globs: Globs | undefined): Record<string, string> {
  const entries = Object.entries(globs ?? {})
  return Object.fromEntries(entries.map(([level, names]) => [level, (names ?? []).join('\n')]))
}

/** A secret of a source, and when it was set; null = it is not. */
export type KnownSecret = Source['secrets'][number] & { setAt: string | null }

/** Lists the secrets that apply to the typed values, and those that are set. */
export function askedSecrets(
  source: Source,
  values: FormValues,
  form: IntegrationForm | undefined,
): KnownSecret[] {
  return source.secrets
    .map((secret) => ({
      ...secret,
      required: secret.required || secret.isNeeded === true,
      setAt: form?.secrets.find(({ name }) => name === secret.name)?.setAt ?? null,
    }))
    .filter((secret) => secret.setAt !== null || doesApply(secret, values))
}

/** Lists the titles of the changed fields that decide where and as which user to connect. */
export function changedConnection(
  source: Source,
  fields: readonly FormField[],
  values: FormValues,
  form: IntegrationForm | undefined,
): string[] {
  if (form === undefined) return []
  const stored = readValues(fields, toFormValues(fields, form.configuration))
  const typed = readValues(fields, values)
  const isChanged = (name: string): boolean =>
    JSON.stringify(stored[name]) !== JSON.stringify(typed[name])
  return fields
    .filter(({ name }) => source.connectionFields.includes(name) && isChanged(name))
    .map(({ title }) => title)
}

/** Returns the name of the integration: what was typed, or the platform with its database or host. */
export function getName({ name, values }: IntegrationDraft, source: Source | undefined): string {
  if (name !== null || source === undefined) return name ?? ''
  const [subject = ''] = source.nameFields
    .flatMap((field) => splitLines(String(values[field] ?? '')))
    .filter((line) => !/[*?]/.test(line))
  return `${source.title} ${subject.replace(/^https?:\/\//, '')}`
    .trim()
    .slice(0, NAME_CHARACTERS_MAX)
}

/** Characters of a name at most. */
export const NAME_CHARACTERS_MAX = 200

/** The body that the server reads: for a trial, and to create or change an integration. */
export function toIntegrationBody(
  draft: IntegrationDraft,
  source: Source,
  fields: readonly FormField[],
  secrets: TypedSecrets,
) {
  const isNew = draft.version === null
  const externalId = draft.externalId.trim()
  return {
    ...(externalId === '' ? {} : { externalId }),
    name: getName(draft, source),
    source: draft.source,
    owningTeamExternalId: draft.owner === '' ? null : draft.owner,
    configuration: readValues(fields, draft.values),
    filters: { include: getGlobs(draft.include, source), exclude: getGlobs(draft.exclude, source) },
    secrets: getSecrets(draft, source, secrets),
    scheduleExpression: draft.schedule.trim() === '' ? null : draft.schedule.trim(),
    timeZone: draft.timeZone,
    enabled: draft.enabled,
    ...(isNew ? {} : { version: draft.version }),
  }
}

function getGlobs(
  texts: Readonly<Record<string, string>>,
  source: Source,
): NonNullable<Schemas['Filters']['include']> {
  const entries = source.levels.map((level) => [level, splitLines(texts[level] ?? '')] as const)
  return Object.fromEntries(entries.filter(([, globs]) => globs.length > 0))
}

function getSecrets(
  draft: IntegrationDraft,
  source: Source,
  secrets: TypedSecrets,
): Record<string, string | null> {
  const sent = new Map<string, string | null>()
  for (const { name } of source.secrets) {
    const typed = secrets[name]
    if (draft.secretChoices[name] === 'remove') sent.set(name, null)
    else if (typed !== undefined && typed !== '') sent.set(name, typed)
  }
  return Object.fromEntries(sent)
}

/** Returns the step that a field belongs to. */
export function findStep(field: string): StepName {
  const [first = ''] = field.split(/[.[]/)
  if (first === 'source') return 'platform'
  if (first === 'configuration' || first === 'secrets') return 'connection'
  return first === 'filters' ? 'filters' : 'details'
}

/** Lists the steps that have violations, in their order. */
export function stepsWithProblems(violations: readonly Violation[]): StepName[] {
  const found = new Set(violations.map(({ field }) => findStep(field)))
  return STEPS.map(({ name }) => name).filter((name) => found.has(name))
}

/** Returns the required fields of a step that are empty. */
export function missingIn(
  step: StepName,
  draft: IntegrationDraft,
  fields: readonly FormField[],
): Violation[] {
  if (step === 'platform') {
    return draft.source === '' ? [{ field: 'source', message: 'Choose a platform.' }] : []
  }
  if (step === 'connection') {
    return missingFields(fields, draft.values).map(({ name, title }) => ({
      field: `configuration.${name}`,
      message: `Enter ${title}.`,
    }))
  }
  const isNameless = step === 'details' && draft.name?.trim() === ''
  return isNameless ? [{ field: 'name', message: 'Enter a name.' }] : []
}

/** Removes the violations of a field that has changed. */
export function withoutField(violations: readonly Violation[], field: string): Violation[] {
  return violations.filter((violation) => messageFor([violation], field) === undefined)
}

/** Lists the fields that apply to the typed values. */
export function askedFields(fields: readonly FormField[], values: FormValues): FormField[] {
  return fields.filter((field) => doesApply(field, values))
}
