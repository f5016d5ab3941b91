import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { MediaType } from '../../formats/text/text.ts'
import { formatPath, type Path, type Value } from '../../formats/text/value.ts'
import { mayChange, mayOwn, useSession, type Permit, type SignedIn } from '../api/session.ts'
import { runAfterPress } from '../parts/after-press.ts'
import { useDraft } from '../shell/draft.ts'
import { mayCreate } from '../shell/record-permit.ts'
import type { DocumentKind, DocumentStart, TextProblem } from './document-kind.ts'
import { editBeside } from './document-thread.ts'
import type { Reveal } from './reveal.ts'
import type { StoredText } from './stored-document.ts'
import type { TextEdit } from '../../formats/text/edit/text-edit.ts'
import { filterTouched, type TouchedFields } from './touched-fields.ts'
import { useCheck } from './use-check.ts'
import { usePlan } from './use-plan.ts'

const NO_PROBLEMS: readonly TextProblem[] = []
const NO_FIELDS: ReadonlySet<string> = new Set()

/** A draft and the version that it is based on. */
interface Draft {
  text: string
  mediaType: MediaType
  /** The tag of the version that it began with; null = a new document. */
  etag: string | null
}

/** The text with which a draft is compared. */
export type Unchanged = Pick<Draft, 'text' | 'mediaType'>

interface EditingOptions {
  kind: DocumentKind
  /** Undefined = a new document. */
  id: string | undefined
  stored: StoredText | undefined
  start: DocumentStart | undefined
}

// The text, and the functions that change it.
function useDraftText({ kind, id, stored, start }: EditingOptions) {
  const [base] = useState(() => getBase(kind, stored, start))
  const draft = useDraft<Draft>(createDraftKey(kind, id, start), base.draft)
  const { set: setDraft, discard } = draft
  const [unchanged, setUnchanged] = useState<Unchanged>(base.unchanged)
  const [isRestored, setRestored] = useState(draft.isKept)
  const [refused, setRefused] = useState<string>()
  const [resetCount, setResetCount] = useState(0)
  const latest = useRef(draft.value)
  useLayoutEffect(() => {
    latest.current = draft.value
  }, [draft.value])

  const setText = useCallback(
    (text: string, more: Partial<Draft> = {}) => {
      latest.current = { ...latest.current, ...more, text }
      setDraft(latest.current)
      setRefused(undefined)
    },
    [setDraft],
  )
  const { onEdit, dropEdits } = useEdits(latest, setText, setRefused)
  const reset = useCallback(
    (next: Draft) => {
      dropEdits()
      setResetCount((before) => before + 1)
      latest.current = next
      setDraft(next)
      discard()
      setUnchanged(next)
      setRestored(false)
      setRefused(undefined)
    },
    [setDraft, discard, dropEdits],
  )

  const { value } = draft
  const isChanged = value.text !== unchanged.text
  const startAgain = (): void => reset(base.draft)
  const changes = { setText, onEdit, reset, discard, startAgain, unchanged }
  return { value, isChanged, isRestored, resetCount, refused, ...changes }
}

/** The state of an editor: the text, its problems, and the plan of saving it. */
export function useEditing(options: EditingOptions) {
  const { kind, id, stored, start } = options
  const { value: draft, ...changing } = useDraftText(options)
  const { text, mediaType, etag } = draft
  const { isChanged, resetCount } = changing
  const checked = useCheck(
    { reader: kind.reader, text, mediaType, id, owner: stored?.owner },
    resetCount,
  )
  const quiet = useQuietProblems(id === undefined, checked.result?.problems)
  const isSound = checked.isCurrent && checked.result?.hasErrors === false
  const writing = { kind, id: id ?? idIn(kind, checked.result?.value), text, mediaType, etag }
  const [reveal, setReveal] = useState<Reveal>()
  const showField = useCallback((field: string) => setReveal({ field }), [])
  const isWorth = isChanged || start !== undefined || id === undefined
  const planned = usePlan(writing, isWorth && (isSound || checked.failure !== undefined))
  return {
    kind,
    id,
    stored,
    start,
    writing,
    checked,
    ...quiet,
    planned,
    isSound,
    reveal,
    showField,
    ...changing,
    permit: usePermit(kind, stored, checked.result?.value),
  }
}

