import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { client, type Schemas } from '../api/client.ts'
import { usePrincipalNames } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { Time } from '../parts/time.tsx'
import { ChangeList } from './plan-view.tsx'
import type { StoredText } from './stored-document.ts'
import type { Editing } from './use-editing.ts'
import { lazyPart } from '../parts/lazy-part.ts'

const CompareTexts = lazyPart(() => import('./compare-texts.tsx'), 'CompareTexts')

/**
 * Reports that another person saved the document in the meantime, with their changes and the possible
 * actions.
 */
export function Conflict({ editing, stored }: { editing: Editing; stored: StoredText }) {
  const [isComparing, setComparing] = useState(false)
  const { kind, id = '', writing } = editing
  const others = useQuery({
    queryKey: ['changes since', kind.api, id, writing.etag, stored.etag],
    queryFn: async () => await changesSince(kind.api, id, writing.etag ?? ''),
  })
  const last = others.data?.versions[0]
  const getName = usePrincipalNames(last === undefined ? [] : [last.principal])
  const who = last === undefined ? 'Another user' : getName(last.principal)
  return (
    <Notice
      tone="caution"
      title={
        <>
          {who} saved this {kind.called}
          {last !== undefined && (
            <>
              {' '}
              <Time at={last.validFrom} />
            </>
          )}
          , while you were editing
        </>
      }
      actions={
        <span className="flex flex-wrap gap-2">
          <Button look="primary" onClick={() => setComparing(true)}>
            Compare and merge
          </Button>
          <Button
            onClick={() =>
              editing.reset({ text: stored.text, mediaType: stored.mediaType, etag: stored.etag })
            }
          >
            Discard my changes
          </Button>
        </span>
      }
    >
      <p>Your text is kept. Compare both versions before you save. Changed since you started:</p>
      <div className="mt-2">
        {others.data === undefined ? (
          <Skeleton lines={2} />
        ) : (
          <ChangeList changes={others.data.changes} />
        )}
      </div>
      {isComparing && (
        <MergeDialog editing={editing} stored={stored} onClose={() => setComparing(false)} />
      )}
    </Notice>
  )
}

interface MergeDialogProps {
  editing: Editing
  stored: StoredText
  onClose: () => void
}

function MergeDialog({ editing, stored, onClose }: MergeDialogProps) {
  const { text, mediaType } = editing.writing
  const [merged, setMerged] = useState(text)
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title="Compare and merge"
      description="The saved version is on the left, yours on the right. Use the arrows to copy changes from the left, or edit the right."
    >
      <Suspense fallback={<Skeleton lines={8} />}>
        <CompareTexts
          before={{ ...stored, label: 'Saved' }}
          after={{ text: merged, mediaType, label: 'Yours' }}
          onChange={setMerged}
        />
      </Suspense>
      <footer className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          onClick={() => {
            editing.setText(merged, { etag: stored.etag })
            onClose()
          }}
        >
          Use the right version
        </Button>
      </footer>
    </Dialog>
  )
}

interface Since {
  versions: Schemas['Version'][]
  changes: Schemas['Change'][]
}

async function changesSince(api: Editing['kind']['api'], id: string, etag: string): Promise<Since> {
  const path = { id }
  const { data: all = [] } = await client.GET(`${api}/{id}/versions`, { params: { path } })
  const base = all.find(({ digest }) => `"${digest}"` === etag)
  if (base === undefined) return { versions: all, changes: [] }
  const query = { from: base.version }
  const { data } = await client.GET(`${api}/{id}/diff`, { params: { path, query } })
  return {
    versions: all.filter(({ version }) => version > base.version),
    changes: data?.changes ?? [],
  }
}
