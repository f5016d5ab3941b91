import type { Source } from '../../api/sources.ts'
import { useState } from 'react'
import type { NameGlobs } from '../../../formats/name/name-filter.ts'
import { Button } from '../../parts/button.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { splitLines } from '../../parts/schema-form-values.ts'
import { Status } from '../../parts/status.tsx'
import { numberText } from '../../parts/number-text.ts'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { buildScopeRows, type ScopeGlobs, type ScopeRow } from './scope-rows.ts'
import { setAllTicks, setTick } from './scope-ticks.ts'
import { capitalize } from '../../parts/capitalize.ts'
import { levelsText } from './setup-facts.ts'
import type { Preview } from './use-trials.ts'
import type { Wizard } from './use-wizard.ts'

const SEARCHED_ROWS_MIN = 15

interface ScopePickerProps {
  wizard: Wizard
  source: Source
  preview: Preview
  /** The filters that the preview was made with. */
  previewed: ScopeGlobs
}

/** The databases and schemas of a source, each with a checkbox for reading it. */
export function ScopePicker(props: ScopePickerProps) {
  const [search, setSearch] = useState('')
  const { rows, tick, tickAll } = useTicks(props)
  const leaves = rows.filter(({ isLeaf }) => isLeaf)
  const wanted = search.toLowerCase()
  const shown = rows.filter(({ path }) => path.join('.').toLowerCase().includes(wanted))
  const plural = levelsText(props.source.scopeLevel)
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p aria-live="polite" className="font-medium">
          {numberText(leaves.filter(({ isTicked }) => isTicked).length)} of{' '}
          {numberText(leaves.length)} {plural} selected
        </p>
        <Button look="quiet" onClick={() => tickAll(true)}>
          Select all
        </Button>
        <Button look="quiet" onClick={() => tickAll(false)}>
          Clear
        </Button>
        {rows.length >= SEARCHED_ROWS_MIN && (
          <SearchField
            className="w-full sm:ml-auto sm:w-56"
            label={`Search ${plural}`}
            placeholder={`Search ${plural}…`}
            value={search}
            onChange={setSearch}
          />
        )}
      </div>
      <VirtualRows
        label={`${capitalize(plural)} to read`}
        rows={shown}
        getKey={({ key }) => key}
        rowHeight={36}
        className="max-h-80 rounded-md border border-line"
      >
        {(row) => <Row row={row} onTick={(isTicked) => tick(row, isTicked)} />}
      </VirtualRows>
      {hasEqualNames(leaves) && (
        <p className="text-sm text-muted">
          {capitalize(plural)} of the same name are selected together.
        </p>
      )}
    </div>
  )
}

/** Returns the rows of the tick list, and functions that change the filters of the draft. */
function useTicks({ wizard, source, preview, previewed }: ScopePickerProps) {
  const { draft, patch } = wizard
  const getGlobs = (level: string): NameGlobs => ({
    include: splitLines(draft.include[level] ?? ''),
    exclude: splitLines(draft.exclude[level] ?? ''),
  })
  const rows = buildScopeRows(preview.scopes, source.scopeLevel, getGlobs, previewed)
  const apply = (level: string, { include, exclude }: NameGlobs): void =>
    patch(
      {
        include: { ...draft.include, [level]: include.join('\n') },
        exclude: { ...draft.exclude, [level]: exclude.join('\n') },
      },
      'filters',
    )
  return {
    rows,
    tick: ({ kind, name }: ScopeRow, isTicked: boolean): void =>
      apply(kind, setTick(getGlobs(kind), name, isTicked)),
    tickAll(isTicked: boolean): void {
      const choosable = rows.filter(({ isLeaf, reason }) => isLeaf && reason === undefined)
      const names = [...new Set(choosable.map(({ name }) => name))]
      apply(source.scopeLevel, setAllTicks(getGlobs(source.scopeLevel), names, isTicked))
    },
  }
}

function hasEqualNames(leaves: readonly ScopeRow[]): boolean {
  return new Set(leaves.map(({ name }) => name)).size < leaves.length
}

function Row({ row, onTick }: { row: ScopeRow; onTick: (isTicked: boolean) => void }) {
  const { name, kind, path, isTicked, isDenied, reason, counts } = row
  return (
    <label
      className="flex min-h-9 flex-wrap items-center gap-x-2.5 gap-y-0.5 border-b border-line px-3 py-1 hover:bg-hover/60"
      style={{ paddingLeft: `${0.75 + (path.length - 1) * 1.5}rem` }}
    >
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent-solid"
        checked={isTicked}
        disabled={reason !== undefined}
        aria-label={`${path.join('.')}, ${kind}`}
        onChange={(event) => onTick(event.target.checked)}
      />
      <span className="user-text min-w-0">{name}</span>
      <span className="text-xs text-faint">{kind}</span>
      {counts !== undefined && (
        <span className="figures ml-auto text-sm text-muted">
          {numberText(counts.selected)} of {numberText(counts.total)}
        </span>
      )}
      {isDenied && <Status tone="critical">Not readable</Status>}
      {reason !== undefined && (
        <span className="user-text w-full pl-6.5 text-sm text-muted">{reason}</span>
      )}
    </label>
  )
}
