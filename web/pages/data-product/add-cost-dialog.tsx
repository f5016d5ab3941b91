import { useState } from 'react'
import { client } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { useAction } from '../../shell/action.ts'
import { toNewCost, type CostDraft } from './cost-text.ts'

const FIELDS = ['name', 'amount', 'currency', 'yearMonth', 'category', 'description']

interface AddCostDialogProps {
  productId: string
  /** The currency of other costs of the product. */
  currency: string | undefined
  onClose: () => void
}

/** The form of a new cost. */
export function AddCostDialog({ productId, currency, onClose }: AddCostDialogProps) {
  const [draft, setDraft] = useState<CostDraft>({
    name: '',
    amount: '',
    currency: currency ?? 'EUR',
    yearMonth: '',
    category: '',
    description: '',
    estimated: false,
  })
  const create = useAction({
    request: () => client.POST('/api/costs', { body: toNewCost(draft, productId) }),
    onSuccess: onClose,
    notice: 'Cost added',
    refresh: ['/api/costs'],
  })
  return (
    <Dialog open onClose={onClose} title="Add cost">
      <Form label="Cost" problem={create.problem} fields={FIELDS} onSubmit={create.run}>
        <CostFields draft={draft} onChange={(patch) => setDraft({ ...draft, ...patch })} />
        <SubmitButton busy={create.isPending}>Add cost</SubmitButton>
      </Form>
    </Dialog>
  )
}

interface CostFieldsProps {
  draft: CostDraft
  onChange: (patch: Partial<CostDraft>) => void
}

function CostFields({ draft, onChange }: CostFieldsProps) {
  const control = (field: Exclude<keyof CostDraft, 'estimated'>) => ({
    field,
    value: draft[field],
    onChange: (value: string) => onChange({ [field]: value }),
    autoComplete: 'off',
  })
  return (
    <>
      <TextField label="Name" required maxLength={200} {...control('name')} />
      <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-3">
        <TextField label="Amount" required type="number" step="any" {...control('amount')} />
        <TextField label="Currency" required maxLength={20} {...control('currency')} />
      </div>
      <TextField
        label="Month"
        hint="Leave empty for a cost that recurs every month."
        optional
        type="month"
        placeholder="2026-01"
        className="max-w-64"
        {...control('yearMonth')}
      />
      <TextField
        label="Category"
        optional
        maxLength={200}
        placeholder="Compute"
        {...control('category')}
      />
      <TextField label="Description" optional maxLength={2000} {...control('description')} />
      <Checkbox
        label="The amount is estimated"
        checked={draft.estimated}
        onChange={({ target }) => onChange({ estimated: target.checked })}
      />
    </>
  )
}
