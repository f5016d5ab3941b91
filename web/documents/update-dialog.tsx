import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { listOdcsUpdates } from '../../formats/data-contract/odcs/update.ts'
import { listOdpsUpdates } from '../../formats/data-product/update.ts'
import type { Value } from '../../formats/text/value.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { lazyPart } from '../parts/lazy-part.ts'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { editBeside } from './document-thread.ts'
import type { Editing } from './use-editing.ts'

const CompareTexts = lazyPart(() => import('./compare-texts.tsx'), 'CompareTexts')

interface UpdateDialogProps {
  editing: Editing
  /** The parsed text. */
  value: Value
  /** The newest version of the standard. */
  version: string
  onClose: () => void
}

/** Shows what the newest version of a standard changes in a text, before the text of the editor changes. */
export function UpdateDialog({ editing, value, version, onClose }: UpdateDialogProps) {
  const { kind, writing, onEdit } = editing
  const { text, mediaType } = writing
  const listUpdates = kind.reader === 'data-product' ? listOdpsUpdates : listOdcsUpdates
  const edits = listUpdates(value, version)
  const updated = useQuery({
    queryKey: ['update', kind.api, version, text],
    queryFn: async () => await editBeside(text, mediaType, edits),
    retry: false,
    gcTime: 0,
  })
  const result = updated.data
  const update = async (): Promise<void> => {
    await onEdit(...edits)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`Update to ${version}`} wide>
      <p className="text-muted">
        Only the version and what {version} no longer allows change. Nothing is saved yet.
      </p>
      {updated.isPending && <Skeleton lines={8} label="Comparing" />}
      {result?.ok === true && (
        <Suspense fallback={<Skeleton lines={8} />}>
          <CompareTexts
            before={{ text, mediaType, label: 'Now' }}
            after={{ text: result.text, mediaType, label: version }}
          />
        </Suspense>
      )}
      {result?.ok === false && <Notice tone="critical" title={result.reason} />}
      <footer className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          reason={result?.ok === true ? undefined : 'The text cannot be updated.'}
          onClick={() => void update()}
        >
          Update document
        </Button>
      </footer>
    </Dialog>
  )
}
