import type { ListedAgreement } from './access-words.ts'
import { PartAdvice, useDeprecatedParts, type DeprecatedPart } from '../deprecations.tsx'
import { Link } from '../../parts/link.tsx'
import { Deprecated } from '../../parts/status.tsx'
import { paths } from '../../paths.ts'

const FIELDS_SHOWN_MAX = 5

type Document = { kind: 'data-product' | 'data-contract'; id: string }

/** Lists the documents that output ports give access to: products with their ports, and contracts. */
export function listUsedDocuments(
  ports: readonly Pick<PortUse, 'productId' | 'contractId'>[],
): Document[] {
  return ports.flatMap(({ productId, contractId }): Document[] => [
    { kind: 'data-product', id: productId },
    ...(contractId === null ? [] : [{ kind: 'data-contract' as const, id: contractId }]),
  ])
}

/** An output port of an agreement or a request. */
type PortUse = Pick<ListedAgreement, 'productId' | 'port' | 'contractId'>

/** The deprecated parts of the data of an output port, with their advice and successors; nothing without any. */
export function DeprecatedUse({ productId, port, contractId }: PortUse) {
  const ofProduct = useDeprecatedParts({ kind: 'data-product', id: productId })
  const ofContract = useDeprecatedParts(
    contractId === null ? undefined : { kind: 'data-contract', id: contractId },
  )
  const whole = [
    ...ofProduct.filter((part) => part.kind === 'document' || isOfPort(part, port, contractId)),
    ...ofContract.filter(({ kind }) => kind === 'document'),
  ]
  const parts = ofContract.filter(({ kind }) => kind === 'model' || kind === 'field')
  if (whole.length + parts.length === 0) return null
  return (
    <div className="grid gap-1.5 rounded-md bg-caution-soft px-3.5 py-2.5">
      {whole.map((part) => (
        <Advice key={`${part.kind} ${part.pointer}`} part={part} />
      ))}
      {parts.slice(0, FIELDS_SHOWN_MAX).map((part) => (
        <Advice key={part.pointer} part={part} />
      ))}
      {parts.length > FIELDS_SHOWN_MAX && contractId !== null && (
        <Link href={paths.dataContract(contractId)}>
          {parts.length - FIELDS_SHOWN_MAX} more in the contract
        </Link>
      )}
    </div>
  )
}

// Versions of a port share its id. Only the one with the contract of the agreement gives the access.
function isOfPort(part: DeprecatedPart, port: string, contractId: string | null): boolean {
  const hasOther = part.contractId !== null && contractId !== null && part.contractId !== contractId
  return part.portId === port && !hasOther
}

const WORDS: Readonly<Partial<Record<DeprecatedPart['kind'], string>>> = {
  'output port': 'Port',
  model: 'Model',
  field: 'Field',
}

function Advice({ part }: { part: DeprecatedPart }) {
  const word = WORDS[part.kind]
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <Deprecated />
      <span className="user-text font-medium">
        {word === undefined ? part.name : `${word} ${part.name}`}
      </span>
      <PartAdvice part={part} />
    </div>
  )
}
