import { toVisibleText } from '../parts/visible-text.ts'

const TEXT_ATTRIBUTES = ['title', 'aria-label', 'alt', 'placeholder'] as const

type ChangedProps = { [name in (typeof TEXT_ATTRIBUTES)[number] | 'children']?: unknown }

/** Returns props whose texts are safe to show; the same object when they already are. */
export function withVisibleTexts(props: unknown): unknown {
  if (typeof props !== 'object' || props === null) return props
  const changed: ChangedProps = {}
  for (const name of TEXT_ATTRIBUTES) {
    const value: unknown = Reflect.get(props, name)
    if (typeof value === 'string' && toVisibleText(value) !== value) {
      changed[name] = toVisibleText(value)
    }
  }
  const given: unknown = Reflect.get(props, 'children')
  const children = toVisibleChildren(given)
  if (children !== given) changed.children = children
  return Object.keys(changed).length === 0 ? props : { ...props, ...changed }
}

function toVisibleChildren(children: unknown): unknown {
  if (!Array.isArray(children)) return toVisibleChild(children)
  const visible: unknown[] = children.map(toVisibleChild)
  return visible.some((child, at) => child !== children[at]) ? visible : children
}

function toVisibleChild(child: unknown): unknown {
  return typeof child === 'string' ? toVisibleText(child) : child
}
