import { useQuery } from '@tanstack/react-query'
import { ShoppingBasket } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { agreementQuery } from '../../documents/access/access-queries.ts'
import { today } from '../../documents/access/access-words.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import {
  isInBasket,
  putIntoBasket,
  removeFromBasket,
  useBasket,
  type BasketItem,
} from '../../shell/access-basket.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { Outcomes, type RequestedPort } from './outcomes.tsx'
import { RequestForm } from './request-form.tsx'
import { NO_REQUEST, type AccessRequestDraft } from './request-draft.ts'

const URL_STATE = { product: '', port: '', renews: '' }

/** Requests access to the output ports in the basket. */
export function RequestAccessPage() {
  const [{ product, port, renews }] = useUrlState(URL_STATE)
  const basket = useBasket()
  const [requested, setRequested] = useState<readonly RequestedPort[]>()
  // A renewal is a request of its own: it neither joins the basket nor takes it along.
  const isNamed = product !== '' && port !== '' && renews === ''
  const named = { productId: product, port }
  const isDone = requested !== undefined
  useEffect(() => {
    const one = { productId: product, port }
    if (isNamed && !isDone && !isInBasket(basket, one)) putIntoBasket({ ...one, roles: [] })
    // Only the address adds a port: one that is removed from the basket stays removed.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [product, port, isNamed])
  const renewed = useQuery({ ...agreementQuery(renews), enabled: renews !== '' })
  if (requested !== undefined) {
    return (
      <Page title="Request access" width="reading">
        <Outcomes requested={requested} onRetry={() => setRequested(undefined)} />
      </Page>
    )
  }
  const isEmpty = renews === '' && basket.length === 0 && !(isNamed && isInBasket(basket, named))
  return (
    <Page title="Request access" width="reading">
      {isEmpty ? (
        <Empty
          icon={ShoppingBasket}
          title="No output port chosen"
          action={<Link href={paths.dataProducts}>See all data products</Link>}
        >
          Open a data product and choose "Request access" on one of its output ports. You can
          request several ports together.
        </Empty>
      ) : renews === '' ? (
        <RequestForm
          items={basket}
          onChangeItem={putIntoBasket}
          onRemoveItem={removeFromBasket}
          initial={NO_REQUEST}
          onDone={setRequested}
        />
      ) : (
        <Loaded query={renewed} skeleton={{ lines: 8 }}>
          {(agreement) => (
            <RenewalForm key={agreement.id} agreement={agreement} onDone={setRequested} />
          )}
        </Loaded>
      )}
    </Page>
  )
}

interface RenewalFormProps {
  agreement: Schemas['AgreementDetails']
  onDone: (requested: readonly RequestedPort[]) => void
}

function RenewalForm({ agreement, onDone }: RenewalFormProps) {
  const { id, productId, port, roles } = agreement
  const [item, setItem] = useState<BasketItem>({ productId, port, roles })
  return (
    <RequestForm
      items={[item]}
      onChangeItem={setItem}
      initial={toRenewal(agreement)}
      draftKey={id}
      onDone={onDone}
    />
  )
}

// A renewal begins when the agreement ends.
function toRenewal(agreement: Schemas['AgreementDetails']): AccessRequestDraft {
  const { consumerType, consumerTeam, consumerProduct, purpose, endOn } = agreement
  const start = endOn !== null && endOn > today() ? endOn : ''
  const consumer =
    consumerType === 'team' ? 'team' : consumerType === 'dataproduct' ? 'product' : 'me'
  return {
    consumer,
    team: consumerType === 'team' ? (consumerTeam ?? '') : '',
    product: consumerProduct ?? '',
    purpose,
    start,
    last: '',
  }
}
