import { useQuery } from '@tanstack/react-query'
import { Ellipsis, KeyRound, ShoppingBasket } from 'lucide-react'
import type { ReactElement } from 'react'
import type { OutputPort } from '../../../formats/data-product/data-product.ts'
import { summariesQuery, type AccessSummary } from '../../documents/access/access-queries.ts'
import { Button, ButtonLink, IconButton } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { Status } from '../../parts/status.tsx'
import { paths } from '../../paths.ts'
import {
  addToBasket,
  BASKET_MAX,
  isInBasket,
  removeFromBasket,
  useBasket,
} from '../../shell/access-basket.ts'
import { useRouter } from '@tanstack/react-router'

interface PortAccessProps {
  productId: string
  port: OutputPort
}

/** A person's access to an output port, or the buttons that request it. */
export function PortAccess({ productId, port }: PortAccessProps) {
  const { data } = useQuery(summariesQuery([productId]))
  if (data === undefined) return <span className="text-faint">…</span>
  const open = data[0]?.mine.find((one) => one.port === port.id)
  if (open !== undefined) return <OpenAccess open={open} />
  if (data[0]?.isOwn === true) return <OwnedByTeam id={productId} ports={[port]} />
  return (
    <span className="flex flex-wrap items-center gap-2">
      <ButtonLink icon={KeyRound} href={paths.requestAccess({ product: productId, port: port.id })}>
        Request access<span className="sr-only"> to {port.name}</span>
      </ButtonLink>
      <BasketButton productId={productId} port={port} />
    </span>
  )
}

function BasketButton({ productId, port }: PortAccessProps) {
  const basket = useBasket()
  const item = { productId, port: port.id }
  const isIn = isInBasket(basket, item)
  const word = isIn ? 'In the basket' : 'Add to basket'
  return (
    <Button
      look="quiet"
      icon={ShoppingBasket}
      aria-pressed={isIn}
      aria-label={`${word}: ${port.name}`}
      reason={
        isIn || basket.length < BASKET_MAX
          ? undefined
          : `The basket holds at most ${BASKET_MAX} output ports. Send its request first.`
      }
      onClick={() => (isIn ? removeFromBasket(item) : addToBasket(item))}
    >
      {word}
    </Button>
  )
}

/** A team has the data that it owns; another team or data product can still need an agreement. */
function OwnedByTeam({ id, ports }: ProductAccessProps) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Status tone="neutral">Owned by your team</Status>
      <PortMenu
        id={id}
        ports={ports}
        trigger={<IconButton label="Request access for another" icon={Ellipsis} />}
      />
    </span>
  )
}

const WORDS = {
  active: { tone: 'positive', word: 'You have access' },
  upcoming: { tone: 'positive', word: 'Access begins later' },
  requested: { tone: 'info', word: 'Requested' },
} as const

function OpenAccess({ open }: { open: AccessSummary['mine'][number] }) {
  const { tone, word } = WORDS[open.state]
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Status tone={tone}>{word}</Status>
      <Link href={paths.access(open.id)} className="flex min-h-6 items-center text-sm">
        Open the agreement
      </Link>
    </span>
  )
}

interface ProductAccessProps {
  id: string
  ports: readonly OutputPort[]
}

interface PortMenuProps extends ProductAccessProps {
  trigger: ReactElement
}

/** The output ports of a product, each with the request of access to it. */
function PortMenu({ id, ports, trigger }: PortMenuProps) {
  const router = useRouter()
  return (
    <Menu trigger={trigger}>
      {ports.map(({ key, id: port, name }) => (
        <MenuItem
          key={key}
          onSelect={() => router.history.push(paths.requestAccess({ product: id, port }))}
        >
          Request access to {name}
        </MenuItem>
      ))}
    </Menu>
  )
}

interface ProductRequestProps extends ProductAccessProps {
  look: 'primary' | 'secondary'
}

/** The button that requests access to one of the output ports of a product. */
function ProductRequest({ id, ports: [first, ...others], look }: ProductRequestProps) {
  if (first === undefined) return null
  if (others.length === 0) {
    return (
      <ButtonLink
        look={look}
        icon={KeyRound}
        href={paths.requestAccess({ product: id, port: first.id })}
      >
        Request access
      </ButtonLink>
    )
  }
  return (
    <PortMenu
      id={id}
      ports={[first, ...others]}
      trigger={
        <Button look={look} icon={KeyRound}>
          Request access
        </Button>
      }
    />
  )
}

interface ProductAccessStateProps extends ProductAccessProps {
  /** Whether the product is a draft: its data is not offered yet. */
  isDraft: boolean
}

/** The access that a person has to a product, or the button that requests it; nothing without output ports. */
export function ProductAccessState({ id, ports, isDraft }: ProductAccessStateProps) {
  const { data, isPending } = useQuery(summariesQuery([id]))
  const [summary] = data ?? []
  if (isPending) return null
  const open = summary?.mine.find(({ port }) => port === ports[0]?.id)
  if (ports.length === 1 && open !== undefined) return <OpenAccess open={open} />
  if (ports.length > 0 && summary?.isOwn === true) return <OwnedByTeam id={id} ports={ports} />
  return <ProductRequest id={id} ports={ports} look={isDraft ? 'secondary' : 'primary'} />
}
