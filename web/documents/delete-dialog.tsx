import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asText, getField, valueAt } from '../../formats/text/value.ts'
import { client } from '../api/client.ts'
import { findProblem, type Problem } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Checkbox } from '../parts/field.tsx'
import { loadPart } from '../parts/lazy-part.ts'
import { Notice, ProblemNotice, Skeleton } from '../parts/notice.tsx'
import { capitalize } from '../parts/capitalize.ts'
import { allExcept, useAction } from '../shell/action.ts'
import { AffectedList } from './plan-view.tsx'
import { describeConsumers, toImpact, type Impact } from './affected.ts'
import type { DeletionEffectProps, DocumentKind } from './document-kind.ts'
import type { StoredText } from './stored-document.ts'
import type { Editing } from './use-editing.ts'

/** A document that can be deleted. */
export interface DeleteDocumentProps {
  editing: Editing
  id: string
  stored: StoredText
  /** Called before the page is left. */
  onDeleted: () => void
  /** Called after the text was changed to deprecate the document. */
  onDeprecated: () => void
}

/** Shows which data products read a document before it is deleted. */
export function DeleteDialog({
  editing,
  id,
  stored,
  onDeleted,
  onDeprecated,
  onClose,
}: DeleteDocumentProps & { onClose: () => void }) {
  const { kind } = editing
  const [isConfirmed, setConfirmed] = useState(false)
  const plan = useDeletionPlan(kind, id, stored.etag)
  const options = { params: { path: { id } }, headers: { 'if-match': stored.etag } }
  const remove = useAction({
    request: () => client.DELETE(`${kind.api}/{id}`, { ...options, parseAs: 'text' }),
    onSuccess: onDeleted,
    notice: `${capitalize(kind.called)} deleted`,
    goTo: kind.list.href,
    forget: ['document', kind.api, id],
    // This page is shown until the next one is ready: it must not request the deleted document.
    refresh: allExcept(id),
  })
  const impact = plan.data && toImpact(plan.data.affected)
  const problem = remove.problem ?? findProblem(plan)
  const hasReaders = impact !== undefined && impact.consumers.length > 0
  return (
    <Dialog open onClose={onClose} title={`Delete ${kind.called} ${id}?`}>
      {plan.isPending && <Skeleton label="Checking which data products read it" />}
      {impact !== undefined && (
        <Readers kind={kind} id={id} impact={impact} usedBy={plan.data?.usedBy} />
      )}
      {problem?.inUse === undefined && (
        <p className="text-muted">
          It disappears from search and lists. Its versions are kept, and you can restore it.{' '}
          {kind.deletionNote}
        </p>
      )}
      {hasReaders && (
        <Checkbox
          checked={isConfirmed}
          onChange={({ target }) => setConfirmed(target.checked)}
          label={`I understand that this breaks ${describeConsumers(impact)}.`}
        />
      )}
      <ProblemNotice problem={problem} />
      <footer className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Deprecate editing={editing} onDeprecated={onDeprecated} onClose={onClose} />
        <Button
          look="danger"
          busy={remove.isPending}
          reason={findReason(impact, problem, hasReaders && !isConfirmed)}
          onClick={() => remove.run()}
        >
          Delete {kind.called}
        </Button>
      </footer>
    </Dialog>
  )
}

function findReason(
  impact: Impact | undefined,
  problem: Problem | undefined,
  isUnconfirmed: boolean,
): string | undefined {
  if (problem?.inUse !== undefined) return 'It is still in use.'
  if (impact === undefined && problem !== undefined) return problem.title
  if (impact === undefined) return 'Still checking which data products read it.'
  return isUnconfirmed ? 'Confirm that you know which data products this breaks.' : undefined
}

interface ReadersProps extends DeletionEffectProps {
  kind: DocumentKind
  impact: Impact
}

function Readers({ kind, id, impact, usedBy }: ReadersProps) {
  if (impact.consumers.length === 0) {
    if (kind.DeletionEffect !== undefined) {
      return <kind.DeletionEffect id={id} usedBy={usedBy} />
    }
    return <p>No registered data product reads this {kind.called}.</p>
  }
  return (
    <Notice tone="critical" title={`Breaks ${describeConsumers(impact)}`}>
      <AffectedList impact={impact} />
    </Notice>
  )
}

/** The way to announce the end of a document instead of deleting it. */
function Deprecate({
  editing,
  onDeprecated,
  onClose,
}: Pick<DeleteDocumentProps, 'editing' | 'onDeprecated'> & { onClose: () => void }) {
  const { kind, checked, permit, onEdit, writing } = editing
  const value = checked.result?.value
  if (value === undefined || kind.getPaths === undefined || permit !== undefined) return null
  const { status } = kind.getPaths(value)
  const isDeprecated = asText(valueAt(value, status))?.toLowerCase() === 'deprecated'
  if (isDeprecated || getField(value, 'deprecated') === true) return null
  const deprecate = async (): Promise<void> => {
    const { toDeprecation } = await loadPart(() => import('./to-deprecation.ts'))
    const isEdited = await onEdit(toDeprecation(kind.reader, writing.text, status))
    onClose()
    if (isEdited) onDeprecated()
  }
  return <Button onClick={() => void deprecate()}>Deprecate instead</Button>
}

function useDeletionPlan(kind: DocumentKind, id: string, etag: string) {
  return useQuery({
    queryKey: ['deletion-plan', kind.api, id, etag],
    async queryFn({ signal }) {
      const params = { path: { id }, query: { dryRun: true } }
      const options = { params, headers: { 'if-match': etag }, signal }
      const { data } = await client.DELETE(`${kind.api}/{id}`, options)
      if (data === undefined) throw new Error('the answer has no plan')
      return data
    },
    retry: false,
    // The readers may change while the dialog is closed.
    gcTime: 0,
  })
}
