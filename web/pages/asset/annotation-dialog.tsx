import { type Schemas, client } from '../../api/client.ts'
import { sendText } from '../../api/document.ts'
import { may, useSession } from '../../api/session.ts'
import { Problem } from '../../api/problem.ts'
import { OvertakenNotice } from '../../documents/document-form.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useAction, type Refresh } from '../../shell/action.ts'
import { RightNotice } from '../../shell/right-notice.tsx'
import { useDraft } from '../../shell/draft.ts'
import {
  toAnnotationDraft,
  isChanged,
  isOvertaken,
  toAnnotationBody,
  type AnnotationDraft,
} from './annotation-draft.ts'
import { readInfo } from './asset-document.ts'
import { AnnotationFields } from './annotation-fields.tsx'

type AssetPage = Schemas['AssetPage']

interface AnnotationDialogProps {
  page: AssetPage
  onClose: () => void
}

/** Edits the description, owner and tags that people add to an ingested asset. The draft is kept until it is saved. */
export function AnnotationDialog({ page, onClose }: AnnotationDialogProps) {
  const { id, name, annotation } = page
  const { value, set, discard, isKept } = useDraft(`asset:${id}`, toAnnotationDraft(annotation))
  const permit = may(useSession(), 'ASSET_EDIT', readInfo(page.asset).ownerId ?? null)
  const leave = (): void => {
    discard()
    onClose()
  }
  const save = useAnnotationSave(page, leave)
  const isNew = isChanged(value, annotation)
  const isTheirs = isOvertaken(value, annotation)
  const { problem } = save
  const startOver = (): void => {
    set(toAnnotationDraft(annotation))
    discard()
    save.reset()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit ${name === '' ? id : name}`}
      description="Your text takes precedence over the source, and no run changes it."
    >
      <RightNotice permit={permit} />
      {isKept && !isTheirs && isNew && <Restored onStartOver={startOver} />}
      {isTheirs && (
        <OvertakenNotice
          onKeep={() => set({ ...value, basedOn: toAnnotationDraft(annotation).basedOn })}
          onTake={startOver}
        >
          {describeTheirs(annotation)}
        </OvertakenNotice>
      )}
      <Form
        label="Asset details"
        problem={problem?.status === 412 ? undefined : problem}
        fields={['description', 'owner', 'tags']}
        onSubmit={() => isNew && !isTheirs && save.run(value)}
      >
        <AnnotationFields page={page} value={value} set={set} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={leave}>{isNew ? 'Discard' : 'Cancel'}</Button>
          <Button
            type="submit"
            look="primary"
            busy={save.isPending}
            reason={permit.reason ?? getReason(isTheirs, isNew)}
          >
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function Restored({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Notice
      tone="info"
      title="Restored from your last edit"
      actions={<Button onClick={onStartOver}>Start over</Button>}
    />
  )
}

function describeTheirs(annotation: AssetPage['annotation']): string {
  const text = annotation?.description ?? undefined
  return text === undefined ? 'They use the description of the source.' : `Theirs: ${text}`
}

function getReason(isTheirs: boolean, isNew: boolean): string | undefined {
  if (isTheirs) return 'Choose whether to keep yours or use theirs.'
  return isNew ? undefined : 'Nothing has changed.'
}

/**
 * Saves what people add to an asset. The ETag of an asset changes with every run, but only the edits of
 * other people must not be lost: a draft is saved over a newer version as long as the annotation is the
 * one that it started from.
 */
function useAnnotationSave(page: Schemas['AssetPage'], onSaved: () => void) {
  const { id } = page
  const put = async (draft: AnnotationDraft, ifMatch: string): Promise<void> => {
    const text = JSON.stringify(toAnnotationBody(draft))
    const change = { text, mediaType: 'application/json', ifMatch } as const
    await sendText('PUT', `/ui/assets/${encodeURIComponent(id)}/annotation`, change)
  }
  return useAction({
    async request(draft: AnnotationDraft) {
      try {
        await put(draft, page.etag)
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 412) throw error
        const { data } = await client.GET('/ui/assets/{id}', { params: { path: { id } } })
        if (data === undefined || isOvertaken(draft, data.annotation)) throw error
        await put(draft, data.etag)
      }
    },
    onSuccess: onSaved,
    notice: 'Asset saved',
    refresh: ASSET_DATA,
    // The other person's changes are shown.
    refreshAfterError: ASSET_DATA,
  })
}

const ASSET_DATA: Refresh = [{ predicate: ({ queryKey }) => isAboutAssets(queryKey) }]

function isAboutAssets([first, second]: readonly unknown[]): boolean {
  const path = first === 'get' ? second : first
  return typeof path === 'string' && /^(?:asset-|\/ui\/assets|\/api\/assets)/.test(path)
}
