import { ShoppingBasket } from 'lucide-react'
import { ButtonLink } from '../parts/button.tsx'
import { countText } from '../parts/number-text.ts'
import { paths } from '../paths.ts'
import { useBasket } from './access-basket.ts'

/** The link to the request of the output ports in the basket; nothing while it is empty. */
export function BasketLink() {
  const { length } = useBasket()
  if (length === 0) return null
  return (
    <ButtonLink look="quiet" href={paths.requestAccess()} icon={ShoppingBasket}>
      <span className="sr-only">Basket: {countText(length, 'output port')}</span>
      <span aria-hidden className="figures">
        {length}
      </span>
    </ButtonLink>
  )
}
