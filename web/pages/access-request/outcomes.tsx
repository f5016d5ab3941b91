import { useEffect, useRef } from 'react'
import { AccessState } from '../../documents/access/access-parts.tsx'
import { toOutcomeProblem, type AccessOutcome } from '../../documents/access/access-queries.ts'
import { listDeciders } from '../../documents/access/next-step.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { NameLink } from '../../parts/link.tsx'
import { Status } from '../../parts/status.tsx'
import { paths } from '../../paths.ts'
import type { BasketItem } from '../../shell/access-basket.ts'
import { getPortName, type LoadedPort } from './port-names.ts'

/** An output port that was requested, and what happened. */
export interface RequestedPort {
  item: BasketItem
  /** The port with its names; undefined = it does not exist. */
  found: LoadedPort
  outcome: AccessOutcome
}

interface OutcomesProps {
  requested: readonly RequestedPort[]
  onRetry: () => void
}

/** The outcome of a request for each output port. */
export function Outcomes({ requested, onRetry }: OutcomesProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const failed = requested.filter(({ outcome }) => outcome.problem !== null)
  const areAllActive = requested.every(({ outcome }) => outcome.state === 'active')
  const title =
    failed.length > 0
      ? failed.length === requested.length
        ? 'Nothing was requested'
        : 'Some ports could not be requested'
      : areAllActive
        ? 'You have access'
        : 'Access requested'
  return (
    <div className="grid gap-4">
      <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
        {title}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {requested.map((port) => (
          <li key={`${port.item.productId} ${port.item.port}`} className="grid gap-1 px-4 py-3">
            <Outcome {...port} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <ButtonLink
          look="primary"
          href={paths.myData({ view: areAllActive ? undefined : 'requested' })}
        >
          Open My data
        </ButtonLink>
        {failed.length > 0 && <Button onClick={onRetry}>Change the request</Button>}
      </div>
    </div>
  )
}

function Outcome({ item, found, outcome: { id, state, problem } }: RequestedPort) {
  const name = getPortName(item, found)
  if (problem !== null || id === null || state === null) {
    const shown = problem === null ? undefined : toOutcomeProblem(problem)
    return (
      <>
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="user-text font-medium">{name}</span>
          <Status tone="critical">Failed</Status>
        </span>
        <p className="user-text text-muted">
          {shown?.title}. {shown?.message}
        </p>
      </>
    )
  }
  return (
    <>
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <NameLink href={paths.access(id)} className="font-medium" name={name} lines={2} />
        <AccessState state={state} />
      </span>
      {state === 'requested' && found !== undefined && (
        <p className="user-text text-muted">
          Next: {listDeciders(found, `an approver of ${found.team.name ?? found.team.id}`)}{' '}
          {found.isDecider ? 'decide.' : 'decides.'}
        </p>
      )}
    </>
  )
}
