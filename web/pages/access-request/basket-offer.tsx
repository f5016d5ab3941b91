import { Checkbox } from '../../parts/field.tsx'
import { Link } from '../../parts/link.tsx'
import { countText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'
import type { BasketItem } from '../../shell/access-basket.ts'
import { getPortName, usePorts } from './port-names.ts'

const NAMED_MAX = 3

/** The basket beside a request of another port: its ports are requested only if the person adds them. */
export interface OfferedBasket {
  items: readonly BasketItem[]
  isAdded: boolean
  setAdded: (isAdded: boolean) => void
}

/** Offers to request the ports in the basket, too; nothing while it is empty. */
export function BasketOffer({ basket }: { basket: OfferedBasket | undefined }) {
  const named = (basket?.items ?? []).slice(0, NAMED_MAX)
  const ports = usePorts(named)
  if (basket === undefined || basket.items.length === 0) return null
  const { items, isAdded, setAdded } = basket
  const names = named.map((item, at) => getPortName(item, ports[at]))
  const rest = items.length - named.length
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line px-4 py-3">
      <Checkbox
        label={`Also request the ${countText(items.length, 'output port')} in your basket`}
        hint={
          <span className="user-text">
            {names.join(', ')}
            {rest > 0 && ` and ${rest} more`}
          </span>
        }
        checked={isAdded}
        onChange={({ target }) => setAdded(target.checked)}
      />
      <Link href={paths.requestAccess()} className="text-sm">
        Open the basket
      </Link>
    </div>
  )
}
