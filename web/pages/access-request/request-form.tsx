import { client, readBody } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { ACCESS_DATA } from '../../documents/access/access-queries.ts'
import { today } from '../../documents/access/access-words.ts'
import { FormFields, PAIR, type FieldRecord } from '../../parts/form-fields.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { isInBasket, removeFromBasket, type BasketItem } from '../../shell/access-basket.ts'
import { useAction } from '../../shell/action.ts'
import { useDraft } from '../../shell/draft.ts'
import { BasketOffer, type OfferedBasket } from './basket-offer.tsx'
import { ConsumerField } from './consumer-field.tsx'
import { NextSteps } from './next-steps.tsx'
import type { RequestedPort } from './outcomes.tsx'
import { PortCard } from './port-card.tsx'
import { usePorts, type LoadedPort } from './port-names.ts'
import { PurposeFields } from './purpose-fields.tsx'
import {
  changeChoice,
  getChoice,
  getConsumer,
  toForm,
  type AccessRequestDraft,
} from './request-draft.ts'

const DATES: readonly FieldRecord<keyof AccessRequestDraft>[] = [
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

type OnDone = (requested: readonly RequestedPort[]) => void

interface RequestFormProps {
  items: readonly BasketItem[]
  /** The ports that can be removed: those in the basket. */
  removable: readonly BasketItem[]
  basket?: OfferedBasket | undefined
  initial: AccessRequestDraft
  /** Distinguishes the drafts: what was typed for one port does not appear in the request of another. */
  draftKey: string
  onDone: OnDone
}

/** The form of a request: the output ports, and what they share. */
export function RequestForm(props: RequestFormProps) {
  const { items, removable, basket, initial, draftKey, onDone } = props
  const { value, set, discard } = useDraft(`request:${draftKey}`, initial)
  const consumer = getConsumer(value)
  const ports = usePorts(items, consumer)
  const finish: OnDone = (requested) => {
    if (requested.every(({ outcome }) => outcome.problem === null)) discard()
    onDone(requested)
  }
  const request = useSending({ draft: value, items, ports, onDone: finish })
  const count = items.length
  const purposes = items.map((_, at) => `ports.${at}.purpose`)
  return (
    <Form
      label="Request access"
      problem={request.problem}
      fields={['purpose', 'startDate', 'endDate', 'consumer', ...purposes]}
      onSubmit={request.run}
    >
      <Panel
        flush
        title="Output ports"
        marks={count}
        actions={
          basket === undefined &&
          removable.length > 0 && (
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
              choice={getChoice(value, item)}
              consumer={consumer}
              onChange={(choice) => set(changeChoice(value, choice))}
              onRemove={isInBasket(removable, item) ? () => removeFromBasket(item) : undefined}
            />
          ))}
        </ul>
        <BasketOffer basket={basket} />
      </Panel>
      <Panel title="Request">
        <div className="grid gap-4">
          <ConsumerField draft={value} onChange={(patch) => set({ ...value, ...patch })} />
          <PurposeFields draft={value} items={items} ports={ports} onChange={set} />
          <DateFields draft={value} onChange={set} />
        </div>
      </Panel>
      <NextSteps ports={ports} />
      <SubmitButton busy={request.isPending}>
        {count === 1 ? 'Request access' : `Request access to ${count} ports`}
      </SubmitButton>
    </Form>
  )
}

interface DateFieldsProps {
  draft: AccessRequestDraft
  onChange: (draft: AccessRequestDraft) => void
}

function DateFields({ draft, onChange }: DateFieldsProps) {
  return (
    <FormFields
      fields={DATES}
      values={draft}
      onChange={onChange}
      overrides={{
        start: { control: { min: today() } },
        last: { control: { min: draft.start || today() } },
      }}
    />
  )
}

interface Sending {
  draft: AccessRequestDraft
  items: readonly BasketItem[]
  ports: readonly LoadedPort[]
  onDone: OnDone
}

// Only what was sent leaves the basket.
function useSending({ draft, items, ports, onDone }: Sending) {
  const { user } = useSession()
  return useAction({
    async request() {
      const body = toForm(draft, items, user.id)
      const outcomes = await readBody(client.POST('/ui/access-requests', { body }))
      return items.flatMap((item, at): RequestedPort[] => {
        const outcome = outcomes[at]
        return outcome === undefined ? [] : [{ item, outcome, found: ports[at] }]
      })
    },
    onSuccess(requested) {
      for (const { item, outcome } of requested) {
        if (outcome.problem === null) removeFromBasket(item)
      }
      onDone(requested)
    },
    refresh: ACCESS_DATA,
  })
}
