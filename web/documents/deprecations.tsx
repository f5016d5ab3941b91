import { createContext, use, useMemo, type ReactNode } from 'react'
import { isEndingStatus } from '../../formats/data-product/standing.ts'
import { newTable } from '../../formats/name/table.ts'
import { api, type Answer } from '../api/client.ts'
import { Link } from '../parts/link.tsx'
import { Notice } from '../parts/notice.tsx'
import { Deprecated, DocumentStatus } from '../parts/status.tsx'
import { dayText } from '../parts/date-format.ts'
import { paths } from '../paths.ts'

/** A deprecated part of a document, with what replaces it. */
export type DeprecatedPart = Answer<'/ui/deprecations', 'get'>['documents'][number]['parts'][number]

/** A data product or a data contract. */
interface DocumentRef {
  kind: 'data-product' | 'data-contract'
  id: string
}

/** A resource in a list, with its status. */
interface ListedResource {
  /** `DATA_PRODUCT`. */
  resourceType: string
  id: string
  status: string | null
}

const DOCUMENT_KINDS = newTable<DocumentRef['kind']>({
  DATA_PRODUCT: 'data-product',
  DATA_CONTRACT: 'data-contract',
})

/** The maximum number of documents that the server answers at once. */
const DOCUMENTS_MAX = 100

const PartsContext = createContext<ReadonlyMap<string, readonly DeprecatedPart[]>>(new Map())

interface DeprecationsProps {
  /** The documents of a page or a list, whose deprecated parts are loaded together. */
  of: readonly DocumentRef[]
  children: ReactNode
}

/** Provides what replaces the deprecated parts of documents. */
export function Deprecations({ of, children }: DeprecationsProps) {
  const names = [...new Set(of.map(getName))].slice(0, DOCUMENTS_MAX)
  const { data } = api.useQuery(
    'get',
    '/ui/deprecations',
    { params: { query: { of: names } } },
    { enabled: names.length > 0 },
  )
  const parts = useMemo(
    () => new Map(data?.documents.map((one) => [getName(one), one.parts])),
    [data],
  )
  return <PartsContext value={parts}>{children}</PartsContext>
}

function getName({ kind, id }: DocumentRef): string {
  return `${kind}/${id}`
}

/** Lists the deprecated documents among resources: only they have a successor to show. */
export function listDeprecated(resources: readonly ListedResource[]): DocumentRef[] {
  return resources.flatMap(({ resourceType, id, status }) => {
    const kind = DOCUMENT_KINDS[resourceType]
    return kind !== undefined && isEndingStatus(status ?? undefined) ? [{ kind, id }] : []
  })
}

/** Lists the deprecated ones among data products. */
export function listDeprecatedProducts(
  products: readonly Omit<ListedResource, 'resourceType'>[],
): DocumentRef[] {
  return listDeprecated(
    products.map(({ id, status }) => ({ resourceType: 'DATA_PRODUCT', id, status })),
  )
}

/** Returns the deprecated parts of a document; none until they are loaded. */
export function useDeprecatedParts(document: DocumentRef | undefined): readonly DeprecatedPart[] {
  const parts = use(PartsContext)
  return (document && parts.get(getName(document))) ?? []
}

/** "Use <name> instead", with a link; nothing if nothing in the catalog replaces a part. */
export function UseInstead({ part }: { part: DeprecatedPart | undefined }) {
  const replacement = part?.replacement ?? null
  if (replacement === null) return null
  const { kind, id, name } = replacement
  // A successor often has the name of what it replaces.
  const label = name === part?.name ? `${name} (${id})` : name
  const href = kind === 'data-contract' ? paths.dataContract(id) : paths.dataProduct(id)
  return (
    <span className="user-text relative text-sm">
      Use <Link href={href}>{label}</Link> instead
    </span>
  )
}

/** The status of a resource in a list, and what replaces it if it is deprecated. */
export function ResourceStanding({ resourceType, id, status }: ListedResource) {
  const kind = DOCUMENT_KINDS[resourceType]
  const parts = useDeprecatedParts(kind && { kind, id })
  return (
    <>
      <DocumentStatus status={status} />
      <UseInstead part={parts.find(({ pointer }) => pointer === '')} />
    </>
  )
}

/** The badge of a deprecated part of a document, and what replaces it. */
export function DeprecatedMark({ part }: { part: DeprecatedPart | undefined }) {
  return (
    <>
      <Deprecated />
      <UseInstead part={part} />
    </>
  )
}

/** Advises consumers of a deprecated document; nothing if it is not deprecated. */
export function DeprecationNotice(document: DocumentRef) {
  const part = useDeprecatedParts(document).find(({ pointer }) => pointer === '')
  if (part === undefined) return null
  const called = document.kind === 'data-product' ? 'data product' : 'data contract'
  return (
    <div className="mb-5">
      <Notice tone="caution" title={`This ${called} is deprecated${describeSince(part)}`}>
        <PartAdvice part={part} />
      </Notice>
    </div>
  )
}

/** The advice of a deprecated part, and what replaces it. */
export function PartAdvice({ part }: { part: DeprecatedPart }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      {part.advice !== null && <span>{part.advice}</span>}
      <UseInstead part={part} />
    </span>
  )
}

function describeSince({ since }: DeprecatedPart): string {
  if (since === null) return ''
  const { version, on, orBefore } = since
  return ` since version ${version} (${dayText(on)}${orBefore ? ' or before' : ''})`
}
