import { useState } from 'react'
import { client } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { RadioGroup } from '../../parts/field.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'
import { allExcept, useAction } from '../../shell/action.ts'
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
  const remove = useAction({
    request: () =>
      client.DELETE('/ui/integrations/{externalId}', {
        params: { path: { externalId }, query: { assets } },
      }),
    notice: 'Integration deleted',
    goTo: paths.integrations,
    // Data of the deleted integration is not requested again.
    refresh: allExcept(externalId),
  })
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
      <ProblemNotice problem={remove.problem} />
      <footer className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          busy={remove.isPending}
          reason={isRunning ? 'A run is in progress.' : undefined}
          onClick={() => remove.run()}
        >
          {assets === 'keep' ? 'Delete integration' : 'Delete integration and assets'}
        </Button>
      </footer>
    </Dialog>
  )
}
