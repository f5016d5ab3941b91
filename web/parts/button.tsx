import { Download, type LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Link } from './link.tsx'
import { Tooltip } from './tooltip.tsx'

/** The weight of a button. */
export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger'

const LOOKS: Record<ButtonLook, string> = {
  primary: 'bg-accent-solid text-on-accent hover:bg-accent-solid-hover border-transparent',
  secondary: 'bg-surface text-ink border-line-strong/60 hover:bg-hover',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-hover',
  danger: 'bg-critical-solid text-on-accent border-transparent hover:opacity-90',
}

const ICON_SIZE = 14

const SHAPE =
  'inline-flex items-center justify-center gap-1.5 rounded-md border px-3 min-h-8 text-base font-medium whitespace-nowrap transition-colors [&_svg]:shrink-0'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  look?: ButtonLook
  icon?: LucideIcon | undefined
  /** The size of the icon in pixels. */
  iconSize?: number
  /** Why it cannot be used now; it stays reachable, so that the reason can be read. */
  reason?: string | undefined
  /** An action is in progress. */
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

/** A button. A disabled button shows the reason. */
export function Button(props: ButtonProps) {
  // With and without a reason it is the same element, so that it keeps the focus.
  return (
    <Tooltip text={props.reason}>
      <BareButton {...props} />
    </Tooltip>
  )
}

// What a tooltip adds to it arrives among the rest.
function BareButton({
  look = 'secondary',
  icon: Icon,
  iconSize = ICON_SIZE,
  reason,
  busy = false,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const isOff = reason !== undefined || busy
  return (
    <button
      {...rest}
      type={isOff ? 'button' : type}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      className={classNames(
        SHAPE,
        LOOKS[look],
        isOff && 'opacity-55 cursor-not-allowed!',
        className,
      )}
      onClick={isOff ? undefined : onClick}
    >
      {Icon !== undefined && <Icon aria-hidden size={iconSize} />}
      {children}
    </button>
  )
}

/** A link that looks like a button and downloads what the server sends as a file. */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} download className={classNames(SHAPE, LOOKS.secondary)}>
      <Download aria-hidden size={ICON_SIZE} />
      {children}
    </a>
  )
}

interface ButtonLinkProps {
  href: string
  look?: ButtonLook
  icon?: LucideIcon | undefined
  reason?: string | undefined
  className?: string
  children: ReactNode
}

/** A link to a page that looks like a button; with a reason it is one that cannot be used. */
export function ButtonLink({
  href,
  look = 'secondary',
  icon: Icon,
  reason,
  className,
  children,
}: ButtonLinkProps) {
  if (reason !== undefined) {
    return (
      <Button look={look} icon={Icon} reason={reason} className={className}>
        {children}
      </Button>
    )
  }
  return (
    <Link href={href} plain className={classNames(SHAPE, LOOKS[look], className)}>
      {Icon !== undefined && <Icon aria-hidden size={ICON_SIZE} />}
      {children}
    </Link>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  /** The action, as accessible name and tooltip. */
  label: string
  icon: LucideIcon
}

/** A button with only an icon. */
export function IconButton({ label, look = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={rest.reason ?? label}>
      <BareButton
        {...rest}
        look={look}
        aria-label={label}
        className={classNames('w-8 px-0!', className)}
      />
    </Tooltip>
  )
}
