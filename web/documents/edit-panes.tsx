import type { EditorView } from '@codemirror/view'
import { Suspense, useDeferredValue, useMemo } from 'react'
import { Button } from '../parts/button.tsx'
import { classNames } from '../parts/class-names.ts'
import { newFloatingChunk, takePart } from '../parts/lazy-part.ts'
import { Skeleton } from '../parts/notice.tsx'
import { Panel } from '../parts/page.tsx'
import { useUrlState } from '../shell/url-state.ts'
import type { TextProblem } from './document-kind.ts'
import { inTextOrder } from './document-order.ts'
import { FormPane } from './form-pane.tsx'
import { problemsText } from './problem-words.ts'
import { PlainSource, SourceEditor } from './source-editor.tsx'
import type { Editing } from './use-editing.ts'
import { useLinkedPanes } from './use-linked-panes.ts'

// A document without problems and changes needs none of them.
const ProblemList = takePart(
  newFloatingChunk(() => import('./problem-list.tsx')),
  (module) => module.ProblemList,
)
const PlanProblem = takePart(
  newFloatingChunk(() => import('./plan-problem.tsx')),
  (module) => module.PlanProblem,
)
const PlanView = takePart(
  newFloatingChunk(() => import('./plan-view.tsx')),
  (module) => module.PlanView,
)

const SIDES = ['form', 'source'] as const
const SHOWN = { side: 'form' }
const KEYS_ID = 'source-editor-keys'
const SOURCE_SIZE = 'h-[52vh] min-h-72'
const LARGE_CHARS_MIN = 64 * 1024

/** The form and the source side by side (on a narrow page one of them), with problems and changes. */
export function EditPanes({ editing, isOutrun }: { editing: Editing; isOutrun: boolean }) {
  const { planned } = editing
  const [{ side }, setShown] = useUrlState(SHOWN)
  const show = (one: 'form' | 'source'): void => {
    if (one !== side) setShown({ side: one }, { replace: true })
  }
  const { formRef, onView, jump } = useLinkedPanes(editing, side, show)
  const problems = useMemo(
    () => inTextOrder(editing.problems, planned.problem?.violations, planned.plan?.warnings),
    [editing.problems, planned],
  )
  return (
    <>
      <div role="group" aria-label="View" className="flex gap-2 lg:hidden">
        {SIDES.map((one) => (
          <Button
            key={one}
            aria-pressed={side === one}
            className={side === one ? 'bg-accent-soft!' : ''}
            onClick={() => show(one)}
          >
            {one === 'form' ? 'Form' : 'Source'}
          </Button>
        ))}
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2 xl:grid-cols-[minmax(0,7fr)_minmax(0,6fr)]">
        <div
          ref={formRef}
          className={classNames('grid min-w-0 gap-4', side === 'form' ? '' : 'hidden lg:grid')}
        >
          <FormPane editing={editing} problems={problems} />
        </div>
        <div className="grid min-w-0 gap-4 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto">
          <SourcePane
            editing={editing}
            problems={problems}
            onView={onView}
            onJump={jump}
            className={side === 'source' ? '' : 'hidden lg:block'}
          />
          <PlanPane editing={editing} isOutrun={isOutrun} />
        </div>
      </div>
    </>
  )
}

interface SourcePaneProps {
  editing: Editing
  problems: readonly TextProblem[]
  onView: (view: EditorView | undefined) => void
  onJump: (problem: TextProblem) => void
  className: string
}

function SourcePane({ editing, problems, onView, onJump, className }: SourcePaneProps) {
  const { checked, isQuiet } = editing
  const { result } = checked
  return (
    <>
      <SourcePanel editing={editing} problems={problems} onView={onView} className={className} />
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
          <Suspense fallback={<Skeleton lines={2} />}>
            <ProblemList problems={problems} onJump={onJump} />
          </Suspense>
        )}
      </Panel>
    </>
  )
}

function SourcePanel(props: Omit<SourcePaneProps, 'onJump'>) {
  const { editing, problems, onView, className } = props
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
          onView={onView}
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
        <Suspense fallback={<Skeleton lines={2} />}>
          {plan !== undefined && <PlanView plan={{ ...plan, warnings: [] }} />}
          {!isOutrun && problem !== undefined && <PlanProblem editing={editing} />}
        </Suspense>
        {plan === undefined && problem === undefined && (
          <p className="text-muted">
            {describeNoPlan({ isAsked, canBeRead: isSound || !isChanged })}
          </p>
        )}
      </div>
    </Panel>
  )
}
