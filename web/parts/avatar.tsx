import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { getHue, getInitials, type Hue } from './identity.ts'

const COLOURS: Record<Hue, string> = {
  blue: 'bg-hue-blue-soft text-hue-blue',
  teal: 'bg-hue-teal-soft text-hue-teal',
  green: 'bg-hue-green-soft text-hue-green',
  olive: 'bg-hue-olive-soft text-hue-olive',
  orange: 'bg-hue-orange-soft text-hue-orange',
  rose: 'bg-hue-rose-soft text-hue-rose',
  purple: 'bg-hue-purple-soft text-hue-purple',
  indigo: 'bg-hue-indigo-soft text-hue-indigo',
}

const SIZES = {
  tiny: 'size-4 text-[0.5rem]',
  small: 'size-5 text-[0.625rem]',
  medium: 'size-7 text-xs',
  large: 'size-10 text-base',
}

type Size = keyof typeof SIZES

const SHAPES = { person: 'rounded-full', team: 'rounded-md' }

interface AvatarProps {
  /** Its first letters are shown. */
  name: string
  /** Decides the colour, so that a new name keeps it. */
  id: string
  kind: keyof typeof SHAPES
  size?: Size
}

/** A person or a team at a glance: initials on a colour. The name is written beside it. */
export function Avatar({ name, id, kind, size = 'medium' }: AvatarProps) {
  return (
    <AvatarFrame size={size} className={classNames(SHAPES[kind], COLOURS[getHue(id)])}>
      {getInitials(name)}
    </AvatarFrame>
  )
}

/** An avatar of something that is neither: it shows an icon. */
export function IconAvatar({ children, size = 'medium' }: { children: ReactNode; size?: Size }) {
  return (
    <AvatarFrame size={size} className="rounded-md bg-sunken text-muted">
      {children}
    </AvatarFrame>
  )
}

interface AvatarFrameProps {
  size: Size
  className: string
  children: ReactNode
}

function AvatarFrame({ size, className, children }: AvatarFrameProps) {
  return (
    <span
      aria-hidden
      className={classNames(
        'inline-grid shrink-0 place-items-center font-semibold select-none',
        SIZES[size],
        className,
      )}
    >
      {children}
    </span>
  )
}

const SPOTS: Record<Hue, string> = {
  blue: 'bg-hue-blue',
  teal: 'bg-hue-teal',
  green: 'bg-hue-green',
  olive: 'bg-hue-olive',
  orange: 'bg-hue-orange',
  rose: 'bg-hue-rose',
  purple: 'bg-hue-purple',
  indigo: 'bg-hue-indigo',
}

/** A spot in the colour of a domain, beside its name. */
export function DomainSpot({ id }: { id: string }) {
  return (
    <span
      aria-hidden
      className={classNames('inline-block size-2.5 shrink-0 rounded-xs', SPOTS[getHue(id)])}
    />
  )
}

/** A band in the colour of a domain, along the top of a card that is positioned. */
export function DomainBand({ id }: { id: string }) {
  return (
    <span aria-hidden className={classNames('absolute inset-x-0 top-0 h-1', SPOTS[getHue(id)])} />
  )
}
