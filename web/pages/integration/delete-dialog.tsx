import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Radio } from '../../parts/field.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { useTell } from '../../parts/toast.tsx'
import { numberText } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import type { IntegrationForm } from './integration-draft.ts'
import { useAssetCount } from './use-integration.ts'

type Assets = 'keep' | 'delete'

interface DeleteProps {
  form: IntegrationForm
  open: boolean
  onClose: () => void
}

/** Deletes an integration, and asks what becomes of its assets. */
export function DeleteDialog({ form, open, onClose }: DeleteProps) {
  const { externalId, name, latestRun } = form
  const [assets, setAssets] = useState<Assets>('keep')
  const count = useAssetCount(externalId)
  const router = useRouter()
  const queries = useQueryClient()
  const tell = useTell()
  const remove = api.useMutation('delete', '/ui/integrations/{externalId}', {
    async onSuccess() {
      tell('The integration is deleted')
      router.history.push(paths.integrations)
      await queries.invalidateQueries({
        // Of what is gone nothing more is asked.
        predicate: ({ queryKey }) => !JSON.stringify(queryKey).includes(JSON.stringify(externalId)),
      })
    },
  })
  const isRunning = latestRun?.status === 'RUNNING'
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Delete ${name}?`}
      description="Its configuration, its secrets and the list of its runs are gone for good."
    >
      {isRunning && (
        <Notice tone="caution" title="A run is in progress">
          Wait for its end, or cancel it first.
        </Notice>
      )}
      <AssetsChoice count={count} chosen={assets} onChoose={setAssets} />
      {remove.error !== null && <ProblemNotice problem={problemOf(remove.error)} />}
      <footer className="flex justify-end gap-2">
        <Button onClick={onClose}>Keep the integration</Button>
        <Button
          look="danger"
          busy={remove.isPending}
          reason={isRunning ? 'A run is in progress.' : undefined}
          onClick={() => remove.mutate({ params: { path: { externalId }, query: { assets } } })}
        >
          {assets === 'keep' ? 'Delete the integration' : 'Delete it with its assets'}
        </Button>
      </footer>
    </Dialog>
  )
}

interface ChoiceProps {
  /** Undefined = not known yet. */
  count: number | undefined
  chosen: Assets
  onChoose: (assets: Assets) => void
}

function AssetsChoice({ count, chosen, onChoose }: ChoiceProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-medium">
        {count === undefined ? 'Its assets' : `Its ${numberText(count)} assets`}
      </legend>
      <Radio
        name="assets"
        label="Keep them"
        hint="They become ordinary assets, with their history and what people wrote about them; programs may change and delete them."
        checked={chosen === 'keep'}
        onChange={() => onChoose('keep')}
      />
      <Radio
        name="assets"
        label="Delete them too"
        hint="They disappear from lists and search. This cannot be undone here, because the runs are gone as well."
        checked={chosen === 'delete'}
        onChange={() => onChoose('delete')}
      />
    </fieldset>
  )
}
