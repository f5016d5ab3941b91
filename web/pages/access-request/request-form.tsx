import { useQueries } from '@tanstack/react-query'
import { client, readBody } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { ACCESS_DATA, portQuery } from '../../documents/access/access-queries.ts'
import { today } from '../../documents/access/access-words.ts'
import { FormFields, PAIR, type FieldRecord } from '../../parts/form-fields.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import type { BasketItem } from '../../shell/access-basket.ts'
import { useAction } from '../../shell/action.ts'
import { useDraft } from '../../shell/draft.ts'
import { ConsumerField } from './consumer-field.tsx'
import type { RequestedPort } from './outcomes.tsx'
import { PortCard } from './port-card.tsx'
import { PURPOSE_CHARACTERS_MAX, toForm, type AccessRequestDraft } from './request-draft.ts'

const FIELDS: readonly FieldRecord<keyof AccessRequestDraft>[] = [
  { name: 'consumer', title: 'Access for' },
  {
    name: 'purpose',
    kind: 'long-text',
    title: 'Purpose',
    hint: 'What the data is used for. The owning team decides by it, and it stays with the agreement.',
    control: { required: true, maxLength: PURPOSE_CHARACTERS_MAX },
  },
  {
    name: 'start',
    title: 'First day',
    hint: 'Empty: from the decision on',
    optional: true,
    field: 'startDate',
    row: PAIR,
    control: { type: 'date' },
  },
  {
    name: 'last',
    title: 'Last day',
    hint: 'Empty: no end',
    optional: true,
    field: 'endDate',
    row: PAIR,
    control: { type: 'date' },
  },
]

interface RequestFormProps {
  items: readonly BasketItem[]
  onChangeItem: (item: BasketItem) => void
  /** Undefined = the request is for these ports only. */
  onRemoveItem?: (item: BasketItem) => void
  initial: AccessRequestDraft
  /** Distinguishes the drafts of renewals. */
  draftKey?: string
  onDone: (requested: readonly RequestedPort[]) => void
}

/** The form of a request: the output ports, and what they share. */
export function RequestForm(props: RequestFormProps) {
  const { items, onChangeItem, onRemoveItem, initial, draftKey = '', onDone } = props
  const { user } = useSession()
  const { value, set, discard } = useDraft(`access-request:${draftKey}`, initial)
  const request = useAction({
    request: () => sendRequest(items, toForm(value, items, user.id)),
    onSuccess(requested) {
      const successes = requested.filter(({ outcome }) => outcome.problem === null)
      for (const { item } of successes) onRemoveItem?.(item)
      if (successes.length === requested.length) discard()
      onDone(requested)
    },
    refresh: ACCESS_DATA,
  })
  const count = items.length
  return (
    <Form
      label="Request access"
      problem={request.problem}
      fields={['purpose', 'startDate', 'endDate', 'consumer']}
      onSubmit={request.run}
    >
      <Panel
        flush
        title="Output ports"
        marks={count}
        actions={
          onRemoveItem !== undefined && (
            <Link href={paths.dataProducts} className="text-sm">
              Add another one
            </Link>
          )
        }
      >
        <ul className="divide-y divide-line">
          {items.map((item) => (
            <PortCard
              key={`${item.productId} ${item.port}`}
              item={item}
              onChange={onChangeItem}
              onRemove={onRemoveItem && (() => onRemoveItem(item))}
            />
          ))}
        </ul>
      </Panel>
      <Panel title="Request">
        <SharedFields draft={value} onChange={set} />
      </Panel>
      <NextSteps items={items} />
      <SubmitButton busy={request.isPending}>
        {count === 1 ? 'Request access' : `Request access to ${count} ports`}
      </SubmitButton>
    </Form>
  )
}

async function sendRequest(
  items: readonly BasketItem[],
  body: ReturnType<typeof toForm>,
): Promise<RequestedPort[]> {
  const outcomes = await readBody(client.POST('/ui/access-requests', { body }))
  return items.flatMap((item, at) => {
    const outcome = outcomes[at]
    return outcome === undefined ? [] : [{ item, outcome }]
  })
}

interface SharedFieldsProps {
  draft: AccessRequestDraft
  onChange: (draft: AccessRequestDraft) => void
}

/** The fields that all output ports of a request share: the consumer, the purpose and the dates. */
function SharedFields({ draft, onChange }: SharedFieldsProps) {
  const change = (patch: Partial<AccessRequestDraft>): void => onChange({ ...draft, ...patch })
  return (
    <div className="grid gap-4">
      <FormFields
        fields={FIELDS}
        values={draft}
        onChange={onChange}
        overrides={{
          start: { control: { min: today() } },
          last: { control: { min: draft.start || today() } },
        }}
        inputs={{ consumer: <ConsumerField draft={draft} onChange={change} /> }}
      />
    </div>
  )
}

/** The steps after the request. */
function NextSteps({ items }: { items: readonly BasketItem[] }) {
  const ports = useQueries({
    queries: items.map(({ productId, port }) => portQuery(productId, port)),
  })
  const loaded = ports.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const isAtOnce = loaded.some(({ port }) => port.isAutoApproved)
  const isDecided = loaded.some(({ port }) => !port.isAutoApproved)
  if (loaded.length === 0) return null
  return (
    <section aria-labelledby="next-steps" className="grid gap-1 text-muted">
      <h2 id="next-steps" className="text-base text-ink">
        What happens next
      </h2>
      <ul className="list-disc pl-5">
        {isAtOnce && <li>Ports that are granted at once are active from the first day.</li>}
        {isDecided && (
          <li>
            The owning team approves or rejects the request, and may change its dates and roles. You
            see the decision and its reason in My data.
          </li>
        )}
        {items.length > 1 && <li>Each output port becomes an agreement of its own.</li>}
        <li>Approved access is set up by the connectors of the platform.</li>
      </ul>
    </section>
  )
}
