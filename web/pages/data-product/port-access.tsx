import { useQuery } from '@tanstack/react-query'
import { KeyRound, ShoppingBasket } from 'lucide-react'
import type { OutputPort } from '../../../formats/data-product/data-product.ts'
import { summariesQuery, type AccessSummary } from '../../documents/access/access-queries.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
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
  const basket = useBasket()
  if (data === undefined) return <span className="text-faint">…</span>
  const open = data[0]?.mine.find((one) => one.port === port.id)
  if (open !== undefined) return <OpenAccess open={open} />
  const item = { productId, port: port.id }
  const isIn = isInBasket(basket, item)
  const word = isIn ? 'In the basket' : 'Add to basket'
  return (
    <span className="flex flex-wrap items-center gap-2">
      <ButtonLink icon={KeyRound} href={paths.requestAccess({ product: productId, port: port.id })}>
        Request access<span className="sr-only"> to {port.name}</span>
      </ButtonLink>
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

/** The button that requests access to one of the output ports of a product; nothing without ports. */
function ProductAccess({ id, ports }: ProductAccessProps) {
  const router = useRouter()
  const [first] = ports
  if (first === undefined) return null
  const getPath = (port: string): string => paths.requestAccess({ product: id, port })
  if (ports.length === 1) {
    return (
      <ButtonLink look="primary" icon={KeyRound} href={getPath(first.id)}>
        Request access
      </ButtonLink>
    )
  }
  return (
    <Menu
      trigger={
        <Button look="primary" icon={KeyRound}>
          Request access
        </Button>
      }
    >
      {ports.map((port) => (
        <MenuItem key={port.key} onSelect={() => router.history.push(getPath(port.id))}>
          {port.name}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** The button that requests access, or the access that the person has to the only output port. */
export function ProductAccessState({ id, ports }: ProductAccessProps) {
  const { data } = useQuery(summariesQuery([id]))
  const open = data?.[0]?.mine.find(({ port }) => port === ports[0]?.id)
  if (ports.length === 1 && open !== undefined) return <OpenAccess open={open} />
  return <ProductAccess id={id} ports={ports} />
}
