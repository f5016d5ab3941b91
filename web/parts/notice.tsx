import type { LucideIcon } from 'lucide-react'
import { useCallback, useSyncExternalStore, type ReactNode } from 'react'
import { Button, ButtonLink } from './button.tsx'
import { classNames } from './class-names.ts'
import { ToneIcon, type Tone } from './status.tsx'
import { UseList, type UseListProps } from './use-list.tsx'

const GROUNDS: Partial<Record<Tone, string>> = {
  info: 'bg-accent-soft',
  caution: 'bg-caution-soft',
  critical: 'bg-critical-soft',
  positive: 'bg-positive-soft',
}

interface NoticeProps {
  tone: Tone
  title: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** A message about the content below or beside it. */
export function Notice({ tone, title, actions, children }: NoticeProps) {
  return (
    <div
      className={classNames('flex gap-2.5 rounded-md px-3.5 py-2.5', GROUNDS[tone] ?? 'bg-sunken')}
    >
      <span className="mt-0.5">
        <ToneIcon tone={tone} size={16} />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="user-text font-medium">{title}</div>
        {children !== undefined && <div className="user-text">{children}</div>}
        {actions !== undefined && <div className="mt-1 flex gap-2">{actions}</div>}
      </div>
    </div>
  )
}

/** A problem in words for people. */
export interface ShownProblem {
  title: string
  /** The next step; empty if the title suffices. */
  message: string
  action?: { label: string; href: string } | undefined
  /** Aborts when the problem is over: the notice disappears. */
  solved?: AbortSignal | undefined
  violations: readonly { field: string; message: string; line?: number; column?: number }[]
  /** The uses that prevent a change. */
  inUse?: UseListProps | undefined
}

interface ProblemNoticeProps {
  /** Undefined = there is none. */
  problem: ShownProblem | undefined
  onRetry?: (() => void) | undefined
  /** Further buttons that help. */
  actions?: ReactNode
}

/** A problem: what is wrong, where, and how to fix it. */
export function ProblemNotice({ problem, onRetry, actions }: ProblemNoticeProps) {
  const isSolved = useSolved(problem?.solved)
  if (problem === undefined || isSolved) return null
  const { title, message, action } = problem
  // Violations that the notice itself contains are not repeated in the list.
  const violations = problem.violations.filter((one) => !one.message.startsWith(title))
  const hasActions = onRetry !== undefined || action !== undefined || actions !== undefined
  return (
    <div role="alert">
      <Notice
        tone="critical"
        title={title}
        {...(hasActions
          ? {
              actions: (
                <span className="flex flex-wrap gap-2">
                  {actions}
                  {onRetry !== undefined && <Button onClick={onRetry}>Retry</Button>}
                  {action !== undefined && (
                    <ButtonLink href={action.href}>{action.label}</ButtonLink>
                  )}
                </span>
              ),
            }
          : {})}
      >
        {message}
        {problem.inUse !== undefined && <UseList {...problem.inUse} />}
        {violations.length > 0 && (
          <ul className="mt-1 list-disc pl-5">
            {violations.map(({ field, message, line }, at) => (
              <li key={`${field} ${at}`}>
                {line !== undefined && <span className="text-muted">Line {line}: </span>}
                {field !== '' && <code>{field}</code>} {message}
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  )
}

function useSolved(solved: AbortSignal | undefined): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      solved?.addEventListener('abort', listener)
      return () => solved?.removeEventListener('abort', listener)
    },
    [solved],
  )
  return useSyncExternalStore(subscribe, () => solved?.aborted ?? false)
}

interface EmptyProps {
  icon?: LucideIcon
  title: string
  /** The expected content, and the next step. */
  children: ReactNode
  action?: ReactNode
}

/** The placeholder of an empty list, with the next step. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <div data-empty className="grid justify-items-center gap-2 px-6 py-10 text-center">
      {Icon !== undefined && <Icon aria-hidden size={28} className="text-faint" />}
      <p className="font-medium">{title}</p>
      <div className="max-w-md text-muted">{children}</div>
      {action !== undefined && action !== false && <div className="mt-2">{action}</div>}
    </div>
  )
}

/** The look of a placeholder. */
export interface SkeletonProps {
  lines?: number
  label?: string
  /** Whether the surrounding element provides the spacing. */
  isFlush?: boolean
}

/** The placeholder of content that is loading: lines where it will be. */
export function Skeleton({ lines = 3, label = 'Loading', isFlush = false }: SkeletonProps) {
  return (
    <div
      role="status"
      aria-label={label}
      className={classNames('grid animate-skeleton', isFlush ? 'gap-3 py-1' : 'gap-3 p-4')}
    >
      {Array.from({ length: lines }, (_, at) => (
        <div
          key={at}
          className={classNames('h-3.5 rounded bg-skeleton', WIDTHS[at % WIDTHS.length])}
        />
      ))}
    </div>
  )
}

const WIDTHS = ['w-3/4', 'w-full', 'w-5/6', 'w-2/3', 'w-11/12']
