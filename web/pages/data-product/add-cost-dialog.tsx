import { useState } from 'react'
import { client } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { useAction } from '../../shell/action.ts'
import { toNewCost, type CostDraft } from './cost-text.ts'

const AMOUNT_ROW = 'grid grid-cols-[minmax(0,1fr)_7rem] gap-3'

const FIELDS: readonly FieldRecord<keyof CostDraft>[] = [
  { name: 'name', title: 'Name', control: { required: true, maxLength: 200, autoComplete: 'off' } },
  {
    name: 'amount',
    title: 'Amount',
    row: AMOUNT_ROW,
    control: { required: true, type: 'number', step: 'any', autoComplete: 'off' },
  },
  {
    name: 'currency',
    title: 'Currency',
    row: AMOUNT_ROW,
    control: { required: true, maxLength: 20, autoComplete: 'off' },
  },
  {
    name: 'yearMonth',
    title: 'Month',
    hint: 'Leave empty for a cost that recurs every month.',
    optional: true,
    className: 'max-w-64',
    control: { type: 'month', placeholder: '2026-01', autoComplete: 'off' },
  },
  {
    name: 'category',
    title: 'Category',
    optional: true,
    control: { maxLength: 200, placeholder: 'Compute', autoComplete: 'off' },
  },
  {
    name: 'description',
    title: 'Description',
    optional: true,
    control: { maxLength: 2000, autoComplete: 'off' },
  },
  { name: 'estimated', kind: 'yes-no', title: 'The amount is estimated' },
]

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
      <InputForm
        label="Cost"
        fields={FIELDS}
        values={draft}
        onChange={setDraft}
        problem={create.problem}
        busy={create.isPending}
        action="Add cost"
        onSubmit={create.run}
      />
    </Dialog>
  )
}
