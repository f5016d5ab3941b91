import type { ReactNode } from 'react'
import { OvertakenNotice } from '../../documents/document-form.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import type { Action } from '../../shell/action.ts'
import { findSaveReason, type SettingEditing } from './setting-editing.ts'

interface SettingFormProps {
  label: string
  /** The fields that show their own violations. */
  fields?: readonly string[]
  editing: Pick<SettingEditing<unknown, unknown>, 'isChanged' | 'isOvertaken' | 'discard' | 'keep'>
  saving: Action<unknown>
  /** Why a changed form cannot be saved; undefined = it can. */
  reason: string | undefined
  saveLabel: string
  children: ReactNode
}

/** The form of a setting, with a button that saves it. A change of another person is shown above the fields. */
export function SettingForm(props: SettingFormProps) {
  const { editing, saving, reason } = props
  const { problem, isPending } = saving
  // While it is saved, the new version is one's own.
  const isOvertaken = editing.isOvertaken && !isPending
  return (
    <Form
      label={props.label}
      fields={props.fields ?? []}
      problem={problem?.status === 412 ? undefined : problem}
      onSubmit={saving.run}
    >
      {isOvertaken && (
        <div role="alert">
          <OvertakenNotice onKeep={editing.keep} onTake={editing.discard}>
            Your edits are kept. If you keep yours, saving replaces their version.
          </OvertakenNotice>
        </div>
      )}
      {props.children}
      <SubmitButton busy={isPending} reason={reason ?? findSaveReason({ ...editing, isOvertaken })}>
        {props.saveLabel}
      </SubmitButton>
    </Form>
  )
}
