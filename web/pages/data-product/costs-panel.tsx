import { Plus, ReceiptText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { Empty } from '../../parts/notice.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Panel } from '../../parts/page.tsx'
import { Tag } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { ActionDialog } from '../../shell/action-dialog.tsx'
import { useAction } from '../../shell/action.ts'
import type { ProductCost } from './cost-series.ts'
import { describeAmount, describeMonth, sortCosts, toNewCost, type CostDraft } from './cost-text.ts'

const STEP = 50

interface CostsPanelProps {
  productId: string
  /** The id of the owning team. */
  owner: string | undefined
  costs: readonly ProductCost[]
}

/** All costs of a data product in a table, in which people who may do so add and delete them. */
export function CostsPanel({ productId, owner, costs }: CostsPanelProps) {
  const permit = may(useSession(), 'DATAPRODUCT_EDIT', owner ?? null)
  const [isAdding, setAdding] = useState(false)
  const [deleting, setDeleting] = useState<ProductCost | undefined>(undefined)
  const [max, setMax] = useState(STEP)
  const rest = costs.length - max
  return (
    <Panel
      title="All costs"
      marks={costs.length === 0 ? undefined : numberText(costs.length)}
      flush
      actions={
        <Button
          look="quiet"
          className="-mr-3"
          icon={Plus}
          reason={permit.reason}
          onClick={() => setAdding(true)}
        >
          Add cost
        </Button>
      }
    >
      {costs.length === 0 ? (
        <Empty icon={ReceiptText} title="No costs yet">
          Add what the data product costs, for example compute and storage, or send it with{' '}
          <code>POST /api/costs</code>.
        </Empty>
      ) : (
        <Table
          label="All costs"
          columns={permit.allowed ? [...COLUMNS, toDeleteColumn(setDeleting)] : COLUMNS}
          rows={sortCosts(costs).slice(0, max)}
          getKey={({ id }) => id ?? ''}
        />
      )}
      {rest > 0 && (
        <p className="px-4 py-3">
          <Button onClick={() => setMax(max + STEP)}>Show {Math.min(rest, STEP)} more</Button>
          <span className="ml-3 text-muted">{numberText(rest)} are not shown yet.</span>
        </p>
      )}
      {isAdding && (
        <AddCostDialog
          productId={productId}
          currency={costs[0]?.currency}
          onClose={() => setAdding(false)}
        />
      )}
      {deleting !== undefined && (
        <DeleteCostDialog cost={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </Panel>
  )
}

const COLUMNS: readonly Column<ProductCost>[] = [
  {
    title: 'Cost',
    cell: (cost) => (
      <>
        <span className="user-text">
          {cost.link ? <OutsideLink href={cost.link}>{cost.name}</OutsideLink> : cost.name}
        </span>
        {cost.description && (
          <p className="user-text line-clamp-2 text-sm text-muted">{cost.description}</p>
        )}
      </>
    ),
  },
  {
    title: 'Month',
    cell: (cost) => (
      <>
        <span className="whitespace-nowrap">{describeMonth(cost)}</span>
        {cost.estimated === true && <span className="text-sm text-muted"> estimated</span>}
      </>
    ),
  },
  {
    title: 'Category',
    cell: ({ category }) =>
      category ? <Tag>{category}</Tag> : <span className="text-faint">–</span>,
  },
  {
    title: 'Amount',
    align: 'right',
    cell: (cost) => <span className="whitespace-nowrap">{describeAmount(cost)}</span>,
  },
]

function toDeleteColumn(onDelete: (cost: ProductCost) => void): Column<ProductCost> {
  return {
    title: 'Actions',
    isAction: true,
    cell: (cost) => (
      <IconButton
        label={`Delete ${cost.name}, ${describeMonth(cost)}`}
        icon={Trash2}
        onClick={() => onDelete(cost)}
      />
    ),
  }
}

function DeleteCostDialog({ cost, onClose }: { cost: ProductCost; onClose: () => void }) {
  const params = { path: { id: cost.id ?? '' } }
  return (
    <ActionDialog
      title={`Delete the cost "${cost.name}"?`}
      button="Delete cost"
      danger
      request={() => client.DELETE('/api/costs/{id}', { params, parseAs: 'text' })}
      notice="Cost deleted"
      refresh={['/api/costs']}
      refreshAfterError={['/api/costs']}
      onClose={onClose}
    >
      <p>
        {describeMonth(cost)}, {describeAmount(cost)}. This cannot be undone.
      </p>
    </ActionDialog>
  )
}

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
function AddCostDialog({ productId, currency, onClose }: AddCostDialogProps) {
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
        sending={create}
        action="Add cost"
        onSubmit={create.run}
      />
    </Dialog>
  )
}