// A new document shows what is wrong with a field when the field was left or saving was tried.
function useQuietProblems(isNew: boolean, all: readonly TextProblem[] = NO_PROBLEMS) {
  const [touched, setTouched] = useState<TouchedFields>(isNew ? NO_FIELDS : 'all')
  const problems = useMemo(() => filterTouched(all, touched), [all, touched])
  const onTouch = useCallback((path: Path) => {
    const field = formatPath(path)
    runAfterPress(() =>
      setTouched((before) =>
        before === 'all' || before.has(field) ? before : new Set([...before, field]),
      ),
    )
  }, [])
  const showAllProblems = useCallback(() => setTouched('all'), [])
  return { problems, onTouch, showAllProblems, isQuiet: touched !== 'all' }
}

/** The state of an editor. */
export type Editing = ReturnType<typeof useEditing>

function createDraftKey(
  kind: DocumentKind,
  id: string | undefined,
  start: DocumentStart | undefined,
): string {
  return ['document', kind.api, id ?? 'new', start?.key ?? ''].join(' ')
}

function getBase(
  kind: DocumentKind,
  stored: StoredText | undefined,
  start: DocumentStart | undefined,
): { draft: Draft; unchanged: Unchanged } {
  const [template] = kind.templates
  const first = start ?? stored ?? template ?? { text: '', mediaType: 'application/yaml' }
  const draft = { text: first.text, mediaType: first.mediaType, etag: stored?.etag ?? null }
  // A proposal for a document that exists is a change from the beginning.
  const unchanged = start === undefined || stored === undefined ? draft : stored
  return { draft, unchanged }
}

// Edits are made one after the other; one that was outrun by typing is made again. Those made before a reset are dropped.
function useEdits(
  latest: { readonly current: Draft },
  setText: (text: string) => void,
  setRefused: (reason: string) => void,
) {
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const dropCount = useRef(0)
  const dropEdits = useCallback(() => {
    dropCount.current += 1
  }, [])
  const onEdit = useCallback(
    (...edits: TextEdit[]): Promise<boolean> => {
      const madeAt = dropCount.current
      const make = async (): Promise<boolean> => {
        for (;;) {
          const { text, mediaType } = latest.current
          if (dropCount.current !== madeAt) return false
          const edited = await editBeside(text, mediaType, edits)
          if (dropCount.current !== madeAt) return false
          if (latest.current.text !== text) continue
          if (edited.ok) setText(edited.text)
          else setRefused(edited.reason)
          return edited.ok
        }
      }
      const done = queue.current.then(make).catch(() => {
        setRefused('The form cannot edit this value. Edit it in the source.')
        return false
      })
      queue.current = done
      return done
    },
    [latest, setText, setRefused],
  )
  return { onEdit, dropEdits }
}

function idIn(kind: DocumentKind, value: Value | undefined): string | undefined {
  return value === undefined ? undefined : kind.getId(value)
}

// Undefined = the person may save it. The owner of a new document may not be chosen yet.
function usePermit(
  kind: DocumentKind,
  stored: StoredText | undefined,
  value: Value | undefined,
): Permit | undefined {
  const session = useSession()
  const [oldOwner] = useState(() => (stored === undefined ? undefined : (stored.owner ?? null)))
  const newOwner = value === undefined ? undefined : kind.getOwner(value)
  const permits = listPermits(session, kind, [oldOwner, newOwner])
  return permits.find(({ allowed }) => !allowed)
}

function listPermits(
  session: SignedIn,
  kind: DocumentKind,
  [oldOwner, newOwner]: readonly [string | null | undefined, string | null | undefined],
): Permit[] {
  const { permissions, list } = kind
  if (permissions === undefined) return [mayOwn(session, `change ${list.title.toLowerCase()}`)]
  const isNew = oldOwner === undefined
  if (isNew && newOwner === undefined) return [mayCreate(session, kind)]
  return [oldOwner, newOwner]
    .filter((owner) => owner !== undefined)
    .map((owner) => mayChange(session, permissions, isNew ? 'ADD' : 'EDIT', owner))
}
