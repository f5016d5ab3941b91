import { memo, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { ChoiceField } from '../parts/choice-field.tsx'
import { toChoices } from '../parts/choices.ts'
import { classNames } from '../parts/class-names.ts'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { Panel } from '../parts/page.tsx'
import { useUrlState } from '../shell/url-state.ts'
import type { DocumentFormProps, DocumentKind, TextProblem } from './document-kind.ts'
import { inTextOrder } from './document-order.ts'
import { PlanView } from './plan-view.tsx'
import { PlanProblem, ProblemList, problemsText } from './problem-list.tsx'
import type { JumpTo } from './code-editor.tsx'
import { PlainSource, SourceEditor } from './source-editor.tsx'
import { UpdateVersion } from './update-version.tsx'
import type { Editing } from './use-editing.ts'

const SHOWN = { side: 'form' }
const KEYS_ID = 'source-editor-keys'
const SOURCE_SIZE = 'h-[52vh] min-h-72'
const LARGE_CHARS_MIN = 64 * 1024

/** The form and the source side by side (on a narrow page one of them), with problems and changes. */
export function EditPanes({ editing, isOutrun }: { editing: Editing; isOutrun: boolean }) {
  const [{ side }, setShown] = useUrlState(SHOWN)
  const jumpRef = useRef<JumpTo>(undefined)
  const jump = ({ line, column }: TextProblem): void => {
    setShown({ side: 'source' }, { replace: true })
    // On a narrow page, the source is drawn first.
    requestAnimationFrame(() => jumpRef.current?.(line, column))
  }
  return (
    <>
      <div role="group" aria-label="View" className="flex gap-2 lg:hidden">
        {['form', 'source'].map((one) => (
          <Button
            key={one}
            aria-pressed={side === one}
            className={side === one ? 'bg-accent-soft!' : ''}
            onClick={() => setShown({ side: one }, { replace: true })}
          >
            {one === 'form' ? 'Form' : 'Source'}
          </Button>
        ))}
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div className={classNames('grid gap-4', side === 'form' ? '' : 'hidden lg:grid')}>
          <FormPane editing={editing} />
        </div>
        <div className="grid min-w-0 gap-4 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto">
          <SourcePane
            editing={editing}
            jumpRef={jumpRef}
            onJump={jump}
            className={side === 'source' ? '' : 'hidden lg:block'}
          />
          <PlanPane editing={editing} isOutrun={isOutrun} />
        </div>
      </div>
    </>
  )
}

function FormPane({ editing }: { editing: Editing }) {
  const { kind, id, checked, problems, onEdit, onTouch, resetCount } = editing
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
          className={classNames('grid min-w-0 grid-cols-1 gap-4', isOff && 'mt-4 opacity-55')}
        >
          <legend className="sr-only">The fields of the {kind.called}</legend>
          {id === undefined && <Templates editing={editing} />}
          <Suspense fallback={<Skeleton lines={8} />}>
            <KindForm
              key={checked.resetCount}
              isOff={checked.resetCount !== resetCount}
              kind={kind}
              value={lastValue}
              problems={problems}
              isNew={id === undefined}
              onEdit={onEdit}
              onTouch={onTouch}
            />
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

function Templates({ editing }: { editing: Editing }) {
  const { kind, isChanged, start, reset } = editing
  const [chosen, setChosen] = useState(kind.templates[0]?.title ?? '')
  if (start !== undefined || kind.templates.length < 2) return null
  const choose = (title: string): void => {
    const template = kind.templates.find((one) => one.title === title)
    if (template === undefined) return
    setChosen(title)
    reset({ text: template.text, mediaType: template.mediaType, etag: null })
  }
  return (
    <ChoiceField
      label="Format"
      hint={isChanged ? 'Choose the format before you type anything else.' : undefined}
      value={chosen}
      disabled={isChanged}
      choices={toChoices(kind.templates.map(({ title }) => title))}
      onChange={choose}
    />
  )
}

interface SourcePaneProps {
  editing: Editing
  jumpRef: { current: JumpTo | undefined }
  onJump: (problem: TextProblem) => void
  className: string
}

function SourcePane({ editing, jumpRef, onJump, className }: SourcePaneProps) {
  const { checked, planned, isQuiet } = editing
  const { result } = checked
  const problems = useMemo(
    () => inTextOrder(editing.problems, planned.problem?.violations, planned.plan?.warnings),
    [editing.problems, planned],
  )
  return (
    <>
      <SourcePanel editing={editing} problems={problems} jumpRef={jumpRef} className={className} />
      <Panel
        title="Problems"
        marks={
          <span role="status">
            {checked.failure ?? statusText(result !== undefined, isQuiet, problems)}
          </span>
        }
      >
        {problems.length === 0 ? (
          <p className="text-muted">
            {isQuiet
              ? 'Fields are checked when you leave them and when you save.'
              : 'The text is checked while you type.'}
          </p>
        ) : (
          <ProblemList problems={problems} onJump={onJump} />
        )}
      </Panel>
    </>
  )
}

interface SourcePanelProps extends Omit<SourcePaneProps, 'onJump'> {
  problems: readonly TextProblem[]
}

function SourcePanel({ editing, problems, jumpRef, className }: SourcePanelProps) {
  const { kind, writing, setText, showAllProblems } = editing
  const { text, mediaType } = writing
  const isEditorDue = useEditorDue(editing)
  const plain = <PlainSource text={text} className={SOURCE_SIZE} />
  return (
    <Panel
      title="Source"
      marks={mediaType === 'application/json' ? 'JSON' : 'YAML'}
      className={className}
    >
      <p id={KEYS_ID} className="mb-2 text-sm text-muted">
        Press <kbd>Escape</kbd>, then <kbd>Tab</kbd> to leave the editor; <kbd>Ctrl F</kbd>{' '}
        searches.
      </p>
      {isEditorDue ? (
        <SourceEditor
          key={mediaType}
          text={text}
          mediaType={mediaType}
          reader={kind.reader}
          label={`Source of the ${kind.called}`}
          describedBy={KEYS_ID}
          problems={problems}
          jumpRef={jumpRef}
          onChange={(typed) => {
            showAllProblems()
            setText(typed)
          }}
          className={`${SOURCE_SIZE} [&_.cm-editor]:h-full`}
        />
      ) : (
        plain
      )}
    </Panel>
  )
}

// The editor is the most expensive part of the page, so the form is drawn before it. A large text does not wait for
// its check.
function useEditorDue({ checked, writing }: Editing): boolean {
  const isFormDue = checked.result !== undefined || checked.failure !== undefined
  return useDeferredValue(isFormDue || writing.text.length > LARGE_CHARS_MIN, false)
}

function statusText(
  isChecked: boolean,
  isQuiet: boolean,
  problems: readonly TextProblem[],
): string {
  if (!isChecked) return 'Checking'
  return isQuiet && problems.length === 0 ? '' : problemsText(problems)
}

function describeNoPlan({ isAsked, canBeRead }: { isAsked: boolean; canBeRead: boolean }): string {
  if (isAsked) return 'Checking…'
  return canBeRead
    ? 'Nothing has changed yet.'
    : 'Changes and affected consumers appear here when the document has no errors.'
}

function PlanPane({ editing, isOutrun }: { editing: Editing; isOutrun: boolean }) {
  const { planned, isChanged, isSound, start, id } = editing
  const { plan, problem } = planned
  const isAsked = (isChanged || start !== undefined || id === undefined) && isSound && !isOutrun
  return (
    <Panel title="Changes">
      <div aria-live="polite">
        {plan !== undefined && <PlanView plan={{ ...plan, warnings: [] }} />}
        {!isOutrun && <PlanProblem editing={editing} />}
        {plan === undefined && problem === undefined && (
          <p className="text-muted">
            {describeNoPlan({ isAsked, canBeRead: isSound || !isChanged })}
          </p>
        )}
      </div>
    </Panel>
  )
}
