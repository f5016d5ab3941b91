import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, client } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { may, useSession } from '../../api/session.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { OutsideLink } from '../../parts/link.tsx'
import { Empty } from '../../parts/notice.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Panel } from '../../parts/page.tsx'
import { Tag } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { AddCostDialog } from './add-cost-dialog.tsx'
import { formatAmount, formatMonth, sortCosts, type Cost } from './cost-text.ts'

const SHOWN_MAX = 12

interface CostsPanelProps {
  productId: string
  /** The id of the owning team. */
  owner: string | undefined
}

/** The costs of a data product. Without costs, only people who may add one see it. */
export function CostsPanel({ productId, owner }: CostsPanelProps) {
  const session = useSession()
  const permit = may(session, 'RESOURCES_EDIT', owner ?? null)
  const query = { dataProductId: productId }
  const { data } = api.useQuery('get', '/api/costs', { params: { query } })
  const [isAdding, setAdding] = useState(false)
  const [deleting, setDeleting] = useState<Cost | undefined>(undefined)
  const [isLong, setLong] = useState(false)
  if (data === undefined || (data.length === 0 && !permit.allowed)) return null
  const costs = sortCosts(data)
  const shown = isLong ? costs : costs.slice(0, SHOWN_MAX)
  const add = (
    <Button look="quiet" className="-mr-3" icon={Plus} onClick={() => setAdding(true)}>
      Add cost
    </Button>
  )
  return (
    <Panel
      title="Costs"
      marks={costs.length || undefined}
      flush
      {...(permit.allowed ? { actions: add } : {})}
    >
      {costs.length === 0 ? (
        <Empty title="No costs yet">
          Add what the data product costs, for example compute and storage, or send it with the API.
        </Empty>
      ) : (
        <Table
          label="Costs of the data product"
          columns={permit.allowed ? [...COLUMNS, toDeleteColumn(setDeleting)] : COLUMNS}
          rows={shown}
          getKey={({ id }) => id ?? ''}
        />
      )}
      {costs.length > shown.length && (
        <p className="border-t border-line px-4 py-2">
          <Button onClick={() => setLong(true)}>Show all {numberText(costs.length)} costs</Button>
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

const COLUMNS: readonly Column<Cost>[] = [
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
        <span className="whitespace-nowrap">{formatMonth(cost)}</span>
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
    cell: (cost) => <span className="whitespace-nowrap">{formatAmount(cost)}</span>,
  },
]

function toDeleteColumn(onDelete: (cost: Cost) => void): Column<Cost> {
  return {
    title: 'Actions',
    isAction: true,
    cell: (cost) => (
      <IconButton
        label={`Delete ${cost.name}, ${formatMonth(cost)}`}
        icon={Trash2}
        onClick={() => onDelete(cost)}
      />
    ),
  }
}

function DeleteCostDialog({ cost, onClose }: { cost: Cost; onClose: () => void }) {
  const queries = useQueryClient()
  const showToast = useToast()
  const remove = useMutation({
    async mutationFn() {
      const params = { path: { id: cost.id ?? '' } }
      await client.DELETE('/api/costs/{id}', { params, parseAs: 'text' })
    },
    onSuccess() {
      showToast('Cost deleted')
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/api/costs'] }),
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the cost “${cost.name}”?`}
      action="Delete cost"
      danger
      busy={remove.isPending}
      problem={findProblem(remove)}
      onConfirm={() => remove.mutate()}
    >
      <p>
        {formatMonth(cost)}, {formatAmount(cost)}. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
