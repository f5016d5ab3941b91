import { useQuery } from '@tanstack/react-query'
import { FileKey2, Link2Off, ShoppingBasket } from 'lucide-react'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { agreementQuery, portQuery } from '../../documents/access/access-queries.ts'
import { today } from '../../documents/access/access-words.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { isSamePort, useBasket, type BasketItem } from '../../shell/access-basket.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { Outcomes, type RequestedPort } from './outcomes.tsx'
import { RequestForm } from './request-form.tsx'
import { NO_REQUEST, type AccessRequestDraft } from './request-draft.ts'

const URL_STATE = { product: '', port: '', renews: '' }

/** Requests access to the output port of the address, or to those in the basket. */
export function RequestAccessPage() {
  const [address] = useUrlState(URL_STATE)
  // Another address is another request.
  return (
    <Page title="Request access" width="reading">
      <AccessRequest key={JSON.stringify(address)} {...address} />
    </Page>
  )
}

function AccessRequest({ product, port, renews }: typeof URL_STATE) {
  const [requested, setRequested] = useState<readonly RequestedPort[]>()
  const [failed, setFailed] = useState<readonly BasketItem[]>()
  if (requested !== undefined) {
    const retry = (): void => {
      const failures = requested.filter(({ outcome }) => outcome.problem !== null)
      setFailed(failures.map(({ item }) => item))
      setRequested(undefined)
    }
    return <Outcomes requested={requested} onRetry={retry} />
  }
  if (renews !== '') return <Renewal id={renews} onDone={setRequested} />
  if (product !== '' && port !== '') {
    return <NamedPort productId={product} port={port} failed={failed} onDone={setRequested} />
  }
  if (product === '' && port === '') return <Basket onDone={setRequested} />
  return <IncompleteLink productId={product} />
}

type OnDone = (requested: readonly RequestedPort[]) => void

interface NamedPortProps extends BasketItem {
  /** The ports of the last request that failed: only they are requested again. */
  failed: readonly BasketItem[] | undefined
  onDone: OnDone
}

/** Requests the output port of the address, and those in the basket only if the person adds them. */
function NamedPort({ productId, port, failed, onDone }: NamedPortProps) {
  const basket = useBasket()
  const [isAdded, setAdded] = useState(false)
  const query = useQuery(portQuery(productId, port))
  return (
    <Loaded
      query={query}
      skeleton={{ lines: 8, label: 'Loading the output port' }}
      missing={<UnknownPort productId={productId} error={query.error} />}
    >
      {(found) => {
        const item = { productId: found.productId, port: found.port.id }
        const others = basket.filter((one) => !isSamePort(one, item))
        return (
          <RequestForm
            items={failed ?? (isAdded ? [item, ...others] : [item])}
            removable={others}
            basket={failed === undefined ? { items: others, isAdded, setAdded } : undefined}
            initial={NO_REQUEST}
            draftKey={JSON.stringify(item)}
            onDone={onDone}
          />
        )
      }}
    </Loaded>
  )
}

/** Requests the output ports in the basket; those that failed stay in it. */
function Basket({ onDone }: { onDone: OnDone }) {
  const basket = useBasket()
  if (basket.length === 0) {
    return (
      <Empty
        icon={ShoppingBasket}
        title="The basket is empty"
        action={<Link href={paths.dataProducts}>See all data products</Link>}
      >
        Open a data product and choose "Request access" on one of its output ports. To request
        several ports together, add each of them to the basket.
      </Empty>
    )
  }
  return (
    <RequestForm
      items={basket}
      removable={basket}
      initial={NO_REQUEST}
      draftKey="basket"
      onDone={onDone}
    />
  )
}

interface UnknownPortProps {
  productId: string
  error: unknown
}

function UnknownPort({ productId, error }: UnknownPortProps) {
  const product = api.useQuery('get', '/api/dataproducts/{id}/contracts', {
    params: { path: { id: productId } },
  })
  return (
    <Empty
      icon={Link2Off}
      title="Output port not found"
      action={
        <span className="flex flex-wrap justify-center gap-2">
          {product.data !== undefined && (
            <ButtonLink href={paths.dataProduct(productId)}>Open the data product</ButtonLink>
          )}
          <ButtonLink href={paths.dataProducts}>See all data products</ButtonLink>
        </span>
      }
    >
      <span className="user-text">{toProblem(error).message}</span>
    </Empty>
  )
}

function IncompleteLink({ productId }: { productId: string }) {
  const isProduct = productId !== ''
  return (
    <Empty
      icon={Link2Off}
      title="This link is incomplete"
      action={
        <ButtonLink href={isProduct ? paths.dataProduct(productId) : paths.dataProducts}>
          {isProduct ? 'Choose an output port' : 'See all data products'}
        </ButtonLink>
      }
    >
      {isProduct
        ? 'It names a data product, but none of its output ports. Choose the one that you need.'
        : 'It names an output port, but no data product. Choose the data product that you need.'}
    </Empty>
  )
}

/** Requests the access of an agreement again. */
function Renewal({ id, onDone }: { id: string; onDone: OnDone }) {
  const renewed = useQuery(agreementQuery(id))
  return (
    <Loaded
      query={renewed}
      skeleton={{ lines: 8 }}
      missing={
        <Empty
          icon={FileKey2}
          title="Agreement not found"
          action={<Link href={paths.myData()}>Open My data</Link>}
        >
          The agreement to renew may have been deleted, or it belongs to another organization.
        </Empty>
      }
    >
      {(agreement) => (
        <RequestForm
          items={[{ productId: agreement.productId, port: agreement.port }]}
          removable={[]}
          initial={toRenewal(agreement)}
          draftKey={`renewal:${id}`}
          onDone={onDone}
        />
      )}
    </Loaded>
  )
}

// A renewal begins when the agreement ends.
function toRenewal(agreement: Schemas['AgreementDetails']): AccessRequestDraft {
  const { productId, port, roles } = agreement
  const { consumerType, consumerTeam, consumerProduct, purpose, endOn } = agreement
  const consumer =
    consumerType === 'team' ? 'team' : consumerType === 'dataproduct' ? 'product' : 'me'
  return {
    ...NO_REQUEST,
    consumer,
    team: consumerType === 'team' ? (consumerTeam ?? '') : '',
    product: consumerProduct ?? '',
    purpose,
    start: endOn !== null && endOn > today() ? endOn : '',
    choices: [{ productId, port, roles, purpose: '' }],
  }
}
