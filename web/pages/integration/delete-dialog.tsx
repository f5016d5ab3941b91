import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { RadioGroup } from '../../parts/field.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { useToast } from '../../parts/toast.tsx'
import { countText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'
import type { IntegrationForm } from './integration-draft.ts'
import { useAssetCount } from './use-integration.ts'

type Assets = 'keep' | 'delete'

const CHOICES = [
  {
    value: 'keep',
    label: 'Keep the assets',
    hint: 'They stay with their history and annotations, without an integration. The API can change and delete them.',
  },
  {
    value: 'delete',
    label: 'Delete the assets too',
    hint: 'They disappear from lists and search. This cannot be undone.',
  },
] as const

interface DeleteProps {
  form: IntegrationForm
  open: boolean
  onClose: () => void
}

/** Deletes an integration, with or without its assets. */
export function DeleteDialog({ form, open, onClose }: DeleteProps) {
  const { externalId, name, latestRun } = form
  const [assets, setAssets] = useState<Assets>('keep')
  const count = useAssetCount(externalId)
  const router = useRouter()
  const queries = useQueryClient()
  const showToast = useToast()
  const remove = api.useMutation('delete', '/ui/integrations/{externalId}', {
    async onSuccess() {
      showToast('Integration deleted')
      router.history.push(paths.integrations)
      await queries.invalidateQueries({
        // Data of the deleted integration is not requested again.
        predicate: ({ queryKey }) => !JSON.stringify(queryKey).includes(JSON.stringify(externalId)),
      })
    },
  })
  const problem = findProblem(remove)
  const isRunning = latestRun?.status === 'RUNNING'
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Delete ${name}?`}
      description="This permanently deletes its configuration, its secrets and its runs."
    >
      {isRunning && (
        <Notice tone="caution" title="A run is in progress">
          Wait until it ends, or cancel it first.
        </Notice>
      )}
      <RadioGroup
        label={count === undefined ? 'Assets' : countText(count, 'asset')}
        name="assets"
        value={assets}
        options={CHOICES}
        onChange={setAssets}
      />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <footer className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          busy={remove.isPending}
          reason={isRunning ? 'A run is in progress.' : undefined}
          onClick={() => remove.mutate({ params: { path: { externalId }, query: { assets } } })}
        >
          {assets === 'keep' ? 'Delete integration' : 'Delete integration and assets'}
        </Button>
      </footer>
    </Dialog>
  )
}
