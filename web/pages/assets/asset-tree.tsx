import { useRouter } from '@tanstack/react-router'
import { HardDriveUpload } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useTeams } from '../../api/teams.ts'
import type { Schemas } from '../../api/client.ts'
import { useSources } from '../../api/sources.ts'
import { AssetIcon, assetWord, describeChildren } from '../../parts/asset-kind.tsx'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { PlatformMark } from '../../parts/platform-mark.tsx'
import { Status } from '../../parts/status.tsx'
import { countText } from '../../parts/number-text.ts'
import { TreeGrid, type CellProps, type TreeColumn } from '../../parts/tree-grid.tsx'
import { paths } from '../../paths.ts'
import { keyOfPlace, useBranches, type Place } from './branch.ts'
import { treeRows, type AssetTreeRow } from './tree-rows.ts'

type Row = AssetTreeRow<Schemas['AssetRoot'], Schemas['AssetNode']>

interface AssetTreeProps {
  roots: readonly Schemas['AssetRoot'][]
  /** The open places. */
  places: readonly Place[]
  isOpen: (key: string) => boolean
  onToggle: (place: Place) => void
}

/** The tree of assets: integration, database, schema, table. Children load as they come into view. */
export function AssetTree({ roots, places, isOpen, onToggle }: AssetTreeProps) {
  const router = useRouter()
  const { states, more } = useBranches(places)
  const teams = useTeams()
  const rows = treeRows(roots, isOpen, (key) => states.get(key))
  const teamNames = useMemo(() => new Map(teams?.map(({ id, name }) => [id, name])), [teams])
  const columns = getColumns({
    teamNames,
    onLoad: (key) => {
      const place = places.find((one) => keyOfPlace(one) === key)
      if (place !== undefined) void more(place)
    },
    onRetry: (key) => states.get(key)?.retry(),
  })
  return (
    <TreeGrid
      label="Assets"
      rows={rows}
      columns={columns}
      rowClassName="sm:grid-cols-[minmax(16rem,5fr)_minmax(7rem,2fr)_minmax(8rem,5fr)_minmax(7rem,2fr)]"
      onToggle={(row) => {
        const place = getPlace(row)
        if (place !== undefined) onToggle(place)
      }}
      onChoose={(row) => {
        if (row.kind === 'asset') router.history.push(paths.asset(row.node.id))
        else if (row.kind === 'root') onToggle(getPlace(row) ?? { kind: 'clients' })
      }}
    />
  )
}

const INDENTED = 'max-sm:pl-7'

function getPlace(row: Row): Place | undefined {
  if (row.kind === 'rest') return undefined
  if (row.kind === 'asset') return { kind: 'asset', id: row.node.id }
  const { integrationExternalId: externalId } = row.root
  return externalId === null ? { kind: 'clients' } : { kind: 'integration', externalId }
}

interface ColumnOptions {
  /** Names of teams by their ids. */
  teamNames: ReadonlyMap<string, string>
  /** Loads the next assets below a row, by the row's key. */
  onLoad: (key: string) => void
  onRetry: (key: string) => void
}

function getColumns({ teamNames, onLoad, onRetry }: ColumnOptions): TreeColumn<Row>[] {
  return [
    {
      title: 'Name',
      cell: (row, props) =>
        row.kind === 'rest' ? (
          <Rest
            row={row}
            props={props}
            onLoad={() => onLoad(row.below)}
            onRetry={() => onRetry(row.below)}
          />
        ) : (
          <Name row={row} props={props} />
        ),
    },
    { title: 'Type', className: 'max-sm:hidden', cell: (row) => <Type row={row} /> },
    { title: 'Description', className: INDENTED, cell: (row) => <Description row={row} /> },
    {
      title: 'Owner',
      className: 'max-sm:hidden',
      cell: (row, props) => <Owner row={row} props={props} teamNames={teamNames} />,
    },
  ]
}

const LOOSE_NAME = 'Without an integration'
const LOOSE_DESCRIPTION = 'Sent through the API, or kept from a deleted integration.'

function Description({ row }: { row: Row }) {
  if (row.kind === 'root' && row.root.integrationExternalId === null) {
    return <span className="line-clamp-2 text-muted">{LOOSE_DESCRIPTION}</span>
  }
  if (row.kind !== 'asset' || row.node.description === null) return null
  return <span className="user-text line-clamp-1 text-muted">{row.node.description}</span>
}

interface OwnerProps {
  row: Row
  props: CellProps
  teamNames: ReadonlyMap<string, string>
}

function Owner({ row, props, teamNames }: OwnerProps) {
  if (row.kind !== 'asset' || row.node.ownerId === null) return null
  const { ownerId } = row.node
  return (
    <Link href={paths.team(ownerId)} {...props} className="line-clamp-1">
      <span className="user-text">{teamNames.get(ownerId) ?? ownerId}</span>
    </Link>
  )
}

function Name({ row, props }: { row: Exclude<Row, { kind: 'rest' }>; props: CellProps }) {
  if (row.kind === 'root') {
    const { integrationExternalId, name, source, assetCount } = row.root
    return (
      <span className="flex min-w-0 items-center gap-2">
        {integrationExternalId === null || source === null ? (
          <HardDriveUpload size={18} aria-hidden className="shrink-0 text-faint" />
        ) : (
          <PlatformMark source={source} size={18} />
        )}
        <span className="user-text line-clamp-1 font-semibold">
          {integrationExternalId === null ? LOOSE_NAME : name}
        </span>
        <span className="shrink-0 text-sm text-muted">{countText(assetCount, 'asset')}</span>
      </span>
    )
  }
  const { id, name, type, childCount, status } = row.node
  return (
    <span className="flex min-w-0 items-center gap-2">
      <AssetIcon type={type} />
      <span className="sr-only sm:hidden">{assetWord(type)} </span>
      <Link href={paths.asset(id)} {...props} className="line-clamp-1 min-w-0">
        <span className="user-text">{name === '' ? id : name}</span>
      </Link>
      {childCount > 0 && (
        <span className="shrink-0 text-sm text-muted">{describeChildren(type, childCount)}</span>
      )}
      {status === 'deleted' && <Status tone="off">Removed from source</Status>}
    </span>
  )
}

function Type({ row }: { row: Row }) {
  if (row.kind === 'rest') return null
  if (row.kind === 'asset') return <span className="text-muted">{assetWord(row.node.type)}</span>
  return row.root.source === null ? null : <Platform source={row.root.source} />
}

function Platform({ source }: { source: string }) {
  const { data } = useSources()
  const title = data?.find((one) => one.source === source)?.title ?? source
  return <span className="user-text text-muted">{title}</span>
}

interface RestProps {
  row: Extract<Row, { kind: 'rest' }>
  props: CellProps
  onLoad: () => void
  onRetry: () => void
}

// The row is rendered only near the view; then it loads its assets.
function Rest({ row, props, onLoad, onRetry }: RestProps) {
  const { isFirst, message } = row
  const isDue = !isFirst && message === undefined
  useEffect(() => {
    if (isDue) onLoad()
    // The key of the row differs for each page of nodes, so each is loaded once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isDue])
  if (message === undefined) {
    return (
      <span role="status" className="block py-1">
        <span className="sr-only">Loading</span>
        <span className="block h-3.5 w-40 animate-skeleton rounded bg-skeleton" />
      </span>
    )
  }
  return (
    <span role="alert" className="flex flex-wrap items-center gap-2 text-critical">
      {message}
      <Button {...props} className="min-h-7!" onClick={onRetry}>
        Retry
      </Button>
    </span>
  )
}
