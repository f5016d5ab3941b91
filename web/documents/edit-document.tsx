import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { ButtonLink, Button } from '../parts/button.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { lazyPart, newFloatingChunk, takePart } from '../parts/lazy-part.ts'
import { DeleteDocument } from './delete-document.tsx'
import type { DocumentKind, DocumentStart } from './document-kind.ts'
import { prepareToCheck } from './document-thread.ts'
import { EditPanes } from './edit-panes.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { prepareSourceEditor } from './source-editor.tsx'
import { storedQuery, type StoredText } from './stored-document.ts'
import { useEditing, type Editing } from './use-editing.ts'

const RightNotice = lazyPart(() => import('../shell/right-notice.tsx'), 'RightNotice')
const MissingDocument = lazyPart(() => import('./missing-document.tsx'), 'MissingDocument')
const Conflict = lazyPart(() => import('./conflict.tsx'), 'Conflict')

const SaveDialog = takePart(
  newFloatingChunk(() => import('./save-dialog.tsx')),
  (module) => module.SaveDialog,
)

interface EditDocumentProps {
  kind: DocumentKind
  /** Undefined = a new document. */
  id: string | undefined
  /** The initial text instead of the template or the stored document. */
  start?: DocumentStart | undefined
}

/** Loads what editing a kind of document needs, before there is a document. */
export function prepareToEdit(kind: DocumentKind): void {
  prepareToCheck(kind.reader)
  prepareSourceEditor()
  kind.Form.prepare()
}

/** The page on which a document is written or changed: a form and the source, kept in step. */
export function EditDocument({ kind, id, start }: EditDocumentProps) {
  if (id === undefined) return <EditPage kind={kind} id={id} stored={undefined} start={start} />
  return <EditStored kind={kind} id={id} start={start} />
}

function EditStored({ kind, id, start }: EditDocumentProps & { id: string }) {
  const stored = useQuery(storedQuery(kind, id))
  return (
    <Loaded
      query={stored}
      skeleton={<Page title={`Edit ${id}`}>{null}</Page>}
      missing={
        start === undefined ? (
          <Missing kind={kind} id={id} />
        ) : (
          <EditPage key={id} kind={kind} id={id} stored={undefined} start={start} />
        )
      }
    >
      {(data) => <EditPage key={id} kind={kind} id={id} stored={data} start={start} />}
    </Loaded>
  )
}

function Missing({ kind, id }: { kind: DocumentKind; id: string }) {
  return (
    <Suspense
      fallback={
        <Page title={id}>
          <Skeleton label="Loading" />
        </Page>
      }
    >
      <MissingDocument kind={kind} id={id} />
    </Suspense>
  )
}

interface EditPageProps {
  kind: DocumentKind
  id: string | undefined
  stored: StoredText | undefined
  start: DocumentStart | undefined
}

function EditPage({ kind, id, stored, start }: EditPageProps) {
  const editing = useEditing({ kind, id, stored, start })
  const [isDone, setDone] = useState(false)
  // The dialog that asks before leaving reads it before the page is rendered again.
  const isOver = useRef(false)
  const finish = (): void => {
    isOver.current = true
    setDone(true)
  }
  const discard = (): void => {
    finish()
    editing.discard()
  }
  const [isReviewing, setReviewing] = useState(false)
  const value = editing.checked.result?.value
  const name = (value === undefined ? undefined : kind.getName(value)) ?? id
  const title = getTitle(editing, name)
  const isOutrun = stored !== undefined && stored.etag !== editing.writing.etag && !isDone
  const documentLink = id === undefined ? [] : [{ title: name ?? id, href: kind.page(id) }]
  return (
    <Page
      title={title}
      placesHead
      width="wide"
      trail={[kind.list, ...documentLink]}
      actions={
        <Actions
          editing={editing}
          isOutrun={isOutrun}
          onDeleted={discard}
          onReview={() => setReviewing(true)}
        />
      }
    >
      <div className="grid gap-4">
        <Notices editing={editing} />
        <Suspense fallback={null}>
          {isOutrun && <Conflict editing={editing} stored={stored} />}
        </Suspense>
        <EditPanes editing={editing} isOutrun={isOutrun} />
      </div>
      {isReviewing && (
        <Suspense fallback={null}>
          <SaveDialog editing={editing} onClose={() => setReviewing(false)} onSaved={finish} />
        </Suspense>
      )}
      <LeaveDialog hasChanges={() => !isOver.current && editing.isChanged} onDiscard={discard} />
    </Page>
  )
}

function getTitle({ kind, id, stored }: Editing, name: string | undefined): string {
  if (id === undefined) return `New ${kind.called}`
  return stored === undefined ? `Restore ${name}` : `Edit ${name}`
}

interface ActionsProps {
  editing: Editing
  isOutrun: boolean
  onDeleted: () => void
  onReview: () => void
}

function Actions({ editing, isOutrun, onDeleted, onReview }: ActionsProps) {
  const { kind, id, stored } = editing
  return (
    <>
      {id !== undefined && stored !== undefined && (
        <DeleteDocument
          editing={editing}
          id={id}
          stored={stored}
          onDeleted={onDeleted}
          onDeprecated={onReview}
        />
      )}
      <ButtonLink href={id === undefined ? kind.list.href : kind.page(id)}>Cancel</ButtonLink>
      <Button
        look="primary"
        reason={findReviewReason(editing, isOutrun)}
        onClick={() => review(editing, onReview)}
      >
        Review and save
      </Button>
    </>
  )
}

function review(editing: Editing, onReview: () => void): void {
  const { checked, isSound, showAllProblems, showField } = editing
  if (!checked.isCurrent || isSound || checked.failure !== undefined) {
    onReview()
    return
  }
  showAllProblems()
  const error = checked.result?.problems.find(({ severity }) => severity === 'error')
  if (error !== undefined) showField(error.field)
}

function Notices({ editing }: { editing: Editing }) {
  const { start, isRestored, isChanged, refused, permit, startAgain } = editing
  return (
    <>
      {permit !== undefined && (
        <Suspense fallback={null}>
          <RightNotice permit={permit}>
            {editing.id === undefined
              ? 'You can still fill in the form and see its problems.'
              : 'You can still try a change and see what it would do.'}
          </RightNotice>
        </Suspense>
      )}
      {isRestored && isChanged && (
        <Notice
          tone="info"
          title="Your unsaved changes were restored"
          actions={<Button onClick={startAgain}>Discard changes</Button>}
        >
          They were kept in this tab and are not saved yet.
        </Notice>
      )}
      {!isRestored && start?.note !== undefined && <Notice tone="info" title={start.note} />}
      {refused !== undefined && (
        <div role="alert">
          <Notice tone="caution" title="The form cannot edit this">
            {refused}
          </Notice>
        </div>
      )}
    </>
  )
}

function findReviewReason(editing: Editing, isOutrun: boolean): string | undefined {
  const { checked, isChanged, isSound, id, start } = editing
  if (isOutrun) return 'Another user saved in the meantime. Compare with their version first.'
  if (!isChanged && id !== undefined && start === undefined) return 'Nothing has changed yet.'
  if (checked.failure !== undefined || !checked.isCurrent || isSound) return undefined
  // The first try shows what is missing.
  if (editing.isQuiet) return undefined
  return 'Fix the errors first. They are listed below the source.'
}
