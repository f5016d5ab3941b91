import { useCallback, useMemo, useState } from 'react'
import type { Violation } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import type { Source } from '../../api/sources.ts'
import type { SecretChoice } from '../../parts/schema-form-secret.tsx'
import { createFormFields, toFormValues, type FormField } from '../../parts/schema-form-values.ts'
import { useDraft } from '../../shell/draft.ts'
import { useUrlState } from '../../shell/url-state.ts'
import {
  toIntegrationDraft,
  emptyDraft,
  missingIn,
  STEPS,
  withoutField,
  type IntegrationDraft,
  type IntegrationForm,
  type StepName,
  type TypedSecrets,
} from './integration-draft.ts'

/** The integration that the wizard creates or changes. */
export interface WizardSubject {
  sources: readonly Source[]
  /** Undefined = a new integration. */
  form: IntegrationForm | undefined
  /** External id of the team that a new integration is proposed to belong to; or empty. */
  owner: string
}

/** The state of the wizard, and the functions that change it. */
export interface Wizard {
  form: IntegrationForm | undefined
  sources: readonly Source[]
  source: Source | undefined
  fields: readonly FormField[]
  draft: IntegrationDraft
  secrets: TypedSecrets
  violations: readonly Violation[]
  /** The number of rejected submissions; each moves the focus to the first violation. */
  rejectionCount: number
  step: StepName
  patch: (patch: Partial<IntegrationDraft>, field?: string) => void
  choosePlatform: (source: Source) => void
  setValue: (name: string, value: string | boolean) => void
  setSecret: (name: string, value: string) => void
  chooseSecret: (name: string, choice: SecretChoice) => void
  setViolations: (violations: readonly Violation[]) => void
  goTo: (step: StepName) => void
  /** Reports what is missing in this step; true = nothing. */
  checkStep: () => boolean
  /** Goes to the next step if nothing is missing in this one. */
  goOn: () => void
  discard: () => void
  /** A draft of this tab was restored. */
  isKept: boolean
}

interface ViolationState {
  violations: readonly Violation[]
  rejectionCount: number
}

const NOTHING_WRONG: ViolationState = { violations: [], rejectionCount: 0 }

const USUAL_STEP = { step: '' }

/** Keeps the draft of the wizard in this tab until it is saved, except secrets. */
export function useWizard({ sources, form, owner }: WizardSubject): Wizard {
  const { organization } = useSession()
  const what = form === undefined ? 'integration-new' : `integration-${form.externalId}`
  const key = `${organization?.id ?? ''}:${what}`
  const [initial] = useState(() => initialDraft(sources, form, owner))
  const { value: draft, set, discard, isKept } = useDraft(key, initial)
  const [secrets, setSecrets] = useState<TypedSecrets>({})
  const { violations, rejectionCount, setViolations, forget } = useViolations()
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
    rejectionCount,
    step,
    patch,
    choosePlatform(chosen) {
      goTo('connection')
      if (chosen.source === draft.source) return
      setSecrets({})
      const values = toFormValues(fieldsFor(chosen), {})
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
    ...createStepActions({ step, draft, fields, setViolations, goTo }),
    discard,
    isKept,
  }
}

type StepState = Pick<Wizard, 'step' | 'draft' | 'fields' | 'setViolations' | 'goTo'>

function createStepActions(state: StepState): Pick<Wizard, 'checkStep' | 'goOn'> {
  const { step, draft, fields, setViolations, goTo } = state
  const checkStep = (): boolean => {
    const missing = missingIn(step, draft, fields)
    setViolations(missing)
    return missing.length === 0
  }
  return {
    checkStep,
    goOn() {
      const next = STEPS[STEPS.findIndex(({ name }) => name === step) + 1]
      if (checkStep() && next !== undefined) goTo(next.name)
    },
  }
}

function useViolations() {
  const [state, setState] = useState<ViolationState>(NOTHING_WRONG)
  const forget = (field: string): void =>
    setState((before) => ({ ...before, violations: withoutField(before.violations, field) }))
  const setViolations = (found: readonly Violation[]): void =>
    setState((before) => ({
      violations: found,
      rejectionCount: before.rejectionCount + (found.length === 0 ? 0 : 1),
    }))
  return { ...state, setViolations, forget }
}

function initialDraft(
  sources: readonly Source[],
  form: IntegrationForm | undefined,
  owner: string,
): IntegrationDraft {
  if (form === undefined) return emptyDraft(owner, ownTimeZone())
  return toIntegrationDraft(form, fieldsFor(sources.find(({ source }) => source === form.source)))
}

function fieldsFor(source: Source | undefined): FormField[] {
  return source === undefined ? [] : createFormFields(source.configuration)
}

function stepNamed(
  text: string,
  source: Source | undefined,
  form: IntegrationForm | undefined,
): StepName {
  if (source === undefined) return 'platform'
  const named = STEPS.find(({ name }) => name === text)?.name
  // The platform of an integration cannot change.
  if (form !== undefined && (named === undefined || named === 'platform')) return 'connection'
  return named ?? 'platform'
}

function ownTimeZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone === '' ? 'UTC' : zone
}
