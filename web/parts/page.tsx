import { ChevronRight } from 'lucide-react'
import { createContext, use, useEffect, type ReactNode } from 'react'
import { toVisibleText } from './visible-text.ts'
import { classNames } from './class-names.ts'
import { Link } from './link.tsx'

const WIDTHS = {
  reading: 'max-w-3xl',
  full: 'max-w-7xl',
  wide: 'max-w-[110rem]',
  screen: 'max-w-none',
}

/** The part of a page above its content and its first field: who may use it. */
export const PageHeadContext = createContext<ReactNode>(null)

/** The frame of a page without its content. */
export interface PageProps {
  /** The title of the page and of the tab. */
  title: string
  /** The pages above it, outermost first. */
  trail?: readonly { title: string; href: string }[]
  /** Before the title. */
  avatar?: ReactNode
  /** Beside the title: a status, a format. */
  marks?: ReactNode
  /** Below the title, one line: owner, id, times. */
  facts?: ReactNode
  /** Below the facts. */
  signals?: ReactNode
  actions?: ReactNode
  /** The width that the content may take. */
  width?: keyof typeof WIDTHS
  /** Whether the content places its head itself, below its tabs. */
  placesHead?: boolean
  children: ReactNode
}

/** The frame of every page: the pages above it, its title, its actions, and its content. */
export function Page({
  title,
  trail = [],
  avatar,
  marks,
  facts,
  signals,
  actions,
  width = 'full',
  placesHead = false,
  children,
}: PageProps) {
  const head = use(PageHeadContext)
  useEffect(() => {
    document.title = `${toVisibleText(title)} · Portbook`
  }, [title])
  return (
    <div className={classNames('mx-auto px-4 pt-5 pb-16 sm:px-8', WIDTHS[width])}>
      {trail.length > 0 && <Trail trail={trail} />}
      <header className="mb-5 grid grid-cols-[minmax(0,1fr)] gap-2">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              {avatar}
              <h1 className="user-text text-2xl">{title}</h1>
              {marks}
            </div>
            {facts !== undefined && (
              <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
                {facts}
              </div>
            )}
          </div>
          {actions !== undefined && (
            <div className="flex flex-wrap items-center gap-2">{actions}</div>
          )}
        </div>
        {signals}
      </header>
      {!placesHead && head}
      {children}
    </div>
  )
}

/** The pages above a page, as links. */
function Trail({ trail }: { trail: readonly { title: string; href: string }[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex flex-wrap items-center gap-x-1 text-sm text-muted">
        {trail.map((step, at) => (
          <li key={step.href} className="flex min-w-0 items-center gap-1">
            {/* At least 24 px high and wide, for any length of name and wherever the trail wraps. */}
            <Link
              href={step.href}
              plain
              className="user-text flex min-h-6 min-w-6 items-center justify-center py-0.5 hover:text-ink hover:underline"
            >
              {step.title}
            </Link>
            {at < trail.length - 1 && <ChevronRight size={12} aria-hidden className="shrink-0" />}
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** A part of a page without its content. */
export interface PanelProps {
  title: string
  /** Beside the title: a count, a mark. */
  marks?: ReactNode
  actions?: ReactNode
  /** Whether the content touches the edges, as a table does. */
  flush?: boolean
  className?: string
  children: ReactNode
}

/** A part of a page with a heading. */
export function Panel({ title, marks, actions, flush = false, className, children }: PanelProps) {
  return (
    <section className={classNames('min-w-0 rounded-lg border border-line bg-surface', className)}>
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-1.5">
        <h2 className="user-text min-w-0 text-base">
          {title}
          {marks !== undefined && (
            <span className="figures ml-2 font-normal text-muted">{marks}</span>
          )}
        </h2>
        {actions}
      </header>
      <div className={flush ? 'overflow-x-auto' : 'p-4'}>{children}</div>
    </section>
  )
}

interface FactsProps {
  facts: readonly (readonly [string, ReactNode])[]
  /** Whether the names take the same width in every list, so that lists below each other align. */
  isAligned?: boolean
}

/** Names with their values, in two columns; values that are null or empty are left out. */
export function Facts({ facts, isAligned = false }: FactsProps) {
  const shown = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <dl
      className={classNames(
        'grid gap-x-4 gap-y-2',
        isAligned
          ? 'grid-cols-[45%_minmax(0,1fr)] sm:grid-cols-[40%_minmax(0,1fr)]'
          : 'grid-cols-[fit-content(45%)_minmax(0,1fr)]',
      )}
    >
      {shown.map(([name, value], at) => (
        <div key={`${at} ${name}`} className="contents">
          <dt className="user-text min-w-28 text-muted">{name}</dt>
          <dd className="user-text min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Names with their values below them. */
export function StackedFacts({ facts }: Pick<FactsProps, 'facts'>) {
  return (
    <dl className="grid gap-3">
      {facts.map(([name, value], at) => (
        <div key={`${at} ${name}`} className="min-w-0">
          <dt className="user-text text-sm text-muted">{name}</dt>
          <dd className="user-text min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
