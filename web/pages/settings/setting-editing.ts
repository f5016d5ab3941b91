import { useMemo, useState } from 'react'
import { useAction, type Refresh } from '../../shell/action.ts'

/** A form about a setting that other people can save too. */
export interface SettingEditing<Stored, Form> {
  /** The stored setting while nothing is edited. */
  form: Form
  change: (form: Form) => void
  /** The version that the form began with, to be saved over. */
  base: Stored
  isChanged: boolean
  /** Another person saved a version that the form does not have. */
  isOvertaken: boolean
  /** Shows the stored version, without the edits. */
  discard: () => void
  /** Shows the stored version once a form is saved. What was edited at the same time is kept, to be saved over it. */
  settle: (saved: Form) => void
  /** Keeps the edits, to be saved over the version of the other person. */
  keep: () => void
}

/**
 * Keeps the edits of a form while the stored setting changes. An unchanged form shows each new version. A form with edits
 * keeps them, and the person decides which version to use.
 */
export function useSettingEditing<Stored extends { etag: string | undefined }, Form>(
  stored: Stored,
  toForm: (stored: Stored) => Form,
): SettingEditing<Stored, Form> {
  const [edits, setEdits] = useState<{ form: Form; base: Stored | undefined } | undefined>(
    undefined,
  )
  const base = edits?.base ?? stored
  const before = useMemo(() => toForm(base), [base, toForm])
  return {
    form: edits === undefined ? before : edits.form,
    change(form) {
      const isSame = JSON.stringify(form) === JSON.stringify(before)
      setEdits(isSame ? undefined : { form, base })
    },
    base,
    isChanged: edits !== undefined,
    isOvertaken: base.etag !== stored.etag,
    discard: () => setEdits(undefined),
    settle: (saved) =>
      setEdits((edited) =>
        edited === undefined || edited.form === saved ? undefined : { ...edited, base: undefined },
      ),
    keep: () => setEdits((current) => current && { ...current, base: stored }),
  }
}

interface SettingSaving<Form> {
  request: () => Promise<unknown>
  notice: string
  /** The data that shows the setting. */
  data: Refresh
  editing: Pick<SettingEditing<unknown, Form>, 'form' | 'settle'>
}

/** Returns the action that saves a setting. The stored version is loaded, also if another person saved first. */
export function useSettingSaving<Form>({ request, notice, data, editing }: SettingSaving<Form>) {
  return useAction({
    async request() {
      await request()
      return editing.form
    },
    notice,
    refresh: data,
    onRefreshed: editing.settle,
    refreshAfterError: data,
  })
}

/** Returns why a form cannot be saved now; undefined = it can. */
export function findSaveReason({
  isChanged,
  isOvertaken,
}: Pick<SettingEditing<unknown, unknown>, 'isChanged' | 'isOvertaken'>): string | undefined {
  if (!isChanged) return 'No changes to save.'
  return isOvertaken ? 'Another person saved first. Choose which version to use.' : undefined
}
