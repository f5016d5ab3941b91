import type { FindingFix } from './finding-list.tsx'
import type { Trials } from './use-trials.ts'
import type { Wizard } from './use-wizard.ts'

/** Returns a function that changes the field a finding names, and tests the connection again. */
export function useFix(wizard: Wizard, trials: Trials): (fix: FindingFix) => void {
  const testAndContinue = useTestAndContinue(wizard, trials)
  return ({ field, value }) => {
    wizard.setValue(field, value)
    testAndContinue({ ...wizard.draft.values, [field]: value })
  }
}

/** Returns a function that tests the connection, and goes on to the filters when it works. */
export function useTestAndContinue(wizard: Wizard, { test, preview }: Trials) {
  return (values = wizard.draft.values): void => {
    test.start(values, ({ ok }) => {
      if (!ok) return
      wizard.goTo('filters')
      preview.start(values)
    })
  }
}
