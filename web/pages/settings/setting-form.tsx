import type { ReactNode } from 'react'
import type { Problem } from '../../api/problem.ts'
import { OvertakenNotice } from '../../documents/document-form.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { findSaveReason, type SettingEditing } from './setting-editing.ts'

interface SettingFormProps {
  label: string
  /** The fields that show their own violations. */
  fields?: readonly string[]
  editing: Pick<SettingEditing<unknown, unknown>, 'isChanged' | 'isOvertaken' | 'discard' | 'keep'>
  problem: Problem | undefined
  isSaving: boolean
  /** Why a changed form cannot be saved; undefined = it can. */
  reason: string | undefined
  saveLabel: string
  onSave: () => void
  children: ReactNode
}

/** The form of a setting, with a button that saves it. A change of another person is shown above the fields. */
export function SettingForm(props: SettingFormProps) {
  const { editing, problem, isSaving, reason } = props
  // While it is saved, the new version is one's own.
  const isOvertaken = editing.isOvertaken && !isSaving
  return (
    <Form
      label={props.label}
      fields={props.fields ?? []}
      problem={problem?.status === 412 ? undefined : problem}
      onSubmit={props.onSave}
    >
      {isOvertaken && (
        <div role="alert">
          <OvertakenNotice onKeep={editing.keep} onTake={editing.discard}>
            Your edits are kept. If you keep yours, saving replaces their version.
          </OvertakenNotice>
        </div>
      )}
      {props.children}
      <SubmitButton busy={isSaving} reason={reason ?? findSaveReason({ ...editing, isOvertaken })}>
        {props.saveLabel}
      </SubmitButton>
    </Form>
  )
}
