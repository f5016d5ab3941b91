import { keepPreviousData } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useRef, useState } from 'react'
import { api, type Schemas } from '../api/client.ts'
import { toProblem } from '../api/problem.ts'
import { classNames } from '../parts/class-names.ts'
import { useFocusBack } from '../parts/floating-dialog.tsx'
import { Highlighted } from '../parts/highlighted.tsx'
import { ResourceIcon } from '../parts/resource-icon.tsx'
import { resourceWord } from '../parts/resource-types.ts'
import { useSettled } from '../parts/settled.ts'
import { useToast } from '../parts/toast.tsx'
import { paths, pathOfResource } from '../paths.ts'
import { usePaletteGroups, type PaletteGroup, type PaletteItem } from './palette-items.tsx'
import { matches } from './palette-match.ts'

/** The command palette: opens pages, runs actions and searches the catalog. */
export function Palette({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const focusBack = useFocusBack()
  const hasGone = useRef(false)
  const go = (href: string): void => {
    hasGone.current = true
    router.history.push(href)
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay data-veil className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[10vh] left-1/2 z-40 flex max-h-[75vh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-raised"
          onOpenAutoFocus={focusBack.onOpenAutoFocus}
          onCloseAutoFocus={(event) => {
            focusBack.onCloseAutoFocus(event)
            // After navigation the focus goes to the new page.
            if (hasGone.current) document.getElementById('content')?.focus()
          }}
        >
          <Dialog.Title className="sr-only">Search or jump to</Dialog.Title>
          <PaletteBody go={go} onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteBody({ go, onClose }: { go: (href: string) => void; onClose: () => void }) {
  const showToast = useToast()
  const [typed, setTyped] = useState('')
  const places = usePaletteGroups(go)
  const found = useFoundItems(typed.trim(), go)
  const groups = groupsFor(typed, places, found.items, go)
  const first = groups[0]?.items[0]?.key ?? ''
  // The selection stays while its item is listed; otherwise the first item is selected.
  const [chosen, setChosen] = useState('')
  const isThere = groups.some(({ items }) => items.some(({ key }) => key === chosen))
  const run = (item: PaletteItem): void => {
    if (item.reason !== undefined) {
      showToast(item.reason, 'caution')
      return
    }
    onClose()
    item.run()
  }
  return (
    <Command
      shouldFilter={false}
      loop
      label="Search or jump to"
      value={isThere ? chosen : first}
      onValueChange={setChosen}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search size={16} aria-hidden className="shrink-0 text-faint" />
        <Command.Input
          value={typed}
          onValueChange={(text) => {
            setTyped(text)
            setChosen('')
          }}
          maxLength={500}
          placeholder="Search the catalog, or jump to a page or an action"
          className="h-12 min-w-0 flex-1 bg-transparent text-lg text-ink outline-none placeholder:text-faint"
        />
      </div>
      <Command.List label="Suggestions" className="min-h-0 overflow-y-auto p-1.5">
        {groups.map((group) => (
          <Group key={group.title} group={group} onRun={run} />
        ))}
      </Command.List>
      <p aria-live="polite" className="border-t border-line px-4 py-1.5 text-xs text-muted">
        {found.message}
      </p>
    </Command>
  )
}

// A query lists matching pages and actions, results of the catalog, and a link to the search page.
function groupsFor(
  typed: string,
  places: readonly PaletteGroup[],
  found: readonly PaletteItem[],
  go: (href: string) => void,
): PaletteGroup[] {
  const query = typed.trim()
  const matching = places.map(({ title, items }) => ({
    title,
    items: items.filter(({ words }) => matches(query, words)),
  }))
  const everywhere = {
    key: 'everywhere',
    title: (
      <>
        Search for "<span className="user-text">{query.slice(0, 80)}</span>"
      </>
    ),
    words: '',
    icon: <Search size={15} aria-hidden />,
    run: () => go(paths.search({ query })),
  }
  const all =
    query === ''
      ? matching
      : [
          ...matching,
          { title: 'In the catalog', items: found },
          { title: 'Everything', items: [everywhere] },
        ]
  return all.filter(({ items }) => items.length > 0)
}

interface GroupProps {
  group: PaletteGroup
  onRun: (item: PaletteItem) => void
}

function Group({ group, onRun }: GroupProps) {
  return (
    <Command.Group
      heading={group.title}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint"
    >
      {group.items.map((item) => (
        <Command.Item
          key={item.key}
          value={item.key}
          onSelect={() => onRun(item)}
          className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 data-[selected=true]:bg-accent-soft"
        >
          <span className="shrink-0 text-faint">{item.icon}</span>
          <span className={classNames('min-w-0 flex-1', item.reason !== undefined && 'text-muted')}>
            <span className="line-clamp-1">{item.title}</span>
            {item.reason !== undefined && (
              <span className="block text-xs text-muted">{item.reason}</span>
            )}
          </span>
          {item.note !== undefined && (
            <span className="max-w-2/5 min-w-0 shrink-0 text-sm text-muted">{item.note}</span>
          )}
        </Command.Item>
      ))}
    </Command.Group>
  )
}

const RESULTS_MAX = 8
const ASK_AFTER_MS = 120

/** Returns the search results for the typed text, and a status message. */
function useFoundItems(
  typed: string,
  go: (href: string) => void,
): { items: readonly PaletteItem[]; message: string } {
  const settled = useSettled(typed, ASK_AFTER_MS)
  const query = typed === '' ? '' : settled
  const found = api.useQuery(
    'get',
    '/api/search',
    { params: { query: { query, limit: RESULTS_MAX, facets: false } } },
    { enabled: query !== '', placeholderData: keepPreviousData },
  )
  if (typed === '') return { items: [], message: '↑↓ to select, Enter to open, Esc to close' }
  if (found.error !== null) return { items: [], message: toProblem(found.error).summary }
  const results = found.data?.results ?? []
  const total = found.data?.total ?? 0
  const least = found.data?.totalIsMinimum === true ? 'at least ' : ''
  const names = results.map(({ name }) => name)
  const items = results.map((result) => ({
    key: `found ${result.resourceType} ${result.id}`,
    title: <FoundTitle result={result} />,
    words: '',
    icon: <ResourceIcon resourceType={result.resourceType} size={15} />,
    note: <FoundNote result={result} isNamesake={isTwice(names, result.name)} />,
    run: () => go(pathOfResource(result.resourceType, result.id)),
  }))
  if (query !== typed || found.data === undefined) return { items, message: 'Searching…' }
  return { items, message: `${least}${total} ${total === 1 ? 'result' : 'results'} in the catalog` }
}

function isTwice(names: readonly string[], name: string): boolean {
  return names.indexOf(name) !== names.lastIndexOf(name)
}

function markedName({ highlights }: Schemas['SearchResult']) {
  return highlights.find(({ field }) => field === 'name')
}

function FoundTitle({ result }: { result: Schemas['SearchResult'] }) {
  const { name, id } = result
  const marked = markedName(result)
  return <Highlighted text={marked?.text ?? (name || id)} ranges={marked?.ranges ?? []} />
}

// The matching part, or the synonym by which a result was found: the part that has it is not what people look for.
function findPlace({ why, highlights }: Schemas['SearchResult']): string | undefined {
  const part = why.find(({ field, path }) => path !== null && field !== 'synonym')?.path
  const synonym = highlights.find(({ field }) => field === 'synonym')?.text
  return part ?? (synonym === undefined ? undefined : `synonym ${synonym}`)
}

interface FoundNoteProps {
  result: Schemas['SearchResult']
  /** Whether another result has the same name. */
  isNamesake: boolean
}

// The id if another result has the same name, the match if it is not in the name, or the owner.
function FoundNote({ result, isNamesake }: FoundNoteProps) {
  const { id, resourceType, ownerName } = result
  const place = markedName(result) === undefined ? findPlace(result) : undefined
  return (
    <span className="user-text line-clamp-1">
      {isNamesake ? id : (place ?? ownerName)}
      <span className="sr-only">, {resourceWord(resourceType)}</span>
    </span>
  )
}
