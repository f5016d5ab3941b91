import { useRef, type ReactNode } from 'react'
import { sendText } from '../api/document.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { useAction, type Refresh } from '../shell/action.ts'
import { LeaveDialog } from './leave-dialog.tsx'

// What pages share that edit a JSON document in a form of their own: saving, leaving, and conflicts.

interface SavingOptions {
  /** Returns the address of a document in the API, and that of its page. */
  toApiPath: (id: string) => string
  toPage: (id: string) => string
  /** The data that shows the document. */
  refresh: Refresh
  /** The data of the stored version, in which another person may have saved first. */
  stored: Refresh
}

interface Save {
  id: string
  text: string
  /** Undefined = there must be no such document yet. */
  etag: string | undefined
  /** Confirms that it is saved. */
  message: string
  /** Called before the page is left. */
  onSaved: () => void
}

/** Returns the action that saves a document and leads to its page. */
export function useDocumentSaving({ toApiPath, toPage, refresh, stored }: SavingOptions) {
  return useAction({
    request: ({ id, text, etag }: Save) =>
      sendText('PUT', toApiPath(id), {
        text,
        mediaType: 'application/json',
        ...(etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: etag }),
      }),
    onSuccess: (_, { onSaved }) => onSaved(),
    notice: (_, { message }) => message,
    goTo: (_, { id }) => toPage(id),
    refresh,
    refreshAfterError: stored,
  })
}

/** Returns a function that forgets a draft before its page is left, and the dialog that asks if changes would be lost. */
export function useLeaving(
  draft: { discard: () => void },
  isChanged: boolean,
): { leave: () => void; dialog: ReactNode } {
  const isLeft = useRef(false)
  const leave = (): void => {
    isLeft.current = true
    draft.discard()
  }
  const hasChanges = (): boolean => !isLeft.current && isChanged
  return { leave, dialog: <LeaveDialog hasChanges={hasChanges} onDiscard={leave} /> }
}

/** Reports that the id of a new document is taken, with a link to the page of that document. */
export function TakenNotice({ id, href, open }: { id: string; href: string; open: string }) {
  return (
    <div role="alert">
      <Notice
        tone="critical"
        title={`The id "${id}" is taken`}
        actions={<ButtonLink href={href}>{open}</ButtonLink>}
      >
        Choose another id. Nothing was changed.
      </Notice>
    </div>
  )
}

interface OvertakenNoticeProps {
  onKeep: () => void
  onTake: () => void
  children: string
}

/** Asks which version to use, because another person saved one while a form was edited. */
export function OvertakenNotice({ onKeep, onTake, children }: OvertakenNoticeProps) {
  return (
    <Notice
      tone="caution"
      title="Changed by another person since you started"
      actions={
        <>
          <Button onClick={onKeep}>Keep mine</Button>
          <Button onClick={onTake}>Use theirs</Button>
        </>
      }
    >
      {children}
    </Notice>
  )
}
