import { useCallback, useMemo, useState } from 'react'
import type { Violation } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import type { SecretChoice } from '../../parts/schema-form-secret.tsx'
import { fieldsOf, valuesOf, type FormField } from '../../parts/schema-form-values.ts'
import { useDraft } from '../../shell/draft.ts'
import { useUrlState } from '../../shell/url-state.ts'
import {
  draftOf,
  emptyDraft,
  missingIn,
  STEPS,
  withoutField,
  type IntegrationDraft,
  type IntegrationForm,
  type Source,
  type StepName,
  type TypedSecrets,
} from './integration-draft.ts'
import { wordsOf } from './source-words.ts'

/** What the wizard is about. */
export interface WizardSubject {
  sources: readonly Source[]
  /** Undefined = a new integration. */
  form: IntegrationForm | undefined
  /** External id of the team that a new one belongs to unless the person says otherwise; or empty. */
  owner: string
}

/** The state of the wizard, and all that changes it. */
export interface Wizard {
  form: IntegrationForm | undefined
  sources: readonly Source[]
  source: Source | undefined
  fields: readonly FormField[]
  draft: IntegrationDraft
  secrets: TypedSecrets
  violations: readonly Violation[]
  /** How often something was found wrong: each time the first of it gets the focus. */
  refusedCount: number
  step: StepName
  patch: (patch: Partial<IntegrationDraft>, field?: string) => void
  choosePlatform: (source: Source) => void
  setValue: (name: string, value: string | boolean) => void
  setSecret: (name: string, value: string) => void
  chooseSecret: (name: string, choice: SecretChoice) => void
  setViolations: (violations: readonly Violation[]) => void
  goTo: (step: StepName) => void
  /** Goes on, when nothing of this step is missing. */
  goOn: () => void
  discard: () => void
  /** Something typed earlier in this tab was found. */
  isKept: boolean
}

interface Refused {
  violations: readonly Violation[]
  refusedCount: number
}

const NOTHING_WRONG: Refused = { violations: [], refusedCount: 0 }

const USUAL_STEP = { step: '' }

/** Holds what is typed into the wizard: in this tab until it is saved, but for secrets. */
export function useWizard({ sources, form, owner }: WizardSubject): Wizard {
  const { organization } = useSession()
  const what = form === undefined ? 'integration-new' : `integration-${form.externalId}`
  const key = `${organization?.id ?? ''}:${what}`
  const [initial] = useState(() => initialDraft(sources, form, owner))
  const { value: draft, set, discard, isKept } = useDraft(key, initial)
  const [secrets, setSecrets] = useState<TypedSecrets>({})
  const { violations, refusedCount, setViolations, forget } = useRefusals()
  const [{ step: stepText }, setUrl] = useUrlState(USUAL_STEP)
  const source = sources.find((one) => one.source === draft.source)
  const fields = useMemo(() => fieldsFor(source), [source])
  const step = stepNamed(stepText, source, form)
  const goTo = useCallback((to: StepName) => setUrl({ step: to }), [setUrl])
  const patch = (change: Partial<IntegrationDraft>, field?: string): void => {
    set({ ...draft, ...change })
    if (field !== undefined) forget(field)
  }
  return {
    form,
    sources,
    source,
    fields,
    draft,
    secrets,
    violations,
    refusedCount,
    step,
    patch,
    choosePlatform(chosen) {
      if (chosen.source === draft.source) return
      setSecrets({})
      const values = valuesOf(fieldsFor(chosen), {})
      const fresh = { secretChoices: {}, typedSecrets: [], include: {}, exclude: {} }
      patch({ ...fresh, source: chosen.source, values }, 'source')
    },
    setValue: (name, value) =>
      patch({ values: { ...draft.values, [name]: value } }, `configuration.${name}`),
    setSecret(name, value) {
      setSecrets((typed) => ({ ...typed, [name]: value }))
      const others = draft.typedSecrets.filter((typed) => typed !== name)
      patch({ typedSecrets: value === '' ? others : [...others, name] }, `secrets.${name}`)
    },
    chooseSecret(name, choice) {
      setSecrets((typed) => ({ ...typed, [name]: '' }))
      const secretChoices = { ...draft.secretChoices, [name]: choice }
      const typedSecrets = draft.typedSecrets.filter((typed) => typed !== name)
      patch({ secretChoices, typedSecrets }, `secrets.${name}`)
    },
    setViolations,
    goTo,
    goOn() {
      const missing = missingIn(step, draft, fields)
      setViolations(missing)
      const next = STEPS[STEPS.findIndex(({ name }) => name === step) + 1]
      if (missing.length === 0 && next !== undefined) goTo(next.name)
    },
    discard,
    isKept,
  }
}

function useRefusals() {
  const [refused, setRefused] = useState<Refused>(NOTHING_WRONG)
  const forget = (field: string): void =>
    setRefused((told) => ({ ...told, violations: withoutField(told.violations, field) }))
  const setViolations = (found: readonly Violation[]): void =>
    setRefused((told) => ({
      violations: found,
      refusedCount: told.refusedCount + (found.length === 0 ? 0 : 1),
    }))
  return { ...refused, setViolations, forget }
}

function initialDraft(
  sources: readonly Source[],
  form: IntegrationForm | undefined,
  owner: string,
): IntegrationDraft {
  if (form === undefined) return emptyDraft(owner, ownTimeZone())
  return draftOf(form, fieldsFor(sources.find(({ source }) => source === form.source)))
}

function fieldsFor(source: Source | undefined): FormField[] {
  return source === undefined ? [] : fieldsOf(source.configuration, wordsOf(source.source))
}

function stepNamed(
  text: string,
  source: Source | undefined,
  form: IntegrationForm | undefined,
): StepName {
  if (source === undefined) return 'platform'
  const named = STEPS.find(({ name }) => name === text)?.name
  // The platform of an integration stays what it is.
  if (form !== undefined && (named === undefined || named === 'platform')) return 'connection'
  return named ?? 'platform'
}

function ownTimeZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone === '' ? 'UTC' : zone
}
