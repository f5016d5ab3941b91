import { memo, Suspense, useState } from 'react'
import type { Value } from '../../formats/text/value.ts'
import { classNames } from '../parts/class-names.ts'
import { lazyPart, newFloatingChunk, takePart } from '../parts/lazy-part.ts'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { Panel } from '../parts/page.tsx'
import type { DocumentFormProps, DocumentKind, TextProblem } from './document-kind.ts'
import { RevealContext } from './reveal.ts'
import { UpdateVersion } from './update-version.tsx'
import type { Editing } from './use-editing.ts'

const BaseValue = takePart(
  newFloatingChunk(() => import('./base-value.tsx')),
  (module) => module.BaseValue,
)
const Templates = lazyPart(() => import('./form-templates.tsx'), 'Templates')

interface FormPaneProps {
  editing: Editing
  /** The problems of the check and of the server. */
  problems: readonly TextProblem[]
}

/** The form of a document, as far as its text can be read. */
export function FormPane({ editing, problems }: FormPaneProps) {
  const { kind, id, checked, isChanged, onEdit, onTouch, showField, resetCount } = editing
  const [base, setBase] = useState<Value>()
  const value = checked.result?.value
  const { lastValue } = checked
  if (lastValue === undefined) {
    return (
      <Panel title="Form">
        {checked.result === undefined ? <Skeleton lines={8} /> : <Unreadable />}
      </Panel>
    )
  }
  const reason = kind.formReason(lastValue)
  const isOff = value === undefined || reason !== undefined
  return (
    <Panel title="Form" actions={<UpdateVersion editing={editing} />}>
      {value === undefined && <Unreadable />}
      {reason !== undefined && <Notice tone="info" title={reason} />}
      {reason === undefined && (
        <fieldset
          disabled={isOff}
          className={classNames(
            '@container grid min-w-0 grid-cols-1 gap-4',
            isOff && 'mt-4 opacity-55',
          )}
        >
          <legend className="sr-only">The fields of the {kind.called}</legend>
          <Suspense fallback={null}>
            {isChanged && <BaseValue editing={editing} onValue={setBase} />}
          </Suspense>
          <Suspense fallback={<Skeleton lines={8} />}>
            {id === undefined && <Templates editing={editing} />}
            <RevealContext value={editing.reveal}>
              <KindForm
                key={checked.resetCount}
                isOff={checked.resetCount !== resetCount}
                kind={kind}
                value={lastValue}
                problems={problems}
                base={isChanged ? base : undefined}
                isNew={id === undefined}
                onEdit={onEdit}
                onTouch={onTouch}
                onShowField={showField}
              />
            </RevealContext>
          </Suspense>
        </fieldset>
      )}
    </Panel>
  )
}

// What is typed into the source changes the form only when it has been checked. After a reset, the fields are disabled
// until they show the new text: an edit of the former values would be lost or change something else.
const KindForm = memo(function KindForm({
  kind: { Form },
  isOff,
  ...form
}: DocumentFormProps & { kind: DocumentKind; isOff: boolean }) {
  return (
    <fieldset disabled={isOff} className="contents">
      <Form {...form} />
    </fieldset>
  )
})

function Unreadable() {
  return (
    <Notice tone="caution" title="The form needs a valid source">
      Fix the errors listed under Problems to use the form. Your text is kept.
    </Notice>
  )
}
